/* SPDX-License-Identifier: MIT */
#include <string>
#include <thread>

#include "util/log_capture.h"

TEST(Status, NamesAreTheEnumerators) {
  const struct {
    mluOpStatus_t status;
    int number;
    const char *name;
  } table[] = {
      {MLUOP_STATUS_SUCCESS, 0, "MLUOP_STATUS_SUCCESS"},
      {MLUOP_STATUS_NOT_INITIALIZED, 1, "MLUOP_STATUS_NOT_INITIALIZED"},
      {MLUOP_STATUS_ALLOC_FAILED, 2, "MLUOP_STATUS_ALLOC_FAILED"},
      {MLUOP_STATUS_BAD_PARAM, 3, "MLUOP_STATUS_BAD_PARAM"},
      {MLUOP_STATUS_INTERNAL_ERROR, 4, "MLUOP_STATUS_INTERNAL_ERROR"},
      {MLUOP_STATUS_ARCH_MISMATCH, 5, "MLUOP_STATUS_ARCH_MISMATCH"},
      {MLUOP_STATUS_EXECUTION_FAILED, 6, "MLUOP_STATUS_EXECUTION_FAILED"},
      {MLUOP_STATUS_NOT_SUPPORTED, 7, "MLUOP_STATUS_NOT_SUPPORTED"},
      {MLUOP_STATUS_NUMERICAL_OVERFLOW, 8, "MLUOP_STATUS_NUMERICAL_OVERFLOW"},
  };
  for (const auto &row : table) {
    EXPECT_EQ(row.status, row.number);
    EXPECT_STREQ(mluOpGetErrorString(row.status), row.name);
  }
  EXPECT_STREQ(mluOpGetErrorString((mluOpStatus_t)9), "MLUOP_STATUS_BAD_PARAM");
  EXPECT_STREQ(mluOpGetErrorString((mluOpStatus_t)-1), "MLUOP_STATUS_BAD_PARAM");
}

TEST(Status, LastErrorIsKeptPerThread) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(mluOpSetQueue(nullptr, nullptr), MLUOP_STATUS_BAD_PARAM);
  const std::string log = testing::internal::GetCapturedStdout();
  const std::string message = mluOpGetLastErrorMessage();
  EXPECT_NE(message.find("mluOpSetQueue"), std::string::npos) << message;
  EXPECT_NE(log.find(message), std::string::npos) << log;
  std::thread([] { EXPECT_STREQ(mluOpGetLastErrorMessage(), ""); }).join();
}

TEST(Version, HeaderLibraryAndProjectAgree) {
  int major = -1, minor = -1, patch = -1;
  mluOpGetLibVersion(&major, &minor, &patch);
  EXPECT_EQ(major, MLUOP_MAJOR);
  EXPECT_EQ(minor, MLUOP_MINOR);
  EXPECT_EQ(patch, MLUOP_PATCHLEVEL);
  EXPECT_EQ(std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch),
            MLUOP_PROJECT_VERSION);
  EXPECT_EQ(mluOpGetVersion(), (size_t)(major * 1000 + minor * 100 + patch));
}

TEST(Version, EachNumberIsOptional) {
  int minor = -1;
  mluOpGetLibVersion(nullptr, &minor, nullptr);
  EXPECT_EQ(minor, MLUOP_MINOR);
  mluOpGetLibVersion(nullptr, nullptr, nullptr);
}

TEST(DataType, SizesAndNames) {
  const struct {
    mluOpDataType_t dtype;
    int number;
    size_t size;
    const char *name;
  } table[] = {
      {MLUOP_DTYPE_HALF, 1, 2, "DTYPE_HALF"},
      {MLUOP_DTYPE_FLOAT, 2, 4, "DTYPE_FLOAT"},
      {MLUOP_DTYPE_INT8, 3, 1, "DTYPE_INT8"},
      {MLUOP_DTYPE_INT16, 4, 2, "DTYPE_INT16"},
      {MLUOP_DTYPE_INT31, 5, 4, "DTYPE_INT31"},
      {MLUOP_DTYPE_INT32, 6, 4, "DTYPE_INT32"},
      {MLUOP_DTYPE_UINT8, 7, 1, "DTYPE_UINT8"},
      {MLUOP_DTYPE_BOOL, 8, 1, "DTYPE_BOOL"},
      {MLUOP_DTYPE_INT64, 9, 8, "DTYPE_INT64"},
      {MLUOP_DTYPE_UINT32, 11, 4, "DTYPE_UINT32"},
      {MLUOP_DTYPE_UINT64, 12, 8, "DTYPE_UINT64"},
      {MLUOP_DTYPE_UINT16, 13, 2, "DTYPE_UINT16"},
      {MLUOP_DTYPE_DOUBLE, 14, 8, "DTYPE_DOUBLE"},
      {MLUOP_DTYPE_COMPLEX_HALF, 15, 4, "DTYPE_COMPLEX_HALF"},
      {MLUOP_DTYPE_COMPLEX_FLOAT, 16, 8, "DTYPE_COMPLEX_FLOAT"},
      {MLUOP_DTYPE_BFLOAT16, 17, 2, "DTYPE_BFLOAT16"},
  };
  for (const auto &row : table) {
    size_t size = 99;
    EXPECT_EQ(row.dtype, row.number);
    EXPECT_SUCCESS(mluOpGetSizeOfDataType(row.dtype, &size));
    EXPECT_EQ(size, row.size) << row.name;
    EXPECT_STREQ(mluOpGetNameOfDataType(row.dtype), row.name);
  }
}

TEST(DataType, WhatIsNoTypeIsRefused) {
  size_t size = 99;
  for (int number : {-1, 0, 10, 18, 1000}) {
    EXPECT_BAD_PARAM(mluOpGetSizeOfDataType((mluOpDataType_t)number, &size), "data_type");
    EXPECT_STREQ(mluOpGetNameOfDataType((mluOpDataType_t)number), "DTYPE_INVALID");
  }
  EXPECT_EQ(size, 99u);
  EXPECT_BAD_PARAM(mluOpGetSizeOfDataType(MLUOP_DTYPE_FLOAT, nullptr), "size: wanted not NULL");
}

TEST(Layout, Names) {
  const char *names[] = {"NCHW", "NHWC", "HWCN", "NDHWC", "ARRAY", "NCDHW",
                         "TNC",  "NTC",  "NC",   "NLC",   "NCL"};
  for (int i = 0; i < 11; ++i) {
    EXPECT_EQ(mluOpGetNameOfTensorLayout((mluOpTensorLayout_t)i),
              std::string("LAYOUT_") + names[i]);
  }
  EXPECT_STREQ(mluOpGetNameOfTensorLayout((mluOpTensorLayout_t)11), "LAYOUT_ARRAY");
  EXPECT_STREQ(mluOpGetNameOfTensorLayout((mluOpTensorLayout_t)-1), "LAYOUT_ARRAY");
}

TEST(Enums, ValuesOfTheInterface) {
  EXPECT_EQ(MLUOP_SEQDATA_TNC, 0);
  EXPECT_EQ(MLUOP_SEQDATA_TNC_PACKED, 1);
  EXPECT_EQ(MLUOP_SEQDATA_BTNC, 9);
  EXPECT_EQ(MLUOP_SEQDATA_NT, 11);
  EXPECT_EQ(MLUOP_NOT_PROPAGATE_NAN, 0);
  EXPECT_EQ(MLUOP_PROPAGATE_NAN, 1);
  EXPECT_EQ(MLUOP_COMPUTATION_FAST, 0);
  EXPECT_EQ(MLUOP_COMPUTATION_ULTRAHIGH_PRECISION, 2);
  EXPECT_EQ(MLUOP_ATOMICS_NOT_ALLOWED, 1);
  EXPECT_EQ(MLUOP_ATOMICS_ALLOWED, 2);
  EXPECT_EQ(MLUOP_ROUND_HALF_TO_EVEN, 0);
  EXPECT_EQ(MLUOP_ROUND_HALF_UP, 1);
  EXPECT_EQ(MLUOP_ROUND_HALF_OFF_ZERO, 2);
  EXPECT_EQ(MLUOP_QUANTIZE_POSITION_SCALE_OFFSET, 2);
  EXPECT_EQ(MLUOP_POINTER_MODE_HOST, 0);
  EXPECT_EQ(MLUOP_POINTER_MODE_DEVICE, 1);
  EXPECT_EQ(MLUOP_LOG_10, 2);
  EXPECT_EQ(MLUOP_16BIT_INDICES, 1);
  EXPECT_EQ(MLUOP_LOSS_REDUCTION_MEAN, 2);
  EXPECT_EQ(MLUOP_REDUCE_DMAX, 2);
  EXPECT_EQ(MLUOP_POOLING_FIXED, 3);
  EXPECT_EQ(MLUOP_DIM_MAX, 8);
}

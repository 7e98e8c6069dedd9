/* SPDX-License-Identifier: MIT */
#include "util/log_capture.h"

namespace {
class SeqData : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(mluOpCreateSeqDataDescriptor(&desc_), MLUOP_STATUS_SUCCESS); }
  void TearDown() override {
    EXPECT_EQ(mluOpDestroySeqDataDescriptor(desc_), MLUOP_STATUS_SUCCESS);
  }
  mluOpSeqDataDescriptor_t desc_ = nullptr;
  const int64_t wide_[3] = {7, 2, 16};
  const int narrow_[3] = {5, 3, 8};
  const int lengths_[3] = {4, 7, 1};
};
}  // namespace

TEST_F(SeqData, SetAndGet) {
  float fill = 2.5f, fill_got = 0;
  mluOpSeqDataLayout_t layout;
  mluOpDataType_t dtype;
  int rank = 0;
  int64_t sizes[3] = {}, length_num = 0, lengths[3] = {};
  EXPECT_SUCCESS(mluOpSetSeqDataDescriptor_v2(desc_, MLUOP_SEQDATA_TNC, MLUOP_DTYPE_FLOAT, 3, wide_,
                                              2, lengths_, &fill));
  fill = 0; /* it was copied */
  EXPECT_SUCCESS(mluOpGetSeqDataDescriptor_v2(desc_, &layout, &dtype, &rank, sizes, &length_num,
                                              lengths, &fill_got));
  EXPECT_EQ(layout, MLUOP_SEQDATA_TNC);
  EXPECT_EQ(dtype, MLUOP_DTYPE_FLOAT);
  EXPECT_EQ(rank, 3);
  EXPECT_EQ(sizes[2], 16);
  EXPECT_EQ(length_num, 2);
  EXPECT_EQ(lengths[1], 7);
  EXPECT_EQ(fill_got, 2.5f);
  EXPECT_SUCCESS(mluOpSetSeqDataDescriptor(desc_, MLUOP_SEQDATA_NT, MLUOP_DTYPE_HALF, 2, narrow_, 0,
                                           nullptr, nullptr));
  EXPECT_SUCCESS(mluOpGetSeqDataDescriptor_v2(desc_, &layout, &dtype, &rank, sizes, &length_num,
                                              lengths, &fill_got));
  EXPECT_EQ(layout, MLUOP_SEQDATA_NT);
  EXPECT_EQ(rank, 2);
  EXPECT_EQ(sizes[1], 3);
  EXPECT_EQ(length_num, 0);
  EXPECT_EQ(fill_got, 2.5f); /* none was set: untouched */
  EXPECT_SUCCESS(mluOpGetSeqDataDescriptor_v2(desc_, nullptr, nullptr, nullptr, nullptr, nullptr,
                                              nullptr, nullptr));
}

TEST_F(SeqData, BadArguments) {
  const auto layout = MLUOP_SEQDATA_TNC;
  const auto dtype = MLUOP_DTYPE_FLOAT;
  const int negative[] = {1, -1};
  const int64_t negative_wide[] = {1, -4};
  EXPECT_BAD_PARAM(mluOpCreateSeqDataDescriptor(nullptr), "seq_data_desc");
  EXPECT_BAD_PARAM(mluOpDestroySeqDataDescriptor(nullptr), "seq_data_desc");
  EXPECT_BAD_PARAM(
      mluOpSetSeqDataDescriptor_v2(nullptr, layout, dtype, 3, wide_, 0, nullptr, nullptr),
      "seq_data_desc");
  EXPECT_BAD_PARAM(mluOpSetSeqDataDescriptor_v2(desc_, (mluOpSeqDataLayout_t)12, dtype, 3, wide_, 0,
                                                nullptr, nullptr),
                   "layout");
  EXPECT_BAD_PARAM(mluOpSetSeqDataDescriptor_v2(desc_, layout, MLUOP_DTYPE_INVALID, 3, wide_, 0,
                                                nullptr, nullptr),
                   "dtype");
  EXPECT_BAD_PARAM(
      mluOpSetSeqDataDescriptor_v2(desc_, layout, dtype, 0, wide_, 0, nullptr, nullptr), "dimNb");
  EXPECT_BAD_PARAM(
      mluOpSetSeqDataDescriptor_v2(desc_, layout, dtype, 3, nullptr, 0, nullptr, nullptr),
      "dimSize");
  EXPECT_BAD_PARAM(mluOpSetSeqDataDescriptor(desc_, layout, dtype, 3, nullptr, 0, nullptr, nullptr),
                   "dimSize");
  EXPECT_BAD_PARAM(
      mluOpSetSeqDataDescriptor_v2(desc_, layout, dtype, 2, negative_wide, 0, nullptr, nullptr),
      "dimSize[1]: wanted 0 or more, got -4");
  EXPECT_BAD_PARAM(
      mluOpSetSeqDataDescriptor_v2(desc_, layout, dtype, 3, wide_, -1, nullptr, nullptr),
      "seqLengthArraySize");
  EXPECT_BAD_PARAM(
      mluOpSetSeqDataDescriptor_v2(desc_, layout, dtype, 3, wide_, 1, nullptr, nullptr),
      "seqLengthArray");
  EXPECT_BAD_PARAM(
      mluOpSetSeqDataDescriptor_v2(desc_, layout, dtype, 3, wide_, 2, negative, nullptr),
      "seqLengthArray[1]: wanted 0 or more, got -1");
  EXPECT_BAD_PARAM(mluOpGetSeqDataDescriptor_v2(nullptr, nullptr, nullptr, nullptr, nullptr,
                                                nullptr, nullptr, nullptr),
                   "seq_data_desc");
}

TEST_F(SeqData, QuantizationAndOnchipType) {
  int position = -1;
  float scale = -1;
  mluOpDataType_t dtype;
  EXPECT_SUCCESS(mluOpGetSeqDataDescriptorPositionAndScale(desc_, &position, &scale));
  EXPECT_EQ(position, 0);
  EXPECT_EQ(scale, 1.0f);
  EXPECT_SUCCESS(mluOpSetSeqDataDescriptorPositionAndScale(desc_, 3, 0.5f));
  EXPECT_SUCCESS(mluOpGetSeqDataDescriptorPositionAndScale(desc_, &position, &scale));
  EXPECT_EQ(position, 3);
  EXPECT_EQ(scale, 0.5f);
  EXPECT_BAD_PARAM(mluOpSetSeqDataDescriptorPositionAndScale(nullptr, 3, 0.5f), "seq_data_desc");
  EXPECT_BAD_PARAM(mluOpGetSeqDataDescriptorPositionAndScale(nullptr, &position, &scale),
                   "seq_data_desc");
  EXPECT_BAD_PARAM(mluOpGetSeqDataDescriptorPositionAndScale(desc_, nullptr, &scale), "position");
  EXPECT_BAD_PARAM(mluOpGetSeqDataDescriptorPositionAndScale(desc_, &position, nullptr), "scale");
  EXPECT_BAD_PARAM(mluOpGetSeqDataDescriptorOnchipDataType(desc_, &dtype), "on-chip data type");
  EXPECT_SUCCESS(mluOpSetSeqDataDescriptorOnchipDataType(desc_, MLUOP_DTYPE_HALF));
  EXPECT_SUCCESS(mluOpGetSeqDataDescriptorOnchipDataType(desc_, &dtype));
  EXPECT_EQ(dtype, MLUOP_DTYPE_HALF);
  EXPECT_BAD_PARAM(mluOpSetSeqDataDescriptorOnchipDataType(desc_, (mluOpDataType_t)99),
                   "onchip_dtype");
  EXPECT_BAD_PARAM(mluOpSetSeqDataDescriptorOnchipDataType(nullptr, MLUOP_DTYPE_HALF),
                   "seq_data_desc");
  EXPECT_BAD_PARAM(mluOpGetSeqDataDescriptorOnchipDataType(desc_, nullptr), "onchip_dtype");
  EXPECT_BAD_PARAM(mluOpGetSeqDataDescriptorOnchipDataType(nullptr, &dtype), "seq_data_desc");
}

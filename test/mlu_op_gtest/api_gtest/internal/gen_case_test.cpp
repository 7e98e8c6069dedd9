/* SPDX-License-Identifier: MIT */
#include "core/gen_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <regex>
#include <thread>

#include "core/check.h"
#include "core/gen_case_config.h"
#include "core/gen_case_value.h"
#include "internal/child.h"
#include "test/common/comma_locale.h"
#include "util/log_capture.h"

namespace {
using Names = std::vector<std::string>;

std::string valueText(mluOpDataType_t dtype, const void *data, int64_t count, bool is_hex) {
  char *text = nullptr;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  mluop_gen_case_write_values(file, dtype, data, count, is_hex);
  fclose(file);
  std::string result(text, size);
  free(text);
  return result;
}

/* The only case file in a folder; checks its name. */
std::string onlyCase(const TemporaryFolder &folder, const std::string &root) {
  static const std::regex form(
      R"(gen_case/moe_dispatch_forward/moe_dispatch_forward_\d{8}_\d\d_\d\d_\d\d_\d{6}_tid\d+_device0\.prototxt)");
  std::string found;
  for (const std::string &file : folder.files()) {
    if (file.size() < 9 || file.substr(file.size() - 9) != ".prototxt") continue;
    EXPECT_EQ(found, "") << "a second case: " << file;
    EXPECT_EQ(file.rfind(root, 0), 0u) << file;
    EXPECT_TRUE(std::regex_match(file.substr(root.size()), form)) << file;
    found = file;
  }
  EXPECT_NE(found, "") << "no case in " << folder.path();
  return found;
}

const char kHead[] = "op_name: \"moe_dispatch_forward\"\nop_type: MOE_DISPATCH_FORWARD\n";
std::string tensor(const std::string &role, const std::string &id, const std::string &dtype,
                   const std::string &data) {
  return role + " {\n  id: \"" + id + "\"\n  shape {\n    dims: 3\n  }\n  layout: LAYOUT_ARRAY\n" +
         "  dtype: " + dtype + "\n" + data + "}\n";
}
const char kFirstSeed[] = "233", kSecondSeed[] = "1000236";
std::string uniform(const std::string &seed, const std::string &lower, const std::string &upper) {
  return "  random_data {\n    seed: " + seed + "\n    upper_bound: " + upper +
         "\n    lower_bound: " + lower + "\n    distribution: UNIFORM\n  }\n";
}
const char kTail[] =
    "moe_dispatch_forward_param {\n  samples: 3\n}\n"
    "test_param {\n  error_func: DIFF3\n  error_threshold: 0\n  baseline_device: CPU\n}\n";
}  // namespace

TEST(GenCase, OffByDefault) {
  TemporaryFolder folder;
  const ChildResult result = runProbe(folder, "", "record");
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.lines, Names{});
  EXPECT_EQ(folder.files(), Names{});
}

TEST(GenCase, Mode1HasRandomData) {
  TemporaryFolder folder;
  const ChildResult result = runProbe(folder, "MLUOP_GEN_CASE=1", "record");
  const std::string file = onlyCase(folder, "");
  ASSERT_EQ(result.lines.size(), 1u);
  EXPECT_NE(logMessage(result.lines[0], "INFO").find("[gen_case] Generate "), std::string::npos);
  EXPECT_NE(result.lines[0].find(file), std::string::npos);
  EXPECT_EQ(folder.read(file),
            kHead + tensor("input", "x", "DTYPE_FLOAT", uniform(kFirstSeed, "-1", "1")) +
                tensor("input", "index", "DTYPE_INT32", uniform(kSecondSeed, "0", "10")) +
                tensor("output", "y", "DTYPE_FLOAT", "") + kTail);
}

TEST(GenCase, Mode2KeepsWhatDecides) {
  TemporaryFolder folder;
  runProbe(folder, "MLUOP_GEN_CASE=2", "record");
  EXPECT_EQ(folder.read(onlyCase(folder, "")),
            kHead + tensor("input", "x", "DTYPE_FLOAT", uniform(kFirstSeed, "-1", "1")) +
                tensor("input", "index", "DTYPE_INT32", "  value_i: [4, -1, 2147483647]\n") +
                tensor("output", "y", "DTYPE_FLOAT", "") + kTail);
}

TEST(GenCase, DumpDataAsText) {
  TemporaryFolder folder;
  runProbe(folder, "MLUOP_GEN_CASE=2 MLUOP_GEN_CASE_DUMP_DATA=1", "record");
  EXPECT_NE(folder.read(onlyCase(folder, "")).find("  value_f: [1.5, -2.25, 1.00000001e-07]\n"),
            std::string::npos);
}

TEST(GenCase, DumpDataAsHex) {
  TemporaryFolder folder;
  runProbe(folder, "MLUOP_GEN_CASE=2 MLUOP_GEN_CASE_DUMP_DATA=2", "record");
  const std::string text = folder.read(onlyCase(folder, ""));
  EXPECT_NE(text.find("  value_h: [\"3fc00000\", \"c0100000\", \"33d6bf95\"]\n"),
            std::string::npos);
  EXPECT_NE(text.find("  value_i: [4, -1, 2147483647]\n"), std::string::npos);
}

TEST(GenCase, DataInFiles) {
  TemporaryFolder folder;
  runProbe(folder,
           "MLUOP_GEN_CASE=2 MLUOP_GEN_CASE_DUMP_DATA=1 MLUOP_GEN_CASE_DUMP_DATA_FILE=1 "
           "MLUOP_GEN_CASE_DUMP_DATA_OUTPUT=1",
           "record");
  const std::string file = onlyCase(folder, "");
  const std::string base = file.substr(0, file.size() - 9);
  const std::string name = base.substr(base.rfind('/') + 1);
  const std::string text = folder.read(file);
  EXPECT_NE(text.find("  path: \"" + name + "_data0_input\"\n"), std::string::npos);
  EXPECT_NE(text.find("  path: \"" + name + "_data1_input\"\n"), std::string::npos);
  EXPECT_NE(text.find("  path: \"" + name + "_data2_output\"\n"), std::string::npos);
  const float x[3] = {1.5f, -2.25f, 1e-7f}, y[3] = {7, 8, 9};
  EXPECT_EQ(folder.read(base + "_data0_input"), std::string((const char *)x, sizeof(x)));
  EXPECT_EQ(folder.read(base + "_data2_output"), std::string((const char *)y, sizeof(y)));
  EXPECT_EQ(folder.files().size(), 4u);
}

TEST(GenCase, Mode3PrintsOnly) {
  TemporaryFolder folder;
  const ChildResult result = runProbe(folder, "MLUOP_GEN_CASE=3", "record");
  EXPECT_EQ(folder.files(), Names{});
  ASSERT_EQ(result.lines.size(), 1u);
  EXPECT_EQ(
      logMessage(result.lines[0], "INFO")
          .rfind("[gen_case] moe_dispatch_forward: input x [3] DTYPE_FLOAT LAYOUT_ARRAY; "
                 "input index [3] DTYPE_INT32 LAYOUT_ARRAY; output y [3] DTYPE_FLOAT LAYOUT_ARRAY; "
                 "samples 3;",
                 0),
      0u)
      << result.lines[0];
}

TEST(GenCase, OtherModesAreOff) {
  for (const char *mode : {"4", "-1"}) {
    TemporaryFolder folder;
    const ChildResult result = runProbe(folder, "MLUOP_GEN_CASE=" + std::string(mode), "record");
    EXPECT_EQ(folder.files(), Names{});
    ASSERT_EQ(result.lines.size(), 1u);
    EXPECT_NE(logMessage(result.lines[0], "WARNING").find("0 to 3"), std::string::npos);
  }
}

TEST(GenCase, Filters) {
  const struct {
    const char *list;
    bool is_on, is_data_forced;
  } table[] = {
      {"all", true, false},    {"", true, false},        {"a", true, false},   {"b", false, false},
      {"b;a", true, false},    {"b;aa;c", false, false}, {"-a", false, false}, {"-b", true, false},
      {"-b;-a", false, false}, {"+a", true, true},       {"+b", true, false},  {"b;+a", true, true},
      {";;a;", true, false},
  };
  for (const auto &row : table) {
    bool is_data_forced = false;
    EXPECT_EQ(mluop_gen_case_selects(row.list, "a", &is_data_forced), row.is_on) << row.list;
    EXPECT_EQ(is_data_forced, row.is_data_forced) << row.list;
  }
}

TEST(GenCase, FilteredOperator) {
  TemporaryFolder folder;
  EXPECT_EQ(
      runProbe(folder, "MLUOP_GEN_CASE=1 MLUOP_GEN_CASE_OP_NAME=-moe_dispatch_forward", "record")
          .lines,
      Names{});
  EXPECT_EQ(folder.files(), Names{});
  const ChildResult result = runProbe(
      folder, "MLUOP_GEN_CASE=1 MLUOP_GEN_CASE_OP_NAME='no_such;+moe_dispatch_forward'", "record");
  ASSERT_EQ(result.lines.size(), 2u);
  EXPECT_NE(logMessage(result.lines[0], "WARNING").find("got \"no_such\""), std::string::npos);
  EXPECT_NE(folder.read(onlyCase(folder, "")).find("value_f: [1.5"), std::string::npos);
}

TEST(GenCase, FolderWithPlaceholders) {
  TemporaryFolder folder;
  runProbe(folder, "MLUOP_GEN_CASE=1 MLUOP_GEN_CASE_DIR='new/{deviceid}'", "record");
  onlyCase(folder, "new/deviceid0/");
}

TEST(GenCase, FolderThatCannotBeMade) {
  TemporaryFolder folder;
  const ChildResult result =
      runProbe(folder, "MLUOP_GEN_CASE=2 MLUOP_GEN_CASE_DIR=/dev/null/x", "record");
  EXPECT_EQ(result.status, 0);
  ASSERT_EQ(result.lines.size(), 1u);
  EXPECT_NE(logMessage(result.lines[0], "WARNING").find("cannot make the folders"),
            std::string::npos);
}

TEST(GenCase, InnerCallsOnlyWhenAsked) {
  TemporaryFolder folder;
  runProbe(folder, "MLUOP_GEN_CASE=1", "record_nested");
  onlyCase(folder, "");
  TemporaryFolder all;
  runProbe(all, "MLUOP_GEN_CASE=1 MLUOP_GEN_CASE_DUMP_INTERNAL=ON", "record_nested");
  EXPECT_EQ(all.files().size(), 2u);
}

TEST(GenCaseValues, ExactText) {
  const float f[] = {0.1f, -0.0f, INFINITY, -INFINITY, NAN, 3.4028235e38f, 1.4e-45f};
  EXPECT_EQ(valueText(MLUOP_DTYPE_FLOAT, f, 7, false),
            "  value_f: [0.100000001, -0, inf, -inf, nan, 3.40282347e+38, 1.40129846e-45]\n");
  const uint16_t h[] = {0x3c00, 0xc100, 0x0001, 0x7bff, 0xfc00, 0x8000, 0x7e01};
  EXPECT_EQ(valueText(MLUOP_DTYPE_HALF, h, 7, false),
            "  value_f: [1, -2.5, 5.96046448e-08, 65504, -inf, -0, nan]\n");
  EXPECT_EQ(valueText(MLUOP_DTYPE_HALF, h, 2, true), "  value_h: [\"3c00\", \"c100\"]\n");
  const uint16_t b[] = {0x3f80, 0xc049};
  EXPECT_EQ(valueText(MLUOP_DTYPE_BFLOAT16, b, 2, false), "  value_f: [1, -3.140625]\n");
  const double d[] = {1.0};
  EXPECT_EQ(valueText(MLUOP_DTYPE_DOUBLE, d, 1, false), "  value_h: [\"3ff0000000000000\"]\n");
  const int8_t i8[] = {-128, 127};
  EXPECT_EQ(valueText(MLUOP_DTYPE_INT8, i8, 2, true), "  value_i: [-128, 127]\n");
  EXPECT_EQ(valueText(MLUOP_DTYPE_UINT8, i8, 2, false), "  value_ui: [128, 127]\n");
  const int16_t i16[] = {-2};
  EXPECT_EQ(valueText(MLUOP_DTYPE_INT16, i16, 1, false), "  value_i: [-2]\n");
  EXPECT_EQ(valueText(MLUOP_DTYPE_UINT16, i16, 1, false), "  value_ui: [65534]\n");
  const int64_t i64[] = {INT64_MIN, -1};
  EXPECT_EQ(valueText(MLUOP_DTYPE_INT64, i64, 2, false), "  value_l: [-9223372036854775808, -1]\n");
  EXPECT_EQ(valueText(MLUOP_DTYPE_UINT64, i64, 1, false), "  value_ul: [9223372036854775808]\n");
  const uint32_t u32[] = {4294967295u};
  EXPECT_EQ(valueText(MLUOP_DTYPE_UINT32, u32, 1, false), "  value_ui: [4294967295]\n");
  const uint8_t flags[] = {0, 1};
  EXPECT_EQ(valueText(MLUOP_DTYPE_BOOL, flags, 2, false), "  value_i: [0, 1]\n");
  const float c[] = {1, 2, 3, 4};
  EXPECT_EQ(valueText(MLUOP_DTYPE_COMPLEX_FLOAT, c, 2, false), "  value_f: [1, 2, 3, 4]\n");
  const std::vector<int32_t> many(17, 5);
  EXPECT_NE(valueText(MLUOP_DTYPE_INT32, many.data(), 17, false).find("5,\n    5]"),
            std::string::npos);
}

namespace {
class GenCaseRecord : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(mluOpCreate(&handle_), MLUOP_STATUS_SUCCESS);
    ASSERT_EQ(mluOpCreateTensorDescriptor(&desc_), MLUOP_STATUS_SUCCESS);
    testing::internal::CaptureStdout();
    mluOpSetGenCaseDirectory(folder_.path().c_str());
    mluOpSetGenCaseMode(2);
  }
  void TearDown() override {
    mluOpSetGenCaseMode(0);
    (void)testing::internal::GetCapturedStdout();
    EXPECT_EQ(mluOpDestroyTensorDescriptor(desc_), MLUOP_STATUS_SUCCESS);
    EXPECT_EQ(mluOpDestroy(handle_), MLUOP_STATUS_SUCCESS);
  }
  TemporaryFolder folder_;
  mluOpHandle_t handle_ = nullptr;
  mluOpTensorDescriptor_t desc_ = nullptr;
};

void returnEarly(mluOpHandle_t handle, mluOpTensorDescriptor_t desc, bool is_early) {
  GEN_CASE(gen_case, handle, "moe_dispatch_forward", nullptr);
  EXPECT_TRUE(genCaseIsOn(&gen_case));
  genCaseInput(&gen_case, "x", desc, nullptr, genCaseGaussian(0, 2));
  if (is_early) return;
  genCaseWrite(&gen_case);
}
}  // namespace

TEST_F(GenCaseRecord, AnEarlyReturnLeavesNothingBehind) {
  returnEarly(handle_, desc_, true);
  EXPECT_EQ(folder_.files(), Names{});
  returnEarly(handle_, desc_, false); /* not taken for a nested call */
  EXPECT_EQ(folder_.read(onlyCase(folder_, "")),
            "op_name: \"moe_dispatch_forward\"\ninput {\n  id: \"x\"\n  shape {\n  }\n"
            "  layout: LAYOUT_ARRAY\n  dtype: DTYPE_FLOAT\n  random_data {\n    seed: 233\n"
            "    mu: 0\n    sigma: 2\n    distribution: GAUSSIAN\n  }\n}\n"
            "test_param {\n  baseline_device: CPU\n}\n");
}

TEST_F(GenCaseRecord, EverythingADescriptorSays) {
  const int64_t dims[] = {2, 2}, strides[] = {3, 1};
  const uint16_t values[] = {0x3c00, 0x4000, 0x7e00, 0x4200, 0x4400};
  void *device = nullptr;
  ASSERT_EQ(cnrtMalloc(&device, sizeof(values)), cnrtSuccess);
  ASSERT_EQ(cnrtMemcpy(device, (void *)values, sizeof(values), cnrtMemcpyHostToDev), cnrtSuccess);
  mluOpSetTensorDescriptorEx_v2(desc_, MLUOP_LAYOUT_NC, MLUOP_DTYPE_HALF, 2, dims, strides);
  mluOpSetTensorDescriptorPositionScaleAndOffset(desc_, -3, 0.1f, 5);
  mluOpSetTensorDescriptorOnchipDataType(desc_, MLUOP_DTYPE_INT8);
  mluOpTensorDescriptor_t scalar = nullptr;
  mluOpCreateTensorDescriptor(&scalar);
  mluOpSetTensorDescriptorPointerMode(scalar, MLUOP_POINTER_MODE_HOST);
  mluOpSetTensorDescriptor(scalar, MLUOP_LAYOUT_ARRAY, MLUOP_DTYPE_INT64, 0, nullptr);
  const int64_t number = -7;
  {
    GEN_CASE(gen_case, handle_, "moe_dispatch_forward", nullptr);
    genCaseInput(&gen_case, "x", desc_, device, genCaseReal(0, 1));
    genCaseInput(&gen_case, "k", scalar, &number, genCaseReal(0, 1));
    genCaseInput(&gen_case, "bias", nullptr, nullptr, genCaseUniform(0, 1));
    genCaseParamFloat(&gen_case, "factor", 0.1);
    genCaseParamName(&gen_case, "prefer", "COMPUTATION_FAST");
    genCaseHandleParam(&gen_case);
    genCaseTestParam(&gen_case, "DIFF1", 0.003);
    genCaseTestParam(&gen_case, "DIFF2", 0.003);
    genCaseWrite(&gen_case);
  }
  EXPECT_EQ(folder_.read(onlyCase(folder_, "")),
            "op_name: \"moe_dispatch_forward\"\n"
            "input {\n  id: \"x\"\n  shape {\n    dims: 2\n    dims: 2\n    dim_stride: 3\n"
            "    dim_stride: 1\n  }\n  layout: LAYOUT_NC\n  dtype: DTYPE_HALF\n"
            "  onchip_dtype: DTYPE_INT8\n  position: -3\n  scale: 0.100000001\n  offset: 5\n"
            "  value_f: [1, 2, nan, 3, 4]\n}\n"
            "input {\n  id: \"k\"\n  shape {\n  }\n  layout: LAYOUT_ARRAY\n  dtype: DTYPE_INT64\n"
            "  pointer_mode: POINTER_MODE_HOST\n  is_cpu_scalar: true\n  value_l: [-7]\n}\n"
            "input {\n  id: \"bias_NULL\"\n  shape {\n  }\n  layout: LAYOUT_ARRAY\n"
            "  dtype: DTYPE_FLOAT\n}\n"
            "moe_dispatch_forward_param {\n  factor: 0.1\n  prefer: COMPUTATION_FAST\n}\n"
            "handle_param {\n  round_mode: ROUND_TO_EVEN\n}\n"
            "test_param {\n  error_func: DIFF1\n  error_threshold: 0.003\n  error_func: DIFF2\n"
            "  error_threshold: 0.003\n  baseline_device: CPU\n}\n");
  EXPECT_EQ(cnrtFree(device), cnrtSuccess);
  EXPECT_EQ(mluOpDestroyTensorDescriptor(scalar), MLUOP_STATUS_SUCCESS);
}

/* Cases and messages always have a decimal point. */
TEST_F(GenCaseRecord, NumbersDoNotDependOnTheLocale) {
  const TemporaryFolder locales;
  const locale_t comma = make_comma_locale(locales.path().c_str());
  if (comma == (locale_t)0) GTEST_SKIP() << "localedef makes no locale here";
  mluOpSetTensorDescriptorPositionScaleAndOffset(desc_, 0, 0.1f, 0);
  const float values[] = {1.5f, -2.25e-7f};
  const locale_t before = uselocale(comma);
  {
    GEN_CASE(gen_case, handle_, "moe_dispatch_forward", nullptr);
    genCaseInput(&gen_case, "x", desc_, nullptr, genCaseGaussian(0.5, 2.5));
    genCaseInput(&gen_case, "y", desc_, nullptr, genCaseUniform(-0.25, 1e9));
    genCaseParamFloat(&gen_case, "factor", 0.1);
    genCaseTestParam(&gen_case, "DIFF1", 0.003);
    genCaseWrite(&gen_case);
  }
  const std::string text = valueText(MLUOP_DTYPE_FLOAT, values, 2, false);
  testing::internal::GetCapturedStdout(); /* output of the case itself */
  EXPECT_BAD_PARAM(mluop_fail_value("[op]", "x", mluopValueOf(0.5), "none"), "got 0.5.");
  testing::internal::CaptureStdout();
  uselocale(before);
  freelocale(comma);
  EXPECT_EQ(text, "  value_f: [1.5, -2.24999994e-07]\n");
  const std::string found = folder_.read(onlyCase(folder_, ""));
  for (const char *line :
       {"mu: 0.5\n", "sigma: 2.5\n", "upper_bound: 1e+09\n", "lower_bound: -0.25\n",
        "scale: 0.100000001\n", "factor: 0.1\n", "error_threshold: 0.003\n"})
    EXPECT_NE(found.find(line), std::string::npos) << line << found;
}

TEST_F(GenCaseRecord, ThreadsRecordSideBySide) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this] {
      mluOpHandle_t handle = nullptr;
      EXPECT_EQ(mluOpCreate(&handle), MLUOP_STATUS_SUCCESS);
      for (int i = 0; i < 10; ++i) returnEarly(handle, desc_, false);
      EXPECT_EQ(mluOpDestroy(handle), MLUOP_STATUS_SUCCESS);
    });
  }
  for (auto &thread : threads) thread.join();
  EXPECT_EQ(folder_.files().size(), 40u);
}

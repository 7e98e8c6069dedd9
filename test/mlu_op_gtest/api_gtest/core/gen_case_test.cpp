/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include <unistd.h>

#include <string>

#include "util/log_capture.h"

TEST(GenCaseDirectory, SetAndGet) {
  char buffer[64];
  size_t length = 99;
  mluOpStatus_t status = MLUOP_STATUS_INTERNAL_ERROR;
  EXPECT_SUCCESS(mluOpSetGenCaseDirectory("/tmp/cases_{pid}/of_{deviceid}"));
  const std::string wanted = "/tmp/cases_pid" + std::to_string(getpid()) + "/of_deviceid0";
  EXPECT_EQ(mluOpGetGenCaseDirectory(buffer, sizeof(buffer), &length, &status), buffer);
  EXPECT_EQ(buffer, wanted);
  EXPECT_EQ(length, wanted.size());
  EXPECT_EQ(status, MLUOP_STATUS_SUCCESS);

  const char *allocated = mluOpGetGenCaseDirectory(nullptr, 0, &length, &status);
  ASSERT_NE(allocated, nullptr);
  EXPECT_EQ(allocated, wanted);
  EXPECT_EQ(length, wanted.size());
  free(const_cast<char *>(allocated));
  EXPECT_EQ(mluOpGetGenCaseDirectory(buffer, sizeof(buffer), nullptr, nullptr), buffer);
}

TEST(GenCaseDirectory, BufferTooSmall) {
  char buffer[4] = "abc";
  size_t length = 99;
  mluOpStatus_t status = MLUOP_STATUS_SUCCESS;
  EXPECT_SUCCESS(mluOpSetGenCaseDirectory("/tmp"));
  testing::internal::CaptureStdout();
  EXPECT_EQ(mluOpGetGenCaseDirectory(buffer, sizeof(buffer), &length, &status), buffer);
  const auto lines = splitLines(testing::internal::GetCapturedStdout());
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(logMessage(lines[0], "ERROR").find("bufferSize: wanted at least 5, got 4"),
            std::string::npos);
  EXPECT_EQ(status, MLUOP_STATUS_BAD_PARAM);
  EXPECT_EQ(length, 0u);
  EXPECT_STREQ(buffer, "abc");
}

TEST(GenCaseDirectory, Null) {
  EXPECT_BAD_PARAM(mluOpSetGenCaseDirectory(nullptr), "path");
}

TEST(GenCaseMode, EveryNumberIsAnswered) {
  for (int mode : {1, 2, 3, 0}) {
    testing::internal::CaptureStdout();
    mluOpSetGenCaseMode(mode);
    const auto lines = splitLines(testing::internal::GetCapturedStdout());
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_NE(logMessage(lines[0], "INFO").find("mode is " + std::to_string(mode)),
              std::string::npos);
  }
  for (int mode : {-1, 4, 1000}) {
    testing::internal::CaptureStdout();
    mluOpSetGenCaseMode(mode);
    const auto lines = splitLines(testing::internal::GetCapturedStdout());
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_NE(logMessage(lines[0], "WARNING").find("got " + std::to_string(mode)),
              std::string::npos);
    EXPECT_NE(logMessage(lines[1], "INFO").find("mode is 0"), std::string::npos);
  }
}

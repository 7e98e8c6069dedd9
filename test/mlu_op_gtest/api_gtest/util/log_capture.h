/* SPDX-License-Identifier: MIT
 *
 * Expectations about the status of a call and its log output.
 */
#ifndef API_GTEST_UTIL_LOG_CAPTURE_H_
#define API_GTEST_UTIL_LOG_CAPTURE_H_

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "mlu_op.h"

/* Splits at newlines; a last line without newline counts. */
std::vector<std::string> splitLines(const std::string &text);

/* The message of a log line with this severity ("ERROR"); "" and a test failure if the line has
 * another form. */
std::string logMessage(const std::string &line, const std::string &severity);

/* Expects `wanted` as status and exactly one ERROR line, whose message contains `text`. */
void expectOneError(mluOpStatus_t wanted, mluOpStatus_t status, const std::string &output,
                    const std::string &text, const char *call);

#define EXPECT_ONE_ERROR(wanted, call, text)                                              \
  do {                                                                                    \
    testing::internal::CaptureStdout();                                                   \
    const mluOpStatus_t status_ = (call);                                                 \
    expectOneError(wanted, status_, testing::internal::GetCapturedStdout(), text, #call); \
  } while (0)
#define EXPECT_BAD_PARAM(call, text) EXPECT_ONE_ERROR(MLUOP_STATUS_BAD_PARAM, call, text)

/* The call succeeds and prints nothing. */
#define EXPECT_SUCCESS(call)                                        \
  do {                                                              \
    testing::internal::CaptureStdout();                             \
    const mluOpStatus_t status_ = (call);                           \
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "") << #call; \
    EXPECT_EQ(status_, MLUOP_STATUS_SUCCESS) << #call;              \
  } while (0)

#endif /* API_GTEST_UTIL_LOG_CAPTURE_H_ */

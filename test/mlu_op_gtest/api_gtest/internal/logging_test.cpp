/* SPDX-License-Identifier: MIT */
#include "core/logging.h"

#include <thread>

#include "core/env.h"
#include "internal/child.h"
#include "util/log_capture.h"

namespace {
/* The probe's log lines as "severity text". */
std::vector<std::string> messages(const std::string &environment) {
  TemporaryFolder folder;
  const ChildResult result = runProbe(folder, environment, "log");
  EXPECT_EQ(result.status, 0);
  std::vector<std::string> found;
  for (const std::string &line : result.lines) {
    for (const char *severity : {"INFO", "WARNING", "ERROR", "FATAL", "VLOG"}) {
      if (line.find("[" + std::string(severity) + "]") == std::string::npos) continue;
      std::string message = logMessage(line, severity);
      found.push_back(std::string(severity) + " " + message.substr(0, message.find("  [ ")));
    }
  }
  EXPECT_EQ(found.size(), result.lines.size());
  return found;
}
using Lines = std::vector<std::string>;
const Lines kDefault = {"INFO info 0", "WARNING warning 1", "ERROR error 2", "FATAL fatal 3"};
}  // namespace

TEST(Logging, Default) {
  EXPECT_EQ(messages(""), kDefault);
}

TEST(Logging, MinLogLevelAsNumberOrName) {
  for (const char *level : {"2", "ERROR", "error"}) {
    EXPECT_EQ(messages("MLUOP_MIN_LOG_LEVEL=" + std::string(level)),
              (Lines{"ERROR error 2", "FATAL fatal 3"}));
  }
  EXPECT_EQ(messages("MLUOP_MIN_LOG_LEVEL=INFO"), kDefault);
  EXPECT_EQ(messages("MLUOP_MIN_LOG_LEVEL="), kDefault);
}

TEST(Logging, VerboseDepthPassesEveryLevel) {
  EXPECT_EQ(messages("MLUOP_MIN_LOG_LEVEL=3 MLUOP_MIN_VLOG_LEVEL=5"),
            (Lines{"FATAL fatal 3", "VLOG verbose 3", "VLOG verbose 5"}));
  EXPECT_EQ(messages("MLUOP_MIN_VLOG_LEVEL=-1"), kDefault);
}

TEST(Logging, VerboseDepthOfOneFile) {
  EXPECT_EQ(messages("MLUOP_MIN_LOG_LEVEL=3 MLUOP_CPP_VMODULE=other=9,probe=3"),
            (Lines{"FATAL fatal 3", "VLOG verbose 3"}));
  EXPECT_EQ(messages("MLUOP_MIN_LOG_LEVEL=3 MLUOP_CPP_VMODULE=prob=9,probes=9,probe"),
            (Lines{"FATAL fatal 3"}));
  EXPECT_EQ(messages("MLUOP_MIN_LOG_LEVEL=3 MLUOP_CPP_VMODULE=probe=7 MLUOP_MIN_VLOG_LEVEL=1"),
            (Lines{"FATAL fatal 3", "VLOG verbose 3", "VLOG verbose 5", "VLOG verbose 7"}));
}

TEST(Logging, Silence) {
  for (const char *off : {"OFF", "0", "no", "False"}) {
    EXPECT_EQ(messages("MLUOP_MIN_VLOG_LEVEL=9 MLUOP_LOG_PRINT=" + std::string(off)), Lines{});
  }
  for (const char *on : {"1", "on", "Yes", "TRUE"}) {
    EXPECT_EQ(messages("MLUOP_LOG_PRINT=" + std::string(on)), kDefault);
  }
}

TEST(Logging, FileCopyHasNoHeader) {
  TemporaryFolder folder;
  EXPECT_EQ(runProbe(folder, "MLUOP_LOG_ONLY_SHOW=OFF", "log").lines.size(), 4u);
  ASSERT_EQ(folder.files(), Lines{"mlu_op_auto_log"});
  const Lines lines = splitLines(folder.read("mlu_op_auto_log"));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[0].rfind("info 0", 0), 0u) << lines[0];
  EXPECT_EQ(runProbe(folder, "MLUOP_LOG_ONLY_SHOW=OFF", "log").lines.size(), 4u);
  EXPECT_EQ(splitLines(folder.read("mlu_op_auto_log")).size(), 8u); /* appended */
}

TEST(Logging, UnreadableNumberGivesAWarningAndTheDefault) {
  const Lines lines = messages("MLUOP_MIN_VLOG_LEVEL=many");
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[0],
            "WARNING environment variable MLUOP_MIN_VLOG_LEVEL: wanted a number, got \"many\"; "
            "using 0.");
  EXPECT_EQ(messages("MLUOP_MIN_LOG_LEVEL=99999999999999").size(), 5u);
}

/* A typo must not silence errors. */
TEST(Logging, UnknownWordsGiveAWarningAndTheDefault) {
  const Lines switched = messages("MLUOP_LOG_PRINT=foo");
  ASSERT_EQ(switched.size(), 5u);
  EXPECT_EQ(switched[0],
            "WARNING environment variable MLUOP_LOG_PRINT: wanted ON or OFF, got \"foo\"; using "
            "ON.");
  for (const char *level : {"9", "4", "-1", "LOUD"}) {
    const Lines lines = messages("MLUOP_MIN_LOG_LEVEL=" + std::string(level));
    ASSERT_EQ(lines.size(), 5u) << level;
    EXPECT_EQ(lines[0],
              "WARNING environment variable MLUOP_MIN_LOG_LEVEL: wanted a level from 0 to 3 or its "
              "name, got \"" +
                  std::string(level) + "\"; using 0.");
  }
}

TEST(Logging, StandardErrorOnRequest) {
  EXPECT_TRUE(messages("MLUOP_LOG_STDERR=ON").empty());
}

TEST(Logging, LastErrorIsKeptEvenWhenNotPrinted) {
  testing::internal::CaptureStdout();
  LOG_ERROR("first %d", 1);
  LOG_WARNING("second");
  testing::internal::GetCapturedStdout();
  EXPECT_STREQ(mluop_last_error(), "first 1");
}

TEST(Logging, OneLinePerMessage) {
  testing::internal::CaptureStdout();
  LOG_ERROR("a\nb\r\nc %s", "d\n");
  const Lines lines = splitLines(testing::internal::GetCapturedStdout());
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(logMessage(lines[0], "ERROR").rfind("a b  c d ", 0), 0u) << lines[0];
}

TEST(Logging, LongMessagesAreComplete) {
  const std::string text(5000, 'x');
  testing::internal::CaptureStdout();
  LOG_ERROR("%s.", text.c_str());
  const Lines lines = splitLines(testing::internal::GetCapturedStdout());
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_NE(lines[0].find(text + "."), std::string::npos);
}

TEST(Logging, ThreadsDoNotMixTheirLines) {
  testing::internal::CaptureStdout();
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < 50; ++i) LOG_INFO("begin %s end", std::string(200, 'y').c_str());
    });
  }
  for (auto &thread : threads) thread.join();
  const Lines lines = splitLines(testing::internal::GetCapturedStdout());
  EXPECT_EQ(lines.size(), 200u);
  for (const auto &line : lines) {
    EXPECT_EQ(logMessage(line, "INFO").rfind("begin " + std::string(200, 'y') + " end", 0), 0u);
  }
}

TEST(Env, TableIsComplete) {
  for (int i = 0; i < MLUOP_ENV_COUNT; ++i) {
    const mluopEnvInfo *info = mluop_env_info((mluopEnv)i);
    EXPECT_EQ(std::string(info->name).rfind("MLUOP_", 0), 0u);
    EXPECT_STRNE(info->help, "");
  }
  EXPECT_EQ(mluop_env_int(MLUOP_ENV_MIN_VLOG_LEVEL), 0);
  EXPECT_STREQ(mluop_env_string(MLUOP_ENV_GEN_CASE_OP_NAME), "all");
}

TEST(Env, LargeTensorCheckByDimension) {
  TemporaryFolder folder;
  EXPECT_EQ(runProbe(folder, "", "large").status, MLUOP_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(runProbe(folder, "MLUOP_CHECK_DIM_SIZE=ON", "large").status, MLUOP_STATUS_SUCCESS);
}

TEST(Env, DependencyCheckCanBeSkipped) {
  TemporaryFolder folder;
  EXPECT_EQ(runProbe(folder, "MLUOP_CHECK_DEP_VERSION=0", "create").status, MLUOP_STATUS_SUCCESS);
  EXPECT_EQ(runProbe(folder, "", "create").status, MLUOP_STATUS_SUCCESS);
}

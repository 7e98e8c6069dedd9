// SPDX-License-Identifier: MIT
//
// Registers one Google Test per case; the C code runs them.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "perf/acceptance.h"
#include "perf/compare.h"
#include "run/case_list.h"
#include "run/output_file.h"
#include "run/program.h"
#include "run/report.h"
#include "run/tally.h"
#include "run/variants.h"

namespace {

constexpr int kExitWrongUse = 2;

mluopTestProgram g_program;

void Record(void *, const char *name, const char *value) {
  testing::Test::RecordProperty(name, value);
}

std::string FailureText(const mluopCaseResult &result) {
  std::unique_ptr<char, void (*)(void *)> command(
      mluop_report_repeat_command(&g_program.options, result.path), std::free);
  return std::string(mluop_text_get(&result.failure)) + "repeat with: " + command.get();
}

// One case.
class CaseTest : public testing::Test {
 public:
  explicit CaseTest(const mluopCaseEntry *entry) : entry_(entry) {}
  void TestBody() override {
    mluopCaseResult result;
    mluop_program_run_case(&g_program, entry_, &result);
    mluop_report_properties(&result, Record, nullptr);
    if (!mluop_result_passed(&result)) {
      ADD_FAILURE_AT(result.path, 0) << FailureText(result);
    }
    mluop_report_print_end(&result);
    mluop_result_free(&result);
  }

 private:
  const mluopCaseEntry *entry_;
};

// --thread: all cases of an operator.
class ThreadTest : public testing::Test {
 public:
  explicit ThreadTest(std::vector<const mluopCaseEntry *> entries) : entries_(std::move(entries)) {}
  void TestBody() override {
    std::vector<mluopCaseResult> results(entries_.size());
    mluopTestText errors = {};
    if (mluop_program_run_threads(&g_program, entries_.data(), entries_.size(), results.data(),
                                  &errors)) {
      ADD_FAILURE() << mluop_text_get(&errors);
    }
    mluop_text_free(&errors);
    for (mluopCaseResult &result : results) {
      if (result.path && !mluop_result_passed(&result)) {
        ADD_FAILURE_AT(result.path, 0) << FailureText(result);
      }
      mluop_result_free(&result);
    }
  }

 private:
  std::vector<const mluopCaseEntry *> entries_;
};

class RunEnvironment : public testing::Environment {
 public:
  void SetUp() override {
    mluop_report_environment(&g_program.options, Record, nullptr);
    mluop_report_print_environment(&g_program.options);
  }
};

// Google Test calls its listeners in order at a start and in reverse order at an end. The progress
// line must appear after the printer's output and disappear before it, so one listener is
// registered before the printer and one after.
class BeforePrinter : public testing::EmptyTestEventListener {
 public:
  void OnTestIterationStart(const testing::UnitTest &unit, int iteration) override {
    mluop_program_begin_iteration(&g_program, iteration,
                                  static_cast<size_t>(unit.test_to_run_count()));
  }
  void OnTestSuiteStart(const testing::TestSuite &) override { mluop_tally_hide_progress(); }
  void OnTestStart(const testing::TestInfo &) override { mluop_tally_hide_progress(); }
  void OnTestEnd(const testing::TestInfo &) override { mluop_tally_show_progress(); }
};

class AfterPrinter : public testing::EmptyTestEventListener {
 public:
  void OnTestEnd(const testing::TestInfo &) override { mluop_tally_hide_progress(); }
  void OnTestSuiteEnd(const testing::TestSuite &) override { mluop_tally_hide_progress(); }
  void OnTestIterationEnd(const testing::UnitTest &, int) override { mluop_tally_hide_progress(); }
};

std::string SuiteName(const mluopCaseEntry &entry) {
  return std::string(mluop_case_entry_op(&entry)) + "/TestSuite";
}

void RegisterCases(const mluopCaseList &list) {
  for (size_t i = 0; i < list.n; ++i) {
    const mluopCaseEntry *entry = &list.entries[i];
    const std::string test = "mluOp/" + std::to_string(entry->number);
    const char *value = mluop_program_value_param(&g_program, entry->path);
    testing::RegisterTest(SuiteName(*entry).c_str(), test.c_str(), nullptr, value, __FILE__,
                          __LINE__, [entry]() -> CaseTest * { return new CaseTest(entry); });
  }
}

std::string CommandLine(int argc, char **argv) {
  std::string command = "mluop_gtest";
  for (int i = 1; i < argc; ++i) {
    command += std::string(" ") + argv[i];
  }
  return command;
}

void RegisterThreads(const mluopCaseList &list) {
  std::map<std::string, std::vector<const mluopCaseEntry *>> suites;
  for (size_t i = 0; i < list.n; ++i) {
    suites[SuiteName(list.entries[i])].push_back(&list.entries[i]);
  }
  for (const auto &suite : suites) {
    const auto entries = suite.second;
    testing::RegisterTest(suite.first.c_str(), "mluOp", nullptr, nullptr, __FILE__, __LINE__,
                          [entries]() -> ThreadTest * { return new ThreadTest(entries); });
  }
}

// Runs the acceptance, or processes its reports.
int RunPerf(const std::string &command) {
  const mluopTestOptions &options = g_program.options;
  return options.perf_compare  ? mluop_perf_compare(options.perf_compare)
         : options.perf_render ? mluop_perf_render(&options)
                               : mluop_perf_acceptance(&options, &g_program.cases, command.c_str());
}

int RunTests() {
  if (g_program.options.thread > 1) {
    RegisterThreads(g_program.cases);
  } else {
    RegisterCases(g_program.cases);
  }
  // A filter may also select files, which Google Test does not know; it was applied before.
  GTEST_FLAG_SET(filter, "*");
  if (GTEST_FLAG_GET(list_tests)) {
    return RUN_ALL_TESTS();
  }
  if (!g_program.cases.n) {
    mluop_tally_print_summary();
    std::fprintf(stderr, "[ERROR] no case was run: %s\n",
                 g_program.cases.why_empty ? g_program.cases.why_empty : "out of memory");
    return kExitWrongUse;
  }
  testing::AddGlobalTestEnvironment(new RunEnvironment);
  testing::TestEventListeners &listeners = testing::UnitTest::GetInstance()->listeners();
  testing::TestEventListener *printer = listeners.Release(listeners.default_result_printer());
  listeners.Append(new BeforePrinter);
  listeners.Append(printer);
  listeners.Append(new AfterPrinter);
  if (mluop_program_set_report(&g_program, GTEST_FLAG_GET(output).c_str())) {
    return kExitWrongUse;
  }
  const int failed = RUN_ALL_TESTS();
  mluop_program_check_report(&g_program);
  mluop_tally_print_summary();
  const char *variants = g_program.options.variants;
  if (variants && mluop_variants_print_reached() && !std::strcmp(variants, "reached")) {
    std::fprintf(stderr, "[ERROR] a form of a kernel was reached by no case\n");
    return EXIT_FAILURE;
  }
  return g_program.cases.n_unreadable ? kExitWrongUse : failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char **argv) {
  const std::string command = CommandLine(argc, argv);
  switch (mluop_program_start(&g_program, &argc, argv)) {
    case MLUOP_PROGRAM_DONE:
      return EXIT_SUCCESS;
    case MLUOP_PROGRAM_WRONG_USE:
      return kExitWrongUse;
    case MLUOP_PROGRAM_RUN:
      break;
  }
  testing::InitGoogleTest(&argc, argv);
  int code = kExitWrongUse;
  if (mluop_case_list_select(&g_program.options, GTEST_FLAG_GET(filter).c_str(),
                             &g_program.cases)) {
    std::fprintf(stderr, "[ERROR] out of memory\n");
  } else if (g_program.options.perf_compare || g_program.options.perf_render ||
             g_program.options.perf_acceptance) {
    code = RunPerf(command);
  } else {
    code = RunTests();
  }
  mluop_program_end(&g_program);
  mluop_output_check_stdout();
  return code == EXIT_SUCCESS && mluop_output_failed() ? EXIT_FAILURE : code;
}

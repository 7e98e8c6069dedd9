// SPDX-License-Identifier: MIT
//
// Registers one Google Test per case file and lets the C code run them.
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "perf/acceptance.h"
#include "perf/compare.h"
#include "run/case_list.h"
#include "run/filter.h"
#include "run/program.h"
#include "run/report.h"
#include "run/tally.h"

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

// Google Test tells its listeners of a start in order and of an end in reverse. The progress line
// must be shown after the printer spoke and be gone before it speaks, so one listener stands before
// it and one behind.
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

class BehindPrinter : public testing::EmptyTestEventListener {
 public:
  void OnTestEnd(const testing::TestInfo &) override { mluop_tally_hide_progress(); }
  void OnTestSuiteEnd(const testing::TestSuite &) override { mluop_tally_hide_progress(); }
  void OnTestIterationEnd(const testing::UnitTest &, int) override { mluop_tally_hide_progress(); }
};

std::string SuiteName(const mluopCaseEntry &entry) {
  return std::string(mluop_case_entry_op(&entry)) + "/TestSuite";
}

// The tests' names carry a number; a filter may also hit the file. Google Test only knows the
// names, so a filter that means files is replaced by the list of names it selects.
std::string ExpandFilter(const std::string &filter, const std::vector<std::string> &names,
                         const mluopCaseList &list) {
  std::string chosen;
  bool by_file = false;
  for (size_t i = 0; i < list.n; ++i) {
    const bool by_name = mluop_filter_matches(filter.c_str(), names[i].c_str(), names[i].c_str());
    const bool by_any = mluop_filter_matches(filter.c_str(), names[i].c_str(),
                                             mluop_case_entry_file(&list.entries[i]));
    by_file |= by_name != by_any;
    if (by_any) {
      chosen += (chosen.empty() ? "" : ":") + names[i];
    }
  }
  if (!by_file) {
    return filter;
  }
  return chosen.empty() ? "-*" : chosen;
}

void RegisterCases(const mluopCaseList &list) {
  std::vector<std::string> names;
  std::map<std::string, int> numbers;
  for (size_t i = 0; i < list.n; ++i) {
    const std::string suite = SuiteName(list.entries[i]);
    const std::string test = "mluOp/" + std::to_string(numbers[suite]++);
    names.push_back(suite + "." + test);
    const char *value = mluop_program_value_param(&g_program, list.entries[i].path);
    const mluopCaseEntry *entry = &list.entries[i];
    testing::RegisterTest(suite.c_str(), test.c_str(), nullptr, value, __FILE__, __LINE__,
                          [entry]() -> CaseTest * { return new CaseTest(entry); });
  }
  GTEST_FLAG_SET(filter, ExpandFilter(GTEST_FLAG_GET(filter), names, list));
}

std::string CommandLine(int argc, char **argv) {
  std::string command = "mluop_gtest";
  for (int i = 1; i < argc; ++i) {
    command += std::string(" ") + argv[i];
  }
  return command;
}

void RegisterThreads(const mluopCaseList &list) {
  const std::string filter = GTEST_FLAG_GET(filter);
  std::map<std::string, std::vector<const mluopCaseEntry *>> suites;
  for (size_t i = 0; i < list.n; ++i) {
    const std::string suite = SuiteName(list.entries[i]);
    if (mluop_filter_matches(filter.c_str(), (suite + ".mluOp").c_str(),
                             mluop_case_entry_file(&list.entries[i]))) {
      suites[suite].push_back(&list.entries[i]);
    }
  }
  for (const auto &suite : suites) {
    const auto entries = suite.second;
    testing::RegisterTest(suite.first.c_str(), "mluOp", nullptr, nullptr, __FILE__, __LINE__,
                          [entries]() -> ThreadTest * { return new ThreadTest(entries); });
  }
  GTEST_FLAG_SET(filter, "*");
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
  if (g_program.options.perf_compare || g_program.options.perf_render ||
      g_program.options.perf_acceptance) {
    const int code = g_program.options.perf_compare
                         ? mluop_perf_compare(g_program.options.perf_compare)
                     : g_program.options.perf_render
                         ? mluop_perf_render(&g_program.options)
                         : mluop_perf_acceptance(&g_program.options, &g_program.cases,
                                                 GTEST_FLAG_GET(filter).c_str(), command.c_str());
    mluop_program_end(&g_program);
    return code;
  }
  if (g_program.options.thread > 1) {
    RegisterThreads(g_program.cases);
  } else {
    RegisterCases(g_program.cases);
  }
  if (GTEST_FLAG_GET(list_tests)) {
    const int listed = RUN_ALL_TESTS();
    mluop_program_end(&g_program);
    return listed;
  }
  testing::AddGlobalTestEnvironment(new RunEnvironment);
  testing::TestEventListeners &listeners = testing::UnitTest::GetInstance()->listeners();
  testing::TestEventListener *printer = listeners.Release(listeners.default_result_printer());
  listeners.Append(new BeforePrinter);
  listeners.Append(printer);
  listeners.Append(new BehindPrinter);
  mluop_program_set_report(&g_program, GTEST_FLAG_GET(output).c_str());
  const int failed = RUN_ALL_TESTS();
  mluop_tally_print_summary();
  const bool unreadable = g_program.cases.n_unreadable > 0;
  mluop_program_end(&g_program);
  return unreadable ? kExitWrongUse : failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

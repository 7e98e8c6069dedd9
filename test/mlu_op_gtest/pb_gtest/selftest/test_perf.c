/* SPDX-License-Identifier: MIT
 *
 * --perf_acceptance and --trace as a user sees them. Argument: the programs' folder. */
#include "selftest/program_shell.h"

#define OP "moe_dispatch_forward"
#define CASES "cases/" OP "/test_case/perf"

/* samples x 1024 floats, every sample in its own slot. */
static void write_case(const char *name, int samples, const char *extra) {
  mluopTestText body = {0};
  mluop_text_add(&body,
                 "op_name: \"" OP
                 "\"\n"
                 "input { id: \"gates\" shape { dims: %d } layout: LAYOUT_ARRAY dtype: DTYPE_FLOAT "
                 "random_data { lower_bound: 0 upper_bound: 1 distribution: UNIFORM } }\n"
                 "input { id: \"indices\" shape { dims: %d } layout: LAYOUT_ARRAY dtype: "
                 "DTYPE_INT32 random_data { lower_bound: 0 upper_bound: 0 distribution: "
                 "DISCRETE_UNIFORM } }\n"
                 "input { id: \"locations\" shape { dims: %d } layout: LAYOUT_ARRAY dtype: "
                 "DTYPE_INT32 random_data { seed: 3 lower_bound: 0 upper_bound: %d distribution: "
                 "SAMPLE } }\n",
                 samples, samples, samples, samples);
  for (int i = 0; i < 3; ++i) {
    static const char *const tensors[] = {"input { id: \"input\"", "input { id: \"dispatch\"",
                                          "output { id: \"output\""};
    mluop_text_add(&body,
                   "%s shape { dims: %d dims: 1024 } layout: LAYOUT_ARRAY dtype: DTYPE_FLOAT",
                   tensors[i], samples);
    mluop_text_add(
        &body, "%s }\n",
        i < 2 ? " random_data { lower_bound: -1 upper_bound: 1 distribution: UNIFORM }" : "");
  }
  mluop_text_add(&body, OP "_param { samples: %d capacity: %d hidden: 1024 num_experts: 1 }\n%s\n",
                 samples, samples, extra);
  write_file(name, mluop_text_get(&body));
  mluop_text_free(&body);
}

/* A wrong folder or file is reported before anything is measured. */
static void test_wrong_use(void) {
  EXPECT("$GTEST --cases_dir=cases --perf_acceptance=new/folder/ --perf_band=100", 2,
         "--perf_band=100");
  EXPECT("test -d new/folder", 0, NULL);
  EXPECT("touch file; $GTEST --cases_dir=cases --perf_acceptance=file/folder", 2,
         "'file/folder' cannot be made: Not a directory");
  EXPECT("$GTEST --cases_dir=cases --perf_acceptance=file", 2, "'file' is not a folder");
  EXPECT("$GTEST --cases_dir=cases --perf_acceptance=/proc", 2, "'/proc' cannot be written");
  write_file("corrupt.json", "{\"context\": {\"date\": ");
  write_file("empty.json", "{}");
  EXPECT("$GTEST --cases_dir=cases --perf_acceptance=out --perf_baseline=corrupt.json", 2,
         "corrupt.json: ");
  EXPECT("$GTEST --cases_dir=cases --perf_acceptance=out --perf_baseline=empty.json", 2,
         "empty.json: holds no benchmarks");
  EXPECT("$GTEST --cases_dir=cases --perf_acceptance=out --perf_baseline=none.json", 2,
         "none.json: No such file");
  EXPECT("$GTEST --cases_dir=cases --perf_acceptance=out --rivals=corrupt.json", 2,
         "corrupt.json: ");
  EXPECT("$GTEST --cases_dir=cases --perf_acceptance=out --gtest_filter=*nothing*", 2,
         "no case is chosen");
  EXPECT("$GTEST --cases_dir=cases --perf_acceptance=out --perf_band=100", 2, "--perf_band=100");
  EXPECT("$GTEST --perf_render=corrupt.json", 2, "corrupt.json: ");
  /* a baseline from a machine that was too busy */
  write_file("busy.json",
             "{\"context\": {\"date\": \"today\"}, \"benchmarks\": [{\"run_name\": \"" OP
             "/perf/small\", \"contender\": \"ours\", \"real_time\": 1, \"efficiency\": 0.5, "
             "\"waited\": 0.4}]}\n");
  EXPECT("$GTEST --cases_dir=cases --perf_acceptance=out --perf_baseline=busy.json", 2,
         "busy.json: 1 of 1 cases were measured on a machine too busy for a baseline");
  EXPECT("$GTEST --perf_compare=busy.json", 2, "two files or more are wanted");
  EXPECT("$GTEST --perf_compare=busy.json,corrupt.json", 2, "corrupt.json: ");
  EXPECT("ls out", 0, NULL);
  EXPECT("test -z \"$(ls -A out)\"", 0, NULL);
}

/* A waiver with a floor near zero makes the verdict of the small case certain. */
static void test_report(void) {
  EXPECT("$GTEST --cases_dir=cases --gtest_filter=*small* --perf_acceptance=out", 0,
         "1 of 1 cases");
  EXPECT("ls out", 0, "history.jsonl\nperformance.md\nreport.csv\nreport.html\nreport.json");
  EXPECT("cat out/report.json", 0, "\"name\": \"" OP "/perf/small/ours\"");
  EXPECT("cat out/report.json", 0, "\"num_cpus\"");
  EXPECT("cat out/report.csv", 0, "operator,set,case,");
  EXPECT("cat out/report.csv", 0, OP ",perf,small,float,");
  EXPECT("cat out/performance.md", 0, "mluop_gtest --cases_dir=cases");
  /* with more than one CPU there is one of scaling, too */
  EXPECT("test $(grep -c '<svg' out/report.html) = $((3 + ($(nproc) > 1)))", 0, NULL);
  EXPECT("test $(grep -c '## Cores' out/performance.md) = $(($(nproc) > 1))", 0, NULL);
  /* the page loads nothing and runs no scripts */
  EXPECT("grep -ciE 'https?:|<script|src=|@import|url\\(' out/report.html", 1, "0");
  EXPECT("tail -1 out/report.html", 0, "</html>");
  /* the pages are regenerated from the numbers, with rivals added by operator, set and case */
  write_file("rivals.json",
             "{\"context\": {\"executable\": \"another\", \"cpu_model\": \"one\"},\n"
             " \"benchmarks\": [{\"run_name\": \"" OP
             "/perf/small\", \"contender\": \"another\",\n"
             "   \"real_time\": 1.5, \"time_unit\": \"ms\"},\n"
             "  {\"run_name\": \"" OP
             "/perf/unknown\", \"contender\": \"another\", \"real_time\": 1}]}\n");
  EXPECT(
      "cp out/report.json before.json && $GTEST --perf_render=out/report.json "
      "--rivals=rivals.json",
      0, "1 rival times added");
  EXPECT("cat out/report.json", 0, "\"contender\": \"another\"");
  EXPECT("grep -c 'another' out/report.html", 0, NULL);
  EXPECT("cat out/report.csv", 0, "another 1500.000 us");
  /* a second run gives the same verdicts, within the band of the first */
  EXPECT(
      "mkdir -p again && sed -e 's/\"waited\": [^,]*/\"waited\": 0/' "
      "-e 's/\"\\(p10\\|p90\\|efficiency_low\\|efficiency_high\\)\": .*/\"\\1\": 1,/' "
      "before.json > quiet.json && $GTEST --cases_dir=cases --gtest_filter=*small* "
      "--perf_acceptance=again --perf_baseline=quiet.json --perf_band=90",
      0, "0 fail");
  EXPECT("$GTEST --perf_compare=before.json,again/report.json", 0, "0 contradict");
  EXPECT(
      "sed 's/\"verdict\": \"[a-z]*\"/\"verdict\": \"fail\"/' before.json > failed.json && "
      "$GTEST --perf_compare=before.json,failed.json",
      1, "1 contradict");
  /* and a run in the same folder shows the history */
  EXPECT("grep -c History out/report.html", 1, "0");
  EXPECT("$GTEST --cases_dir=cases --gtest_filter=*small* --perf_acceptance=out --perf_budget=1", 0,
         "history.jsonl");
  EXPECT("grep -c . out/history.jsonl", 0, "2");
  EXPECT("cat out/report.html", 0, "<h2>History</h2>");
}

/* Runs a command up to six times until it does not print `unwanted`; false if it always does. */
static bool run_until(const char *command, const char *unwanted, Outcome *outcome) {
  bool good = false;
  for (int i = 0; i < 6 && !good; ++i) {
    Outcome one = shell("%s", command);
    good = !strstr(mluop_text_get(&one.text), unwanted);
    if (outcome && good) {
      *outcome = one;
    } else {
      mluop_text_free(&one.text);
    }
  }
  return good;
}

/* On a busy machine it may take several tries to store a baseline or to decide a failure; false if
 * that did not succeed. */
static bool measure_slowdown(Outcome *slow) {
  return run_until(
             "mkdir -p base slow && $GTEST --cases_dir=cases --gtest_filter=*large* "
             "--perf_acceptance=base",
             "cases were disturbed", NULL) &&
         run_until(
             "MLUOP_DEVICE_FACTS=tile_bytes=256 $GTEST --cases_dir=cases --gtest_filter=*large* "
             "--perf_acceptance=slow --perf_baseline=base/report.json --perf_band=15",
             "undecided,", slow);
}

/* With tiles of 256 bytes no machine can keep the stored efficiencies; the report says which case
 * failed and by how much. */
static void test_slowdown(void) {
  Outcome libraries = shell("ldd \"$(command -v $GTEST)\" | grep -c -e libasan -e libtsan");
  const bool sanitized = mluop_text_get(&libraries.text)[0] != '0';
  mluop_text_free(&libraries.text);
  if (sanitized) {
    printf("slowdown: left out, times under a sanitizer say nothing\n");
    return;
  }
  /* Other load on the machine may affect the baseline and not the slow run. */
  Outcome slow = {.code = 0};
  bool decided = true;
  for (int i = 0; i < 3 && decided && slow.code != 1; ++i) {
    mluop_text_free(&slow.text);
    decided = measure_slowdown(&slow);
  }
  if (!decided) {
    printf("slowdown: left out, the machine is too busy for a verdict\n");
    return;
  }
  expect(slow, 1, "times slower", "slowdown");
  EXPECT("cat slow/report.html", 0, "below the standard");
  EXPECT("grep -o 'large: .* the baseline has .* times slower' slow/report.html", 0, "large: ");
  EXPECT("cat slow/performance.md", 0, "times slower");
}

/* The first case's report shows that the run has started. */
static void test_interruption(void) {
  EXPECT(
      "mkdir -p cut && { $GTEST --cases_dir=cases --perf_acceptance=cut > cut.log & } ; P=$! ; "
      "until test -s cut/report.json || ! kill -0 $P 2>/dev/null ; do sleep 0.05 ; done ; "
      "kill -INT $P ; wait $P",
      130, NULL);
  EXPECT("cat cut.log", 0, "incomplete: interrupted");
  EXPECT("cat cut/report.html", 0, "Incomplete: interrupted");
  EXPECT("$GTEST --perf_render=cut/report.json", 0, "report.html");
}

static void test_trace(void) {
  EXPECT("$GTEST --cases_dir=cases --case_set=perf --gtest_filter=*small* --trace=trace.json", 0,
         "Trace");
  static const char *const spans[] = {"\"load\"",   "\"store\"",  "\"compute\"",         "\"wait\"",
                                      "\"bytes\":", "\"task 0\"", "\"dropped_events\":0"};
  Outcome trace = shell("cat trace.json");
  for (size_t i = 0; i < sizeof(spans) / sizeof(spans[0]); ++i) {
    CHECK_CONTAINS(mluop_text_get(&trace.text), spans[i]);
  }
  mluop_text_free(&trace.text);
  /* every byte of the rows is loaded and stored once */
  EXPECT(
      "grep -o '\"store\".*\"bytes\":[0-9]*' trace.json | sed 's/.*://' | "
      "awk '{ n += $1 } END { print n }'",
      0, "4194304");
  EXPECT(
      "MLUOP_CPU_TRACE=one.json $GTEST --cases_dir=cases --case_set=perf --gtest_filter=*small* "
      "--mlu_only && cat one.json",
      0, "\"traceEvents\"");
  /* other threads' launches may start and end during the recorded one */
  EXPECT("$GTEST --cases_dir=cases --case_set=perf --thread=3 --trace=threads.json", 0,
         "ALL PASSED");
  EXPECT("tail -c 300 threads.json", 0, "\"dropped_events\":0");
  EXPECT("$GTEST --cases_dir=cases --case_set=perf --gtest_filter=*small* --trace=no/such.json", 1,
         "no/such.json cannot be written");
}

int main(int argc, char **argv) {
  open_folder(argc, argv);
  expect(shell("mkdir -p " CASES), 0, NULL, "folders");
  make_folder("out");
  write_case(CASES "/large.prototxt", 8192,
             "performance_waiver: \"for the test\" performance_floor: 1e-9");
  write_case(CASES "/small.prototxt", 1024,
             "performance_waiver: \"for the test\" performance_floor: 1e-9 performance_shape: "
             "PERFORMANCE_GENERAL");
  write_case(CASES "/third.prototxt", 4096,
             "performance_waiver: \"for the test\" performance_floor: 1e-9");
  test_wrong_use();
  test_report();
  test_slowdown();
  test_interruption();
  test_trace();
  remove_folder();
  return check_result("perf");
}

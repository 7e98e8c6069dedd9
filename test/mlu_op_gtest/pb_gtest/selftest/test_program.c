/* SPDX-License-Identifier: MIT
 *
 * mluop_gtest as a user sees it: exit codes, messages, reports, finding cases. Argument: the
 * programs' folder. */
#include "selftest/program_shell.h"

#define OP "moe_dispatch_forward"

/* A small correct case with fields to break. */
typedef struct CaseText {
  const char *op_name, *gates, *indices, *extra;
  int n_inputs;
} CaseText;

static const CaseText good_case = {"op_name: \"" OP "\"", "value_f: [1, 2]",
                                   "dtype: DTYPE_INT32 value_i: [0, 1]", "", 5};

static void write_case(const char *name, CaseText text) {
  mluopTestText body = {0};
  mluop_text_add(&body, "%s\n", text.op_name);
  mluop_text_add(
      &body,
      "input { id: \"gates\" shape { dims: 2 } layout: LAYOUT_ARRAY dtype: DTYPE_FLOAT %s }\n",
      text.gates);
  mluop_text_add(&body, "input { id: \"indices\" shape { dims: 2 } layout: LAYOUT_ARRAY %s }\n",
                 text.indices);
  mluop_text_add(
      &body,
      "input { id: \"locations\" shape { dims: 2 } layout: LAYOUT_ARRAY dtype: DTYPE_INT32 "
      "value_i: [0, 0] }\n");
  static const char *const rows[] = {"input", "dispatch"};
  for (int i = 0; i < text.n_inputs - 3; ++i) {
    mluop_text_add(&body,
                   "input { id: \"%s\" shape { dims: 2 dims: 3 } layout: LAYOUT_ARRAY dtype: "
                   "DTYPE_FLOAT random_data { lower_bound: 0 upper_bound: 1 } }\n",
                   rows[i]);
  }
  mluop_text_add(&body,
                 "output { id: \"output\" shape { dims: 2 dims: 3 } layout: LAYOUT_ARRAY dtype: "
                 "DTYPE_FLOAT }\n" OP
                 "_param { samples: 2 capacity: 1 hidden: 3 num_experts: 2 }\n%s\n",
                 text.extra);
  write_file(name, mluop_text_get(&body));
  mluop_text_free(&body);
}

static void test_command_line(void) {
  EXPECT("$GTEST --no_such_flag", 2, "--no_such_flag");
  EXPECT("$GTEST word", 2, "word");
  EXPECT("$GTEST --gtest_no_such_flag=1", 2, "--gtest_no_such_flag");
  EXPECT("$GTEST --perf_repeat=-1", 2, "--perf_repeat");
  EXPECT("$GTEST --thread=0", 2, "--thread=0: a number of at least 1 is wanted");
  EXPECT("$GTEST --rand_n=many", 2, "--rand_n");
  EXPECT("$GTEST --unaligned_mlu_address_random --unaligned_mlu_address_set=4", 2, "exclude");
  EXPECT("$GTEST --perf_baseline=report.json", 2, "--perf_baseline goes with --perf_acceptance");
  EXPECT("$GTEST --perf_budget=3", 2, "--perf_budget goes with --perf_acceptance");
  EXPECT("$GTEST --rivals=rivals.json", 2, "--rivals goes with --perf_acceptance or --perf_render");
  EXPECT("$GTEST --case_path=no/such/file", 2, "no/such/file");
  EXPECT("$GTEST --cases_dir=no/such/folder", 2, "no/such/folder");
  EXPECT("$GTEST --cases_list=no/such/list", 2, "no/such/list");
  EXPECT("MLUOP_GTEST_PERF_BASELINE=ON $GTEST --cases_dir=cases", 2, "MLUOP_BASELINE_XML_FILE");
  EXPECT("MLUOP_GTEST_DUMP_DATA=yes $GTEST", 2,
         "MLUOP_GTEST_DUMP_DATA=yes: ON, 1, OFF or 0 is wanted");
  EXPECT("MLUOP_GTEST_SET_GDRAM=ZERO $GTEST", 2, "MLUOP_GTEST_SET_GDRAM=ZERO");
  EXPECT("MLUOP_GTEST_FILL_RAM=ZERO $GTEST", 2, "NAN_FLOAT");
  EXPECT("$GTEST --help", 0, "--unaligned_mlu_address_random");
  EXPECT("$GTEST --help", 0, "MLUOP_GTEST_BUILD_ZERO_ELEMENT");
  EXPECT("$GTEST -h", 2, "Usage");
}

/* 64-bit fields that are an int for the operator are not truncated: 4294967298 is not 2. */
static void test_wide_parameters(void) {
  static const char *const operators[] = {"gather_in_ub", "gather_in_ub_batched",
                                          "paged_cache_write", "sparse_attention_scores"};
  for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); ++i) {
    expect(shell("$GTEST --case_set=smoke --gtest_filter='%s/*' --gtest_list_tests | "
                 "sed -n 's/.*GetParam() = //p' | head -1 > path && "
                 "sed 's/block_size: [0-9]*/block_size: 4294967298/' \"$(cat path)\" > "
                 "wide.prototxt && $GTEST --case_path=wide.prototxt",
                 operators[i]),
           1, "block_size 4294967298 does not fit", operators[i]);
  }
}

/* One mistake, one message: if a call that should be refused is accepted, its writes are not
 * reported as well. */
static void test_accepted_case(void) {
  CaseText text = good_case;
  text.extra = "valid: \"False\"";
  write_case("accepted.prototxt", text);
  EXPECT("$GTEST --case_path=accepted.prototxt > accepted.txt; cat accepted.txt", 0,
         "the operator accepted a case it must refuse");
  EXPECT("grep -c 'although the call was refused' accepted.txt", 1, "0");
}

/* The revision of a function: the case's, or the operator's newest. */
static void test_revisions(void) {
  CaseText text = good_case;
  text.extra = "api_name: \"mluOpMoeDispatchForward_v2\"";
  write_case("revision.prototxt", text);
  EXPECT("$GTEST --case_path=revision.prototxt", 1,
         "api_name: \"mluOpMoeDispatchForward_v2\": the newest revision of " OP " is 1");
  text.extra = "api_name: \"mluOpMoeDispatchForward_v1\"";
  write_case("revision.prototxt", text);
  EXPECT("$GTEST --case_path=revision.prototxt", 0, "Total 1 cases");
  EXPECT("$GTEST --case_path=revision.prototxt --compatible_test", 0, "Total 1 cases");
  /* the second revision takes what the first has no argument for, or NULL */
  static const char sample[] =
      "op_name: \"top_k_top_p_sample\"\n"
      "input { id: \"logits\" shape { dims: [1, 4] } layout: LAYOUT_ARRAY dtype: DTYPE_FLOAT "
      "value_f: [1, 4, 3, 2] }\n"
      "input { id: \"top_k\" shape { dims: 1 } layout: LAYOUT_ARRAY dtype: DTYPE_INT32 value_i: 2 "
      "}\n"
      "input { id: \"top_p\" shape { dims: 1 } layout: LAYOUT_ARRAY dtype: DTYPE_FLOAT value_f: 1 "
      "}\n"
      "input { id: \"NULL_q\" shape { dims: 0 } layout: LAYOUT_ARRAY dtype: DTYPE_FLOAT }\n"
      "output { id: \"index\" shape { dims: 1 } layout: LAYOUT_ARRAY dtype: DTYPE_INT64 }\n"
      "top_k_top_p_sample_param { eps: 1e-8 is_need_logits: false }\n";
  write_file("sample.prototxt", sample);
  EXPECT("$GTEST --case_path=sample.prototxt", 0, "Total 1 cases");
  EXPECT("MLUOP_GTEST_COMPATIBLE_TEST=ON $GTEST --case_path=sample.prototxt", 0, "Total 1 cases");
  EXPECT(
      "echo 'api_name: \"mluOpTopKTopPSample_v2\"' >> sample.prototxt; "
      "$GTEST --case_path=sample.prototxt",
      0, "Total 1 cases");
}

/* Flags for hardware are accepted, so that scripts run here too, but with a message. */
static void test_flags_without_effect(void) {
  static const char *const flags[][2] = {{"--exclusive", "--exclusive"},
                                         {"--enable_cnpapi", "--enable_cnpapi"},
                                         {"--monitor_mlu_hardware", "--monitor_mlu_hardware"},
                                         {"--half2float_algo=2", "--half2float_algo"}};
  for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); ++i) {
    char *warning = mluop_text_format("[WARNING] %s does nothing here", flags[i][1]);
    expect(shell("$GTEST --cases_dir=cases --gtest_filter=*a_good* %s", flags[i][0]), 0, warning,
           flags[i][0]);
    free(warning);
  }
  EXPECT("MLUOP_GTEST_EXCLUSIVE=ON $GTEST --help", 0, "MLUOP_GTEST_EXCLUSIVE does nothing here");
  EXPECT("MLUOP_GTEST_EXCLUSIVE=OFF $GTEST --help 2>&1 | grep -c 'does nothing here'", 1, "0");
}

/* Every broken file fails on its own, and the good one still runs. */
static void test_broken_cases(void) {
  CaseText text = good_case;
  write_case("cases/" OP "/a_good.prototxt", text);
  text.op_name = "op_name \"" OP "\" {";
  write_case("cases/" OP "/b_syntax.prototxt", text);
  text = good_case;
  text.indices = "dtype: DTYPE_INT33 value_i: [0, 1]";
  write_case("cases/" OP "/c_dtype.prototxt", text);
  text.indices = "dtype: DTYPE_INT4X2";
  write_case("cases/" OP "/d_untestable_dtype.prototxt", text);
  text = good_case;
  text.n_inputs = 3;
  write_case("cases/" OP "/e_missing_tensor.prototxt", text);
  text = good_case;
  text.gates = "path: \"short.bin\"";
  write_file("cases/" OP "/short.bin", "1234567");
  write_case("cases/" OP "/f_short_file.prototxt", text);
  text.gates = "path: \"not_there.bin\"";
  write_case("cases/" OP "/g_no_file.prototxt", text);
  text = good_case;
  text.op_name = "op_name: \"no_such_operator\"";
  write_case("cases/" OP "/h_unknown_op.prototxt", text);
  text = good_case;
  text.gates = "value_f: [1, 2, 3]";
  write_case("cases/" OP "/i_count.prototxt", text);
  text = good_case;
  text.extra = "another_operator_param { x: 1 }";
  write_case("cases/" OP "/j_unknown_field_is_fine.prototxt", text);
  write_case("cases/" OP "/invalid_is_skipped.prototxt", (CaseText){"{", "", "", "", 5});
  const struct {
    const char *message;
  } wanted[] = {
      {"b_syntax.prototxt:1:"},
      {"c_dtype.prototxt:3:"},
      {"input[1] 'indices': dtype DTYPE_INT4X2 cannot be tested"},
      {"wants 5 inputs and 1 outputs, the case has 3 and 1"},
      {"short.bin: has 7 bytes, the tensor needs 8"},
      {"not_there.bin: No such file"},
      {"op_name: \"no_such_operator\" is not an operator"},
      {"input[0] 'gates': value_f has 3 values, the shape needs 2"},
      {"no field named \"another_operator_param\""},
      {"[ SUMMARY  ] Total 10 cases of"},
      {"8 CASES FAILED:"},
      {"[^      OK ] "},
      {"repeat with: "},
  };
  Outcome outcome = shell("$GTEST --cases_dir=cases");
  CHECK(outcome.code == 1);
  for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); ++i) {
    CHECK_CONTAINS(mluop_text_get(&outcome.text), wanted[i].message);
  }
  mluop_text_free(&outcome.text);
  /* the printed command reproduces the failure */
  EXPECT(
      "eval \"$($GTEST --cases_dir=cases --gtest_filter=*f_short* | sed -n 's/^repeat with: "
      "//p')\"",
      1, "short.bin: has 7 bytes");
}

static void test_choosing(void) {
  EXPECT("$GTEST --cases_dir=cases --gtest_filter=*a_good*", 0, "Total 1 cases");
  EXPECT("$GTEST --cases_dir=cases --gtest_filter=" OP "/TestSuite.mluOp/0", 0, "Total 1 cases");
  EXPECT("$GTEST --cases_dir=cases --gtest_list_tests", 0, "a_good.prototxt");
  EXPECT("$GTEST --case_path=cases/" OP "/a_good.prototxt", 0, "ALL PASSED");
  EXPECT("printf 'cases/" OP
         "/a_good.prototxt\\r\\nno_such_case\\n' > list; $GTEST --cases_list=list",
         2, "1 CASES FAILED");
  EXPECT("printf ' \\n\\t cases/" OP
         "/a_good.prototxt \\t\\r\\n\\n' > list; $GTEST --cases_list=list",
         0, "Total 1 cases");
  EXPECT("cp cases/" OP "/a_good.prototxt anywhere.prototxt; $GTEST --case_path=anywhere.prototxt",
         0, "ALL PASSED");
  EXPECT("mkdir -p deep/er; cp -r cases/" OP
         " deep/er; $GTEST --cases_dir=deep --gtest_filter=*a_good*",
         2, "deep is called like an operator of this build; --cases_dir wants the folder above");
  EXPECT("MLUOP_GTEST_CASE_RECURSIVE_SEARCH=1 $GTEST --cases_dir=deep --gtest_filter=*a_good*", 0,
         "Total 1 cases");
  EXPECT("$GTEST --cases_dir=cases --rand_n=3 --seed=5 --gtest_list_tests | grep -c GetParam", 0,
         "3");
  EXPECT("GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=0 $GTEST --cases_dir=cases", 1, "Total 5 cases");
}

/* Numbers refer to all cases found, whatever is selected; --rand_n picks among the selected ones.
 */
static void test_choosing_some(void) {
  EXPECT("$GTEST --cases_dir=cases --thread=2 --gtest_filter=" OP "/TestSuite.mluOp/0", 0,
         "Total 1 cases");
  EXPECT("$GTEST --cases_dir=cases --thread=2 --gtest_filter=" OP "/TestSuite.mluOp", 1,
         "Total 10 cases");
  EXPECT("$GTEST --cases_dir=cases --gtest_filter=*j_unknown* --gtest_list_tests", 0, "mluOp/9");
  for (int seed = 1; seed <= 5; ++seed) {
    expect(shell("$GTEST --cases_dir=cases --rand_n=1 --seed=%d --gtest_filter=*a_good*", seed), 0,
           "Total 1 cases", "--rand_n with a filter");
  }
}

/* A run without cases is an error, because a name was probably misspelt. */
static void test_nothing_to_run(void) {
  EXPECT("$GTEST --cases_dir=cases --case_set=smoke,smok", 2, "there is no set 'smok'");
  EXPECT("$GTEST --cases_dir=cases --case_set=all,smoke --gtest_filter=*a_good*", 0,
         "Total 1 cases");
  EXPECT("$GTEST --cases_dir=cases/" OP, 2, "is called like an operator");
  EXPECT("mkdir -p none/" OP "/test_case/perf && cp cases/" OP "/a_good.prototxt none/" OP
         "/test_case/perf; $GTEST --cases_dir=none",
         2, "no case of the sets smoke,ci,edge");
  EXPECT("MLUOP_BLACK_LIST_OP=" OP " $GTEST --cases_dir=cases", 2, "MLUOP_BLACK_LIST_OP");
  EXPECT("$GTEST --cases_dir=cases --gtest_filter=*typo*", 2,
         "no case was run: --gtest_filter=*typo* matches none of 10 cases");
  EXPECT("$GTEST --cases_dir=cases --gtest_filter=*typo*", 2, "NO CASE WAS RUN.");
  EXPECT("$GTEST --cases_dir=cases --thread=2 --gtest_filter=*typo*", 2, "matches none");
  EXPECT("$GTEST --cases_dir=cases --rand_n=0", 2, "no case was run: --rand_n=0");
  EXPECT("echo > empty_list; $GTEST --cases_list=empty_list", 2,
         "no case was run: --cases_list=empty_list names no case");
  /* more processes than cases: this one has none */
  EXPECT(
      "GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=1 $GTEST --cases_dir=cases --gtest_filter=*a_good*",
      0, "NO CASE WAS RUN.");
}

static void test_modes(void) {
  EXPECT("$GTEST --cases_dir=cases --gtest_filter=*a_good*:*j_unknown* --thread=3", 0,
         "[ TEARDOWN ]");
  EXPECT("$GTEST --cases_dir=cases --thread=3", 1, "8 CASES FAILED");
  EXPECT("$GTEST --cases_dir=cases --gtest_filter=*a_good* --variants", 0, "[ VARIANTS ]");
  EXPECT("$GTEST --cases_dir=cases --gtest_filter=*a_good* --variants=some", 2,
         "--variants=some: run or reached is wanted");
  EXPECT("$GTEST --cases_dir=cases --gtest_filter=*a_good* --perf_repeat=4", 0,
         "Average MLU Hardware Time");
  EXPECT("$GTEST --cases_dir=cases --gtest_filter=*a_good* --mlu_only --zero_input --perf_repeat=2",
         0, "accuracy not given");
  EXPECT("MLUOP_GTEST_BUILD_ZERO_ELEMENT=1 $GTEST --cases_dir=cases --gtest_filter=*a_good*", 0,
         "ALL PASSED");
  EXPECT("MLUOP_GTEST_ALL_CRITERION=ON $GTEST --cases_dir=cases --gtest_filter=*a_good*", 0,
         "DIFF4: ignored, too few values (not judged)");
  EXPECT(
      "MLUOP_GTEST_DUMP_DATA=ON $GTEST --cases_dir=cases --gtest_filter=*a_good* && cat hex_output",
      0, "baseline hex");
  EXPECT("$GTEST --cases_dir=cases --gtest_filter=*a_good* --get_vmpeak=peak && cat peak", 0, "kB");
  EXPECT(
      "$GTEST --cases_dir=cases --gtest_filter=*a_good* --internal_perf && cat "
      "mluop_gtest_internal_perf_0.csv",
      0, "case_path,parse_ms");
  EXPECT("$GTEST --cases_dir=cases --gtest_filter=*a_good* --internal_perf", 0, "[ INTERNAL ]");
  EXPECT("$GTEST --cases_dir=cases --gtest_filter=*a_good* --card_report=card", 2,
         "the times of this Neuware root are measured");
  /* every phase has a column, and their sum is the total */
  EXPECT("head -1 mluop_gtest_internal_perf_0.csv", 0,
         "case_path,parse_ms,generate_ms,copy_in_ms,compute_ms,repeat_ms,perf_loop_ms,copy_out_ms,"
         "bounds_ms,reference_ms,compare_ms,theory_ms,release_ms,total_ms,framework_ms");
  EXPECT(
      "awk -F, 'NR > 1 { sum = 0; for (i = 2; i < NF - 1; ++i) sum += $i; "
      "off = sum - $(NF - 1); exit !(off < 0.01 && off > -0.01 && $(NF - 1) > 0) }' "
      "mluop_gtest_internal_perf_0.csv && echo sum agrees",
      0, "sum agrees");
}

/* A file that cannot be written is an error of the run, reported by name; the program does not
 * crash. */
static void test_full_disk(void) {
  EXPECT("$GTEST --cases_dir=cases --gtest_filter=*a_good* > /dev/full", 1,
         "the standard output cannot be written");
  EXPECT("$GTEST --cases_dir=cases --gtest_filter=*a_good* --get_vmpeak=/dev/full", 1,
         "/dev/full cannot be written");
  EXPECT("$GTEST --cases_dir=cases --gtest_filter=*a_good* --gtest_output=xml:/dev/full", 1,
         "/dev/full cannot be written");
  EXPECT("$GTEST --cases_dir=cases --gtest_filter=*a_good* --gtest_output=json:/dev/full", 1,
         "/dev/full cannot be written");
  EXPECT(
      "mkdir -p full && ln -sf /dev/full full/mluop_gtest_internal_perf_0.csv && cd full && "
      "$GTEST --cases_dir=../cases --gtest_filter=*a_good* --internal_perf",
      1, "mluop_gtest_internal_perf_0.csv cannot be written");
  /* even root cannot write a file that is being executed */
  EXPECT(
      "cp \"$(command -v sleep)\" busy.xml && { ./busy.xml 60 & } ; P=$! ; "
      "$GTEST --cases_dir=cases --gtest_filter=*a_good* --gtest_output=xml:busy.xml ; C=$? ; "
      "kill $P ; exit $C",
      2, "busy.xml cannot be written");
}

/* The time of a refusal is neither stored nor judged. */
static void test_refused_case_without_baseline(void) {
  CaseText text = good_case;
  text.indices = "dtype: DTYPE_FLOAT value_f: [0, 1]";
  text.extra = "valid: \"False\"";
  write_case("refused.prototxt", text);
  write_file("refused.xml",
             "<testsuites><testcase op_name='" OP
             "' case_path='refused.prototxt' hardware_time_mlu='1e-9'/></testsuites>");
  EXPECT(
      "MLUOP_GTEST_THRESHOLD_FILE=limits.json MLUOP_GTEST_PERF_BASELINE=ON "
      "MLUOP_BASELINE_XML_FILE=refused.xml $GTEST --case_path=refused.prototxt",
      0, "performance not given");
  EXPECT(
      "MLUOP_GTEST_PERF_BASELINE=ON MLUOP_BASELINE_XML_FILE=new.xml "
      "$GTEST --case_path=refused.prototxt && ! grep refused new.xml",
      0, "ALL PASSED");
}

/* Limits of the device are reported once, before any case. */
static void test_device_limits(void) {
  static const char *const refused[][2] = {
      {"MLUOP_SET_JOB_LIMIT_CAPABILITY=4", "the device has 4 clusters, 0 to 3 is wanted"},
      {"MLUOP_SET_JOB_LIMIT_CAPABILITY=6", "0 to 3 is wanted"},
      {"MLUOP_SET_CLUSTER_LIMIT_CAPABILITY=16", "0x10: the device has 4 clusters, 0 to 0xf is"},
      {"MLUOP_SET_CLUSTER_LIMIT_CAPABILITY=-1", "a mask like 6 or 0x6 is wanted"},
      {"MLUOP_SET_CLUSTER_LIMIT_CAPABILITY=0xg", "a mask like 6 or 0x6 is wanted"}};
  static const char *const accepted[] = {
      "MLUOP_SET_JOB_LIMIT_CAPABILITY=0", "MLUOP_SET_JOB_LIMIT_CAPABILITY=3",
      "MLUOP_SET_CLUSTER_LIMIT_CAPABILITY=0", "MLUOP_SET_CLUSTER_LIMIT_CAPABILITY=6",
      "MLUOP_SET_CLUSTER_LIMIT_CAPABILITY=0x6"};
  static const char command[] =
      "MLUOP_CPU_TOPOLOGY=4x1 %s $GTEST --cases_dir=cases --gtest_filter=*a_good*";
  for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); ++i) {
    expect(shell(command, refused[i][0]), 2, refused[i][1], refused[i][0]);
  }
  for (size_t i = 0; i < sizeof(accepted) / sizeof(accepted[0]); ++i) {
    expect(shell(command, accepted[i]), 0, "ALL PASSED", accepted[i]);
  }
}

static void test_reports(void) {
  EXPECT(
      "$GTEST --cases_dir=cases --gtest_filter=*a_good* --gtest_output=xml:one.xml && cat one.xml",
      0, "<property name=\"hardware_time_mlu\"");
  EXPECT(
      "$GTEST --cases_dir=cases --gtest_filter=*a_good* --gtest_output=json:one.json && cat "
      "one.json",
      0, "\"output_error_DIFF3_2\"");
  EXPECT(
      "$GTEST --cases_dir=cases --gtest_filter=*a_good* --gtest_repeat=2 "
      "--gtest_output=xml:two.xml && "
      "ls two_0.xml two_1.xml",
      0, "two_1.xml");
  /* a report can be the baseline; a time too good to match makes the performance verdict fail
   */
  EXPECT(
      "sed 's/\\(hardware_time_mlu\" value=\"\\)[^\"]*/\\1100000000/' one.xml > base.xml; "
      "MLUOP_GTEST_PERF_BASELINE=ON MLUOP_BASELINE_XML_FILE=base.xml "
      "$GTEST --cases_dir=cases --gtest_filter=*a_good*",
      0, "Promotion");
  /* the mean is stored, and the report stays valid */
  EXPECT(
      "sed 's/\\(hardware_time_mlu\" value=\"\\)[^\"]*/\\1HERE/' one.xml > one.txt; "
      "grep -o 'hardware_time_mlu\" value=\"50[^\"]*' base.xml && "
      "sed 's/\\(hardware_time_mlu\" value=\"\\)[^\"]*/\\1HERE/' base.xml | diff one.txt -",
      0, "hardware_time_mlu");
  EXPECT(
      "MLUOP_GTEST_PERF_BASELINE=ON MLUOP_BASELINE_XML_FILE=base.xml "
      "$GTEST --cases_dir=cases --gtest_filter=*j_unknown* && tail -2 base.xml",
      0, "case_path=\"j_unknown_field_is_fine.prototxt\"");
  EXPECT(
      "sed 's/\\(hardware_time_mlu\" value=\"\\)[^\"]*/\\10.001/' one.xml > base.xml; "
      "echo "
      "'[{\"op_name\":\"default\",\"threshold_attrs\":{\"scale_bound\":100,\"threshold_absolute\":"
      "0.01,"
      "\"threshold_relative\":0.04}}]' > limits.json; MLUOP_GTEST_THRESHOLD_FILE=limits.json "
      "MLUOP_GTEST_PERF_BASELINE=ON MLUOP_BASELINE_XML_FILE=base.xml "
      "$GTEST --cases_dir=cases --gtest_filter=*a_good*",
      1, "performance: ");
  test_refused_case_without_baseline();
  EXPECT(
      "MLUOP_GTEST_ACC_BASELINE=ON MLUOP_ACC_BASELINE_XML_FILE=one.xml "
      "$GTEST --cases_dir=cases --gtest_filter=*a_good*",
      0, "ALL PASSED");
}

/* A recorded call can be replayed. */
static void test_recorded(void) {
  EXPECT(
      "MLUOP_GEN_CASE=2 MLUOP_GEN_CASE_DUMP_DATA=2 MLUOP_GEN_CASE_DIR=recorded $GTEST "
      "--cases_dir=cases "
      "--gtest_filter=*a_good* && $GTEST --cases_dir=recorded/gen_case",
      0, "Total 2 cases");
}

static void test_converters(void) {
  EXPECT("cd cases/" OP
         " && mkdir ../../pb && "
         "prototxt2pb a_good.prototxt ../../pb && "
         "pb2prototxt ../../pb ../../text && cat ../../text/a_good.prototxt",
         0, "op_name: \"" OP "\"");
  EXPECT("mkdir -p pbcases/" OP " && cp pb/a_good.pb pbcases/" OP " && $GTEST --cases_dir=pbcases",
         0, "ALL PASSED");
  EXPECT("prototxt2pb cases/" OP "/b_syntax.prototxt x.pb", 1, "b_syntax.prototxt:1:");
  EXPECT("pb2prototxt", 2, "Usage");
}

int main(int argc, char **argv) {
  open_folder(argc, argv);
  make_folder("cases");
  make_folder("cases/" OP);
  test_command_line();
  test_broken_cases();
  test_flags_without_effect();
  test_wide_parameters();
  test_accepted_case();
  test_revisions();
  test_choosing();
  test_choosing_some();
  test_nothing_to_run();
  test_modes();
  test_full_disk();
  test_device_limits();
  test_reports();
  test_recorded();
  test_converters();
  remove_folder();
  return check_result("program");
}

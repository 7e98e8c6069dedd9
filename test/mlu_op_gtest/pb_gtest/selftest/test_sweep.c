/* SPDX-License-Identifier: MIT
 *
 * Sweeps: which cases a text contains, what is refused, and how mluop_gtest names the members.
 * Argument: the programs' folder. */
#include "data/case_file.h"
#include "selftest/program_shell.h"

#define OP "moe_dispatch_forward"

/* The members of `text`, joined by spaces. */
static void expect_members(const char *text, const char *wanted) {
  mluopTestText errors = {0}, joined = {0};
  mluopSweepMembers members;
  CHECK(!mluop_sweep_members("case.prototxt", text, strlen(text), &members, &errors));
  for (size_t i = 0; i < members.n; ++i) {
    mluop_text_add(&joined, "%s%s", i ? " " : "", members.names[i]);
  }
  CHECK(!strcmp(mluop_text_get(&joined), wanted));
  mluop_sweep_members_free(&members);
  mluop_text_free(&joined);
  mluop_text_free(&errors);
}

static void expect_text(const char *text, const char *member, const char *wanted) {
  mluopTestText errors = {0};
  char *expanded = NULL;
  size_t size = 0;
  const mluopSweepResult result =
      mluop_sweep_expand("case.prototxt", text, strlen(text), member, &expanded, &size, &errors);
  if (result != MLUOP_SWEEP_EXPANDED || size != strlen(wanted) || strcmp(expanded, wanted)) {
    ++check_failures;
    fprintf(stderr, "%s of:\n%s\nis:\n%s\n%s", member, text, expanded ? expanded : "nothing",
            mluop_text_get(&errors));
  }
  free(expanded);
  mluop_text_free(&errors);
}

static void expect_refused(const char *text, const char *member, const char *message) {
  mluopTestText errors = {0};
  char *expanded = NULL;
  size_t size = 0;
  CHECK(mluop_sweep_expand("case.prototxt", text, strlen(text), member, &expanded, &size,
                           &errors) == MLUOP_SWEEP_FAILED);
  CHECK_CONTAINS(mluop_text_get(&errors), message);
  mluop_text_free(&errors);
}

static void test_text(void) {
  static const char numbers[] = "a: 1 # a sweep {\nsweep { variable: \"n\" value: [1, -3] }\nb: $n";
  expect_members(numbers, "n_1 n_m3");
  expect_text(numbers, "n_m3", "a: 1 # a sweep {\n                                      \nb: -3");
  static const char rows[] =
      "sweep {\n  variable: [\"x\", \"y\"]\n  member { name: \"small\" value: [\"1\", \"[2, 3]\"] "
      "}\n"
      "  member { name: \"large\" value: [\"7\", \"[]\"] }\n}\n\tb { c: $x d: $y } e: \"$x\" f:$x";
  expect_members(rows, "small large");
  mluopTestText lines = {0};
  mluop_text_add(&lines, "%7s\n%22s\n%49s\n%45s\n%1s\n", "", "", "", "", "");
  char *wanted =
      mluop_text_format("%s\tb { c: 1 d: [2, 3] } e: \"$x\" f:1", mluop_text_get(&lines));
  expect_text(rows, "small", wanted ? wanted : "");
  free(wanted);
  mluop_text_free(&lines);
  expect_members("op_name: \"sweep {\" input { sweep { variable: \"a\" } }", "");
  expect_members("", "");
}

static void test_wrong_text(void) {
  expect_refused("sweep { variable: \"n\" value: [1, 2] } a: $n", NULL,
                 "a sweep of n_1 n_2; FILE#MEMBER names one of them");
  expect_refused("sweep { variable: \"n\" value: [1, 2] } a: $n", "n_3", "no member n_3");
  expect_refused("a: 1", "n_3", "no member n_3");
  expect_refused("sweep { variable: \"n\" value: 1 }\na: $n b: $m", "n_1",
                 "case.prototxt:2:10: $m is no variable of the sweep");
  expect_refused("sweep { variable: \"n\" value: 1 }", "n_1", "$n is used nowhere");
  expect_refused("sweep { variable: \"n\" value: [1, 1] } a: $n", "n_1", "is there twice");
  expect_refused("sweep { variable: [\"n\", \"m\"] value: 1 } a: $n b: $m", "n_1", "one variable");
  expect_refused("sweep { variable: \"n\" member { name: \"a\" } } a: $n", "a",
                 "member \"a\" has 0 values, 1 variables are there");
  expect_refused("sweep { variable: \"n\" member { name: \"a b\" value: \"1\" } } a: $n", "a b",
                 "letters, digits and _");
  expect_refused("sweep { variable: \"n\" member { name: \"a\" value: \"1\\n\" } } a: $n", "a",
                 "several lines");
  expect_refused("sweep { variable: \"n\" } a: $n", "a", "no members");
  expect_refused("sweep { variable: \"n\" value: 1 } a: $n sweep { }", "n_1", "a second sweep");
  expect_refused("sweep { variable: \"n\" value: 1\na: $n", "n_1", "no end");
  expect_refused("sweep {\n variables: \"n\" }", "n_1", "case.prototxt:2:");
}

/* Four cases; the one with a float for an integer fails. */
static const char sweep_of_cases[] =
    "op_name: \"" OP
    "\"\n"
    "sweep {\n"
    "  variable: [\"hidden\", \"indices\"]\n"
    "  member { name: \"hidden_1\" value: [\"1\", \"DTYPE_INT32\"] }\n"
    "  member { name: \"hidden_2\" value: [\"2\", \"DTYPE_INT32\"] }\n"
    "  member { name: \"hidden_10\" value: [\"10\", \"DTYPE_INT32\"] }\n"
    "  member { name: \"wrong\" value: [\"3\", \"DTYPE_FLOAT\"] }\n"
    "}\n"
    "input { id: \"gates\" shape { dims: 2 } layout: LAYOUT_ARRAY dtype: DTYPE_FLOAT value_f: [1, "
    "2] }\n"
    "input { id: \"indices\" shape { dims: 2 } layout: LAYOUT_ARRAY dtype: $indices value_i: [0, "
    "1] }\n"
    "input { id: \"locations\" shape { dims: 2 } layout: LAYOUT_ARRAY dtype: DTYPE_INT32 value_i: "
    "[0, 0] }\n"
    "input { id: \"input\" shape { dims: 2 dims: $hidden } layout: LAYOUT_ARRAY dtype: DTYPE_FLOAT "
    "random_data { lower_bound: 0 upper_bound: 1 } }\n"
    "input { id: \"dispatch\" shape { dims: 2 dims: $hidden } layout: LAYOUT_ARRAY dtype: "
    "DTYPE_FLOAT random_data { lower_bound: 0 upper_bound: 1 } }\n"
    "output { id: \"output\" shape { dims: 2 dims: $hidden } layout: LAYOUT_ARRAY dtype: "
    "DTYPE_FLOAT }\n" OP "_param { samples: 2 capacity: 1 hidden: $hidden num_experts: 2 }\n";

static void test_program(void) {
  write_file("cases/" OP "/sizes.prototxt", sweep_of_cases);
  write_file("sizes.prototxt", sweep_of_cases);
  EXPECT("$GTEST --cases_dir=cases", 1, "Total 4 cases");
  EXPECT("$GTEST --cases_dir=cases --gtest_filter=*hidden_*", 0, "Total 3 cases");
  /* numbers follow the order of names, whatever is selected */
  EXPECT("$GTEST --cases_dir=cases --gtest_list_tests", 0, "mluOp/2");
  EXPECT("$GTEST --cases_dir=cases --gtest_filter=*#hidden_10 --gtest_list_tests", 0,
         "mluOp/2  # GetParam() = ");
  EXPECT("$GTEST --case_path=cases/" OP "/sizes.prototxt#hidden_10", 0, "Total 1 cases");
  EXPECT("$GTEST --case_path=sizes.prototxt#hidden_2", 0, "sizes.prototxt#hidden_2");
  EXPECT("$GTEST --case_path=sizes.prototxt", 1, "Total 4 cases");
  EXPECT("$GTEST --case_path=sizes.prototxt#hidden_3", 2, "the file has no such member");
  EXPECT("$GTEST --case_path=no_such.prototxt#hidden_3", 2, "no_such.prototxt#hidden_3");
  EXPECT("printf 'sizes.prototxt#hidden_2\\ncases/" OP
         "/sizes.prototxt\\n' > list; "
         "$GTEST --cases_list=list",
         1, "Total 5 cases");
  /* a failing member prints how to repeat it alone, and that works */
  EXPECT("$GTEST --cases_dir=cases", 1, "/sizes.prototxt#wrong");
  EXPECT("eval \"$($GTEST --cases_dir=cases | sed -n 's/^repeat with: //p')\"", 1, "Total 1 cases");
  /* a file with '#' in its name is still a file */
  EXPECT("cp sizes.prototxt 'a#b.prototxt'; $GTEST --case_path='a#b.prototxt#hidden_1'", 0,
         "Total 1 cases");
  EXPECT(
      "mkdir pb && prototxt2pb sizes.prototxt pb && ls pb && "
      "$GTEST --case_path=pb/sizes.hidden_10.pb",
      0, "sizes.hidden_2.pb");
  EXPECT("sed -i 's/\\$hidden }/$hiden }/' cases/" OP "/sizes.prototxt; $GTEST --cases_dir=cases",
         1, "$hiden is no variable of the sweep");
}

int main(int argc, char **argv) {
  open_folder(argc, argv);
  make_folder("cases");
  make_folder("cases/" OP);
  test_text();
  test_wrong_text();
  test_program();
  remove_folder();
  return check_result("sweep");
}

/* SPDX-License-Identifier: MIT
 *
 * Prints docs/environment.md: every environment variable, from the tables that the library and the
 * runtime use themselves, and the CMake options that are not variables. */
#include <stddef.h>
#include <stdio.h>

#include "cncl_external.h"
#include "cnrt_external.h"

typedef struct Variable {
  const char *name, *default_value, *meaning;
} Variable;

static const Variable library[] = {
#define MLUOP_ENV(id, type, default_value, help) {"MLUOP_" #id, default_value, help},
#include "core/env_list.inc"
#undef MLUOP_ENV
};

/* Each is read in one place only. */
static const Variable vectors[] = {
    {"MLUOP_CPU_ISA", "the best of the processor",
     "instruction set of vector operations and copies: baseline, avx2, avx512; on Arm baseline, "
     "which is NEON. avx512_bf16, avx512_amx and, on Arm, bf16 add matrix instructions, which "
     "round "
     "bfloat16 products of the tensor unit in their own way (bang_c_support.md)"},
    {"MLUOP_BANG_FUSION_ROUND", "twice",
     "once: fused operations keep the middle result unrounded, as hardware with a fused unit does"},
};

/* The Hopper root's table is in a library that this program cannot link. */
static const Variable hopper[] = {
    {"MLUOP_SM90_DEVICES", "as many as there are GPUs",
     "number of devices, 1 to 64; with more than there are GPUs, several devices share one"},
    {"MLUOP_SM90_TASKS_PER_SM", "2",
     "tasks per multiprocessor that the number of cores promises, 1 to 32"},
    {"MLUOP_SM90_SHARED_MEMORY", "1",
     "whether other processes can map device memory and share notifiers: 1 or 0"},
};

/* The same for the card root. */
static const Variable card[] = {
    {"MLUOP_CARD", "MLU370-X4",
     "board that is played: MLU370-X4, MLU370-X8, MLU370-M8, MLU590-M9, MLU590-H8, MLU290, MLU270"},
    {"MLUOP_CHECK", "",
     "checks of kernels: some of `memory`, `init`, `sync`, `race`, `barrier`, `rules` with commas "
     "between, or `all`; what they "
     "find is reported on stderr and the launch fails"},
    {"MLUOP_CHECK_JSON", "", "file that gets what the checks found, as an array of JSON objects"},
    {"MLUOP_CHECK_SUPPRESS", "",
     "file with places that the checks leave alone: lines `check:file:function`, with `*` and `?`, "
     "and comments after `#`"},
    {"MLUOP_CARD_REPORT", "",
     "folder that gets report.html, report.json and trace.json (for Perfetto) about the launches "
     "of "
     "the process when it ends"},
    {"MLUOP_CARD_LOG", "",
     "file that gets the logs of the launches, as text, to play them again on another board"},
    {"MLUOP_CARD_RECORDS", "",
     "file that gets what each task of every launch did, a readable line per record with its place "
     "in the source"},
};

static const Variable tools[] = {
    {"NEUWARE_HOME", "", "FindBANG.cmake: the Neuware root to look in first"},
    {"CNCC_HOST_CXX", "the compiler of the build", "C++ compiler that cncc calls"},
    {"CNCC_HOST_CC", "the compiler of the build", "C compiler that cncc calls"},
    {"CNCC_PCH_DIR", "",
     "folder in which cncc keeps bang.h precompiled, one for each set of flags; unset: parsed for "
     "every file"},
    {"CNCC_NVCC", "the nvcc of the build", "CUDA compiler that the cncc of the Hopper root calls"},
    {"MLUOPS_LIBRARY", "", "Python: path of the libmluops.so.1 to load"},
    {"MLUOPS_LIBDIR", "../build/lib", "Python wheel: folder of the libmluops.so.1 to pack"},
};

#define OPTION_TEXT(field, flag, variable, fallback, help) {variable, fallback, help},
#define OPTION_TEXT_OPTIONAL(field, flag, bare, help) {NULL, "", help},
#define OPTION_NUMBER(field, flag, variable, fallback, minimum, help) {variable, #fallback, help},
#define OPTION_INTEGER(field, flag, variable, fallback, help) {variable, "", help},
#define OPTION_MASK(field, variable, help) {variable, "0", help},
#define OPTION_BOOL(field, flag, variable, help) {variable, "OFF", help},
#define OPTION_BOOL_ON(field, flag, variable, help) {variable, "ON", help},
#define OPTION_WITHOUT_EFFECT(flag, variable, help) {variable, "OFF", help},
/* Entries without a name are options that exist only as a flag. */
static const Variable test_program[] = {
#include "test/mlu_op_gtest/pb_gtest/run/option_list.inc"
};

static const Variable build[] = {
    {"BUILD_MODE", "release", "release or debug"},
    {"BUILD_JOBS", "number of CPUs", "parallel jobs"},
    {"MLUOP_BUILD_DIR", "build", "folder to build in"},
    {"MLUOP_BUILD_PREPARE", "ON", "OFF does not look for missing packages"},
    {"MLUOP_BUILD_SPECIFIC_OP", "", "the operators to build, ';' between them"},
    {"MLUOP_BUILD_GTEST", "ON", "OFF builds no tests"},
    {"MLUOP_BUILD_STATIC", "OFF", "ON also builds a static library"},
    {"MLUOP_BUILD_ASAN_CHECK", "OFF", "ON builds with address and undefined-behaviour sanitizers"},
    {"MLUOP_BUILD_TSAN_CHECK", "OFF", "ON builds with the thread sanitizer"},
    {"MLUOP_BUILD_COVERAGE_TEST", "OFF", "ON builds with coverage counters"},
    {"MLUOP_MLU_ARCH_LIST", "mtp_592; card root mtp_372;mtp_592",
     "architectures handed to cncc, ';' between them; the card root makes code for all of them, "
     "other roots for the first"},
    {"MLUOP_NEUWARE_TARGET", "cpu",
     "what the root of the build runs on: a name in bangc_helper/roots/list.cmake"},
    {"NEUWARE_HOME", "", "the Neuware root of a vendor's SDK, to use instead of our own"},
    {"MLUOP_MATRIX_SECONDS", "0", "--matrix: the time to begin new builds in; 0: no limit"},
    {"MLUOP_MATRIX_PAIR_SECONDS", "0", "--matrix: the time one build may take; 0: no limit"},
};

static const Variable cmake[] = {
    {"MLUOP_NEUWARE_HOME", "", "the Neuware root of a vendor's SDK, to use instead of our own"},
    {"MLUOP_CPU_BASELINE_ONLY", "OFF", "ON builds vector units without AVX: sooner done, slower"},
    {"MLUOP_BUILD_SELFTEST", "OFF",
     "ON builds the tests of the test framework and of the Neuware root even with "
     "MLUOP_BUILD_SPECIFIC_OP"},
};

/* A '<' outside of backticks would be taken for HTML. */
static void text(const char *words) {
  for (; *words; ++words) {
    if (*words == '<')
      fputs("&lt;", stdout);
    else
      putchar(*words);
  }
}

static void row(const Variable *variable) {
  printf("| `%s` | %s%s%s | ", variable->name, *variable->default_value ? "`" : "not set",
         variable->default_value, *variable->default_value ? "`" : "");
  text(variable->meaning);
  puts(" |");
}

static void table(const char *title, const char *remark, const Variable *variables, size_t count) {
  printf("\n## %s\n\n%s\n\n| variable | default | meaning |\n|---|---|---|\n", title, remark);
  for (size_t i = 0; i < count; ++i) {
    if (variables[i].name) row(&variables[i]);
  }
}

#define COUNT(array) (sizeof(array) / sizeof(array[0]))

/* The table of a library that lists its settings itself. */
static void settings_table(const char *title, const char *remark, size_t count,
                           const cnrtxSetting *(*get)(size_t index)) {
  Variable variables[64];
  if (count > COUNT(variables)) count = COUNT(variables);
  for (size_t i = 0; i < count; ++i) {
    const cnrtxSetting *setting = get(i);
    variables[i] = (Variable){setting->name, setting->default_value, setting->meaning};
  }
  table(title, remark, variables, count);
}

int main(void) {
  puts(
      "<!-- SPDX-License-Identifier: MIT -->\n# Environment variables\n\n"
      "Made by `build/test/env_table` from the lists the programs read themselves; the test "
      "`docs.environment` compares.\nEach value is read once, at its first use.");
  table("Library",
        "Switches are on for 1, ON, YES, TRUE and off for 0, OFF, NO, FALSE, in any case. A value "
        "that cannot be read gives a "
        "warning and the default.",
        library, COUNT(library));
  settings_table("Runtime on the CPU", "The device that programs see, and how it runs.",
                 cnrtxSettingCount(), cnrtxGetSetting);
  settings_table("CNCL", "Communication between devices and processes.", cnclxSettingCount(),
                 cnclxGetSetting);
  table("Vector operations and copies on the CPU",
        "Results do not depend on the first, except bfloat16 products of the tensor unit.", vectors,
        COUNT(vectors));
  table("Runtime on Hopper", "Besides CNRT_DEFAULT_DEVICE and CUDA's own.", hopper, COUNT(hopper));
  table("Runtime of the card root", "Besides those of the runtime on the CPU.", card, COUNT(card));
  table("Tools", "Compiler driver, CMake module, Python.", tools, COUNT(tools));
  table(
      "Test program",
      "mluop_gtest: 1, ON, 0, OFF for switches; anything else is refused. `mluop_gtest --help` has "
      "the flags, too.",
      test_program, COUNT(test_program));
  table("Build", "independent_build.sh; its options win.", build, COUNT(build));
  table(
      "CMake",
      "Options of CMake, `-DNAME=VALUE`. Operators, kinds of builds, architectures and the target "
      "have the names above.",
      cmake, COUNT(cmake));
  return 0;
}

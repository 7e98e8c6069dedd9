/* SPDX-License-Identifier: MIT */
#include "run/report.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "commit.h" /* made by commit.cmake */
#include "judge/diff.h"
#include "mlu_op.h"
#include "run/pattern.h"

extern char **environ;

static void emit(mluopPropertySink sink, void *arg, const char *name, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void emit(mluopPropertySink sink, void *arg, const char *name, const char *format, ...) {
  char value[512];
  va_list args;
  va_start(args, format);
  vsnprintf(value, sizeof(value), format, args);
  va_end(args);
  sink(arg, name, value);
}

void mluop_report_environment(const mluopTestOptions *options, mluopPropertySink sink, void *arg) {
  char date[64] = "";
  const time_t now = time(NULL);
  struct tm local;
  localtime_r(&now, &local);
  strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &local);
  emit(sink, arg, "date", "%s", date);
  int major = 0, minor = 0, patch = 0;
  mluOpGetLibVersion(&major, &minor, &patch);
  emit(sink, arg, "mluop_version", "%d.%d.%d", major, minor, patch);
  int device = 0, clusters = 0, cores = 0;
  cnrtDeviceProp_t properties;
  memset(&properties, 0, sizeof(properties));
  if (cnrtGetDevice(&device) == cnrtSuccess) {
    cnrtGetDeviceProperties(&properties, device);
    cnrtDeviceGetAttribute(&clusters, cnrtAttrClusterCount, device);
    cnrtDeviceGetAttribute(&cores, cnrtAttrMcorePerCluster, device);
  }
  emit(sink, arg, "mlu_platform", "%s, %d clusters of %d cores, device %d",
       properties.name[0] ? properties.name : "unknown", clusters, cores, device);
  emit(sink, arg, "job_limit", "%d", options->job_limit);
  emit(sink, arg, "cluster_limit", "0x%" PRIx64, options->cluster_limit);
  emit(sink, arg, "commit_id", "%s", MLUOP_TEST_COMMIT);
  emit(sink, arg, "mluop_branch", "%s", MLUOP_TEST_BRANCH);
  cnGetDriverVersion(&major, &minor, &patch);
  emit(sink, arg, "driver_version", "%d.%d.%d", major, minor, patch);
  cnrtGetLibVersion(&major, &minor, &patch);
  emit(sink, arg, "cnrt_version", "%d.%d.%d", major, minor, patch);
  char host[HOST_NAME_MAX + 1] = "";
  gethostname(host, sizeof(host) - 1);
  emit(sink, arg, "ip", "%s", host);
  emit(sink, arg, "repeat_count", "%d", options->perf_repeat);
  emit(sink, arg, "seed", "%d", options->seed);
  emit(sink, arg, "gdram_fill", "%08x", mluop_fill_word(options));
}

static void print_environment_line(void *arg, const char *name, const char *value) {
  (void)arg;
  printf("[%-15s]: %s\n", name, value);
}

void mluop_report_print_environment(const mluopTestOptions *options) {
  mluop_report_environment(options, print_environment_line, NULL);
  fflush(stdout);
}

void mluop_report_properties(const mluopCaseResult *result, mluopPropertySink sink, void *arg) {
  emit(sink, arg, "op_name", "%s", result->op_name ? result->op_name : "");
  emit(sink, arg, "case_path", "%s", result->path);
  emit(sink, arg, "case_name", "%s", mluop_path_base(result->path));
  emit(sink, arg, "verdict_accuracy", "%s", mluop_verdict_name(result->accuracy));
  emit(sink, arg, "verdict_repeat", "%s", mluop_verdict_name(result->repeat));
  emit(sink, arg, "verdict_bounds", "%s", mluop_verdict_name(result->bounds));
  emit(sink, arg, "verdict_performance", "%s", mluop_verdict_name(result->performance));
  const struct {
    const char *name;
    double value;
  } numbers[] = {
      {"workspace_size_mlu", result->workspace_size},
      {"hardware_time_mlu", result->hardware_us},
      {"hardware_time_cv_mlu", result->hardware_cv},
      {"interface_time_mlu", result->interface_us},
      {"io_efficiency_mlu", result->io_efficiency},
      {"compute_efficiency_mlu", result->compute_efficiency},
      {"hardware_time_base", result->baseline_us},
      {"workspace_size_gpu", result->gpu_workspace_size},
      {"hardware_time_gpu", result->gpu_us},
      {"io_efficiency_gpu", result->gpu_io_efficiency},
      {"compute_efficiency_gpu", result->gpu_compute_efficiency},
      {"theory_ops", result->theory_ops},
      {"theory_ios", result->theory_ios},
      {"compute_force", result->compute_force},
      {"io_bandwidth", result->io_bandwidth},
  };
  for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); ++i) {
    emit(sink, arg, numbers[i].name, "%.10g", numbers[i].value);
  }
  if (result->output_digest) {
    emit(sink, arg, "output_digest_mlu", "%016" PRIx64, result->output_digest);
  }
  if (result->refused_by_device) {
    emit(sink, arg, "refused_by_device", "no bfloat16");
  }
  if (*result->time_class) {
    emit(sink, arg, "time_class_mlu", "%s", result->time_class);
  }
  if (result->baseline_us > 0) {
    const double gain = result->baseline_us - result->hardware_us;
    emit(sink, arg, "baseline_mlu_hw_time_mlu", "%.10g", result->baseline_us);
    emit(sink, arg, "thistime_mlu_hw_time_mlu", "%.10g", result->hardware_us);
    emit(sink, arg, "hardware_time_promotion_mlu", "%.10g", gain);
    emit(sink, arg, "hardware_time_promotion_ratio_mlu", "%.10g", gain / result->baseline_us * 100);
  }
  for (size_t i = 0; i < result->n_errors; ++i) {
    char name[256];
    snprintf(name, sizeof(name), "%s_error_%s", result->errors[i].output, result->errors[i].diff);
    emit(sink, arg, name, "%.17g", result->errors[i].value);
  }
}

static void print_number(const char *prefix, const char *label, const char *unit, double value) {
  char name[64];
  snprintf(name, sizeof(name), "%s%s", prefix, label);
  printf("[%-30s]: %.6g%s%s\n", name, value, *unit ? " " : "", unit);
}

static void print_times(const mluopTestOptions *options, const mluopCaseResult *result) {
  const bool average = options->perf_repeat > 1;
  const char *prefix = average ? "Average " : "";
  print_number(prefix, "MLU Hardware Time", "(us)", result->hardware_us);
  if (*result->time_class) {
    printf("[%-30s]: %s\n", "MLU Hardware Time is", result->time_class);
  }
  if (average) {
    print_number("", "MLU Hardware Time CV", "", result->hardware_cv);
  }
  print_number(prefix, "MLU Interface Time", "(us)", result->interface_us);
  print_number(prefix, "MLU IO Efficiency", "", result->io_efficiency);
  print_number(prefix, "MLU Compute Efficiency", "", result->compute_efficiency);
  print_number(prefix, "MLU Workspace Size", "(Bytes)", result->workspace_size);
  printf("[%-30s]: {}\n", "MLU Kernel Name(s)");
  print_number("", "MLU TheoryOps", "(Ops)", result->theory_ops);
  print_number("", "MLU TheoryIOs", "(Bytes)", result->theory_ios);
  print_number("", "MLU ComputeForce", "(op/s)", result->compute_force);
  print_number("", "MLU IoBandWidth", "(GB/s)", result->io_bandwidth);
  print_number("", "GPU Hardware Time", "(us)", result->gpu_us);
  print_number("", "GPU IO Efficiency", "", result->gpu_io_efficiency);
  print_number("", "GPU Compute Efficiency", "", result->gpu_compute_efficiency);
  print_number("", "GPU Workspace Size", "(Bytes)", result->gpu_workspace_size);
  if (options->perf_baseline && result->baseline_us > 0) {
    const double gain = result->baseline_us - result->hardware_us;
    print_number("", "MLU Hardware Time (baseline)", "(us)", result->baseline_us);
    print_number("", "MLU Hardware Time (this time)", "(us)", result->hardware_us);
    print_number("", "MLU Hardware Time Promotion", "(us)", gain);
    print_number("", "MLU Promotion Ratio", "%", gain / result->baseline_us * 100);
  }
}

static void print_errors(const mluopCaseResult *result) {
  if (!result->n_errors) {
    return;
  }
  printf("[Diffs]:\n");
  for (size_t i = 0; i < result->n_errors; ++i) {
    const mluopOutputError *error = &result->errors[i];
    if (i == 0 || strcmp(error->output, result->errors[i - 1].output)) {
      printf("[%s]\n", error->output);
    }
    const char *remark = error->judged ? "" : " (not judged)";
    if (error->value == MLUOP_DIFF_IGNORED) {
      printf("%s: ignored, too few values%s\n", error->diff, remark);
    } else {
      printf("%s: %e%s\n", error->diff, error->value, remark);
    }
  }
}

void mluop_report_print_case(const mluopTestOptions *options, const mluopCaseResult *result) {
  if (result->warning.length) {
    fprintf(stderr, "[WARNING] %s", mluop_text_get(&result->warning));
  }
  if (result->theory_ios != MLUOP_RESULT_UNKNOWN) {
    print_times(options, result);
  }
  print_errors(result);
  if (result->output_digest) {
    printf("[%-30s]: %016" PRIx64 "\n", "MLU Output Digest", result->output_digest);
  }
  if (result->refused_by_device) {
    printf("[%-30s]: it has no bfloat16\n", "Refused as this device must");
  }
  printf("[%-30s]: accuracy %s, repeat %s, bounds %s, performance %s\n", "Verdicts",
         mluop_verdict_name(result->accuracy), mluop_verdict_name(result->repeat),
         mluop_verdict_name(result->bounds), mluop_verdict_name(result->performance));
  if (options->internal_perf) {
    printf("[%-30s]:", "Framework phases (ms)");
    for (int phase = 0; phase < MLUOP_PHASES; ++phase) {
      printf(" %s %.3f", mluop_phase_name((mluopPhase)phase), result->phase_ms[phase]);
    }
    const double own_ms = mluop_result_framework_ms(result);
    printf(", total %.3f\n[%-30s]: %.3f ms, %.0f %% of the total\n", result->total_ms,
           "Framework itself", own_ms, 100 * own_ms / result->total_ms);
  }
  fflush(stdout);
}

void mluop_report_print_end(const mluopCaseResult *result) {
  printf("%s %s\n", mluop_result_passed(result) ? "[^      OK ]" : "[^  FAILED ]", result->path);
  fflush(stdout);
}

/* A word for the shell; quoted only when it must be. */
static void add_word(mluopTestText *command, const char *word) {
  if (word[strspn(word,
                  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=/.,:@%")] ==
      '\0') {
    mluop_text_add(command, "%s", word);
    return;
  }
  mluop_text_add(command, "'");
  for (; *word; ++word) {
    if (*word == '\'') {
      mluop_text_add(command, "'\\''");
    } else {
      mluop_text_add(command, "%c", *word);
    }
  }
  mluop_text_add(command, "'");
}

char *mluop_report_repeat_command(const mluopTestOptions *options, const char *path) {
  mluopTestText command = {0};
  /* What the run depended on besides its flags: the device and the framework's own variables. */
  for (char **variable = environ; *variable; ++variable) {
    if (!strncmp(*variable, "MLUOP_", 6) || !strncmp(*variable, "CNRT_", 5)) {
      /* The one is said below, the other is what this program asks of the runtime anyway. */
      if (strncmp(*variable, "MLUOP_GTEST_SET_GDRAM=", 22) &&
          strcmp(*variable, "MLUOP_CPU_POISON=1")) {
        add_word(&command, *variable);
        mluop_text_add(&command, " ");
      }
    }
  }
  mluop_text_add(&command, "MLUOP_GTEST_SET_GDRAM=%s ",
                 mluop_fill_word(options) == UINT32_MAX ? "NAN" : "INF");
  char program[PATH_MAX] = "mluop_gtest";
  const ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
  if (length > 0) {
    program[length] = '\0';
  }
  add_word(&command, program);
  mluop_text_add(&command, " ");
  char *argument = mluop_text_format("--case_path=%s", path);
  add_word(&command, argument ? argument : path);
  free(argument);
  mluop_options_repeat(options, &command);
  if (!command.data) {
    return mluop_text_format("%s", path);
  }
  return command.data;
}

/* SPDX-License-Identifier: MIT
 *
 * A trace file is valid JSON in every locale, a full disk is an error, and the program's recordings
 * do not overwrite the file that the environment asked for.
 */
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cnrt_external.h"
#include "harness.h"
#include "test/common/comma_locale.h"
#include "test/common/scratch.h"

static char folder[SCRATCH_PATH];

static void nothing(void *argument) {
  (void)argument;
}

static void trace_launch(const char *path) {
  cnrtxTraceBegin();
  CHECK_OK(launch(nothing, NULL, dim3(2, 1, 1), cnrtFuncTypeBlock, NULL));
  CHECK_OK(cnrtQueueSync(NULL));
  CHECK_OK(cnrtxTraceEnd(path));
}

static void read_text(const char *path, char *text, size_t size) {
  FILE *file = fopen(path, "r");
  CHECK(file != NULL);
  const size_t length = file != NULL ? fread(text, 1, size - 1, file) : 0;
  text[length] = '\0';
  if (file != NULL) fclose(file);
}

/* Checks that each number after `name` is digits, a point, three digits and `end`; returns how many
 * there are. */
static int count_times(const char *text, const char *name, char end) {
  int count = 0;
  for (; (text = strstr(text, name)) != NULL; ++count) {
    static const char digits[] = "0123456789";
    text += strlen(name);
    const size_t whole = strspn(text, digits), fraction = strspn(text + whole + 1, digits);
    CHECK(whole > 0 && text[whole] == '.' && fraction == 3 && text[whole + 4] == end);
  }
  return count;
}

static void times_have_points(void) {
  static char text[65536];
  char path[sizeof(folder) + 16];
  snprintf(path, sizeof(path), "%s/trace.json", folder);
  const locale_t comma = make_comma_locale(folder);
  if (comma == (locale_t)0) {
    printf("SKIPPED: localedef makes no locale here\n");
    return;
  }
  const locale_t before = uselocale(comma);
  trace_launch(path);
  uselocale(before);
  freelocale(comma);
  read_text(path, text, sizeof(text));
  CHECK(count_times(text, "\"ts\":", ',') > 0);
  CHECK(count_times(text, "\"dur\":", '}') > 0);
}

/* A short trace stays in the file's buffer, so the error appears only when the file is closed. */
static void full_disk_is_told(void) {
  cnrtxTraceBegin();
  CHECK_OK(launch(nothing, NULL, dim3(2, 1, 1), cnrtFuncTypeBlock, NULL));
  CHECK_OK(cnrtQueueSync(NULL));
  CHECK_EQ(cnrtxTraceEnd("/dev/full"), cnrtErrorSys);
}

/* ---- A trace by the environment and one by the program ---- */

struct handshake {
  _Atomic bool is_running;
  _Atomic bool may_end;
};

static void run_until_stopped(void *argument) {
  struct handshake *handshake = argument;
  atomic_store(&handshake->is_running, true);
  while (!atomic_load(&handshake->may_end)) sched_yield();
}

/* Only the environment's trace has the first launch. The second is still running when the program's
 * recording ends. */
static void child_records_twice(void) {
  static char text[65536];
  char path[sizeof(folder) + 16];
  struct handshake handshake = {false, false};
  snprintf(path, sizeof(path), "%s/trace.json", folder);
  CHECK_OK(launch(nothing, NULL, dim3(2, 1, 1), cnrtFuncTypeBlock, NULL));
  CHECK_OK(cnrtQueueSync(NULL));
  cnrtxTraceBegin();
  CHECK_OK(launch(run_until_stopped, &handshake, dim3(1, 1, 1), cnrtFuncTypeBlock, NULL));
  while (!atomic_load(&handshake.is_running)) sched_yield();
  CHECK_OK(cnrtxTraceEnd(path));
  atomic_store(&handshake.may_end, true);
  CHECK_OK(cnrtQueueSync(NULL));
  read_text(getenv("MLUOP_CPU_TRACE"), text, sizeof(text));
  CHECK(strstr(text, "\"name\":\"task\"") != NULL);
}

static void file_of_environment_stays(void) {
  char setting[sizeof(folder) + 32];
  char output[1024];
  snprintf(setting, sizeof(setting), "MLUOP_CPU_TRACE=%s/asked.json", folder);
  const int status = run_self(setting, "_child_records_twice", output, sizeof(output));
  if (status != 0) printf("%s", output);
  CHECK_EQ(status, 0);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"times_have_points", times_have_points},
      {"full_disk_is_told", full_disk_is_told},
      {"file_of_environment_stays", file_of_environment_stays},
      {"_child_records_twice", child_records_twice},
  };
  char command[sizeof(folder) + 16];
  if (mkdtemp(scratch_path(folder, "cnrt_trace_test")) == NULL) return 1;
  const int result = run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
  snprintf(command, sizeof(command), "rm -r '%s'", folder);
  return system(command) == 0 ? result : 1;
}

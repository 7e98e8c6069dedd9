/* SPDX-License-Identifier: MIT
 *
 * The file of a trace is JSON, whatever the program's locale.
 */
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

/* Every number behind `name` is digits, a point, three digits and `end`; gives their count. */
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

int main(int argc, char **argv) {
  const struct test_case tests[] = {{"times_have_points", times_have_points}};
  char command[sizeof(folder) + 16];
  if (mkdtemp(scratch_path(folder, "cnrt_trace_test")) == NULL) return 1;
  const int result = run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
  snprintf(command, sizeof(command), "rm -r '%s'", folder);
  return system(command) == 0 ? result : 1;
}

/* SPDX-License-Identifier: MIT
 *
 * The macros by which cncc leaves out of bang.h what a unit does not name: no function of the
 * language may be missing where it is named.
 */
#include "names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int g_failures;

static bool has(const StrList *command, const char *flag) {
  for (size_t i = 0; i < command->count; ++i) {
    if (strcmp(command->items[i], flag) == 0) return true;
  }
  return false;
}

static void check(bool holds, const char *what, const char *text) {
  if (holds) return;
  ++g_failures;
  fprintf(stderr, "FAIL: %s: %s\n", what, text);
}

static const char *const conversions[] = {
#define BANG_CONVERT(name, ...) #name,
#define BANG_CONVERT_FIX(name, ...) #name,
#define BANG_CONVERT_FIX2(name, ...) #name,
#define BANG_ONE(name, ...) #name,
#include "bang/all.def"
};

static void each_conversion_is_kept(void) {
  for (size_t i = 0; i < sizeof conversions / sizeof *conversions; ++i) {
    StrList command = {0};
    char *text = xasprintf("{ %s(a, b, n); }", conversions[i]);
    char *flag = xasprintf("-D__BANG_NAMED_%s=BANG_NAMED", conversions[i]);
    add_names(text, &command);
    check(has(&command, "-D__BANG_NAMES__") && has(&command, flag), "left out", text);
    free(flag);
    free(text);
    strlist_free(&command);
  }
}

static const struct {
  const char *name, *left_out;
} functions[] = {
#include "bang/rows.h"
#undef BANG_FUNCTION
#define BANG_FUNCTION(name, ...) {#name, "-D__BANG_NO_ATOMICS__"},
#include "bang/atomic.def"
#undef BANG_FUNCTION
#define BANG_FUNCTION(name, ...) {#name, "-D__BANG_NO_VECTOR_REGISTERS__"},
#include "bang/vv.def"
    {"vv_float", "-D__BANG_NO_VECTOR_REGISTERS__"},
#undef BANG_FUNCTION
#define BANG_FUNCTION(name, ...) {#name, "-D__BANG_NO_LIBDEVICE__"},
#include "bang/libdevice.def"
};

static void each_family_is_kept(void) {
  StrList nothing = {0};
  add_names("void f(float x) { (void)x; }", &nothing);
  for (size_t i = 0; i < sizeof functions / sizeof *functions; ++i) {
    StrList command = {0};
    add_names(functions[i].name, &command);
    check(!has(&command, functions[i].left_out), "left out", functions[i].name);
    check(has(&nothing, functions[i].left_out), "kept for nothing", functions[i].left_out);
    strlist_free(&command);
  }
  strlist_free(&nothing);
}

/* The command line stays short: a unit with very many names gets everything. */
static void many_names(void) {
  StrBuf text = {0};
  StrList command = {0};
  for (int i = 0; i < 1000; ++i) strbuf_printf(&text, "__bang_half2float_%d ", i);
  add_names(text.data, &command);
  check(command.count == 0, "macros", "a unit with 1000 names");
  strbuf_free(&text);
  strlist_free(&command);
}

int main(void) {
  each_conversion_is_kept();
  each_family_is_kept();
  many_names();
  if (g_failures == 0) printf("passed\n");
  return g_failures != 0;
}

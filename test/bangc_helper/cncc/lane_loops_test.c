/* SPDX-License-Identifier: MIT
 *
 * Which loops the Hopper root divides among the lanes of a task. One that should not be divided
 * would give wrong results there, now and then.
 */
#include "lane_loops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lower.h"
#include "target_sm90.h"

static int g_failures;

/* What stands before the functions. */
static const char prelude[] =
    "__mlu_func__ float twice(float x) { return x * 2; } "
    "__mlu_func__ float wide(const half &x) { return __half2float(x); } "
    "__mlu_func__ float wide(float x) { return x; } "
    "__mlu_func__ float deep(float x) { return twice(wide(x)); } "
    "__mlu_func__ float counted(float x) { ++calls; return x; } "
    "__mlu_func__ float logged(float x) { return note(x); } "
    "__mlu_func__ float again(float x) { return again(x - 1); } "
    "__mlu_func__ float either(float x) { return x; } "
    "__mlu_func__ float either(int *x) { return *x = 1; } "
    "template <class T> __mlu_func__ T as(float x) { return (T)x; } "
    "template <> __mlu_func__ half as<half>(float x) { return __float2half_rn(x); } "
    "template <class T> __mlu_func__ T kept(float x) { return (T)x; } "
    "template <> __mlu_func__ half kept<half>(float x) { return last = x; } "
    "float outside(float x); ";

static const char head[] =
    "__mlu_func__ void f(float *__restrict__ out, const float *in, int n) { ";

/* Bodies of functions with the parameters of `head`. */
static const char *const divided[] = {
    "for (int i = 0; i < n; ++i) out[i] = in[i];",
    "for (int64_t i = 2 * n + 1; i < n * (n + 1); i++) { out[i] += in[i + 1] + in[0]; }",
    "int m = n / 2; for (unsigned int i = 0; i < m; ++i) out[i] *= -1.0f;",
    "for (int i = 0; i < n; ++i) { float x = (float)in[i]; x += 1; if (x > 2) out[i] = x; }",
    "for (int i = 0; i < n; ++i) { float sum = 0, x[4]; for (int k = 0; k < 4; ++k) { sum += "
    "in[k * n + i]; } out[i] = sum; }",
    "for (int i = 0; i < n; ++i) { float x[2]; x[1] = in[i]; x[0]++; out[i] = x[0]; }",
    "for (int i = 0; i < n; ++i) out[i] = twice(in[i]) + deep(in[i]) + wide(in[i]);",
    "for (int i = 0; i < n; ++i) out[i] = static_cast<float>(fmaxf(in[i], 0)) + (float)(in[i]);",
    "for (int i = 0; i < n; ++i) out[i] = in[i] >= 0 ? in[i] : -in[i];",
    "for (int i = 0; i < n; ++i) out[i] = as<float>(in[i]);",
    "for (int i = 0; i < n; ++i) out[i]++;",
    "for (int i = 0; i < n; ++i) { Pair own = {}; own.x[1] = in[i]; out[i].x[0] = own.x[1]; }",
    "n += 1; for (int i = 0; i < n; ++i) out[i] = 0; g(in);",
    "if (n > 2) { for (int i = 0; i < n; ++i) out[i] = 0; } else { g(n); }",
};

static const char *const not_divided[] = {
    /* the order of iterations shows */
    "for (int i = 0; i < n; ++i) out[i] = out[i - 1];",
    "for (int i = 0; i < n; ++i) out[i + 1] = in[i];",
    "for (int i = 0; i < n; ++i) out[in[i]] = 1;",
    "for (int i = 0; i < n; ++i) out[0] = in[i];",
    "float sum = 0; for (int i = 0; i < n; ++i) { sum += in[i]; out[i] = sum; }",
    "float x = 0; for (int i = 0; i < n; ++i) out[i] = x++;",
    "float x = 0; for (int i = 0; i < n; ++i) out[i] = --x;",
    "int x = 8; for (int i = 0; i < n; ++i) { x >>= 1; out[i] = x; }",
    "for (int i = 0; i < n; ++i) { if (in[i] < 0) break; out[i] = 1; }",
    "for (int i = 0; i < n; ++i) { if (in[i] < 0) return; out[i] = 1; }",
    "for (int i = 0; i < n && in[i] > 0; ++i) out[i] = 1;",
    "for (int i = 0; i < in[i]; ++i) out[i] = 1;",
    "for (int i = 0; i < out[3]; ++i) out[i] = 1;",
    "for (int i = 0; i < n; ++i) { out[i] = 1; ++i; }",
    "for (int i = 0; i < n; i += 2) out[i] = 1;",
    "for (int i = n; i > 0; --i) out[i] = 1;",
    "int i; for (i = 0; i < n; ++i) out[i] = 1;",
    "for (int i = 0, k = 1; i < n; ++i) out[i] = k;",
    "for (float i = 0; i < n; ++i) out[i] = 1;",
    "for (int i = n++; i < n; ++i) out[i] = 1;",
    /* something else is written, or may be */
    "for (int i = 0; i < n; ++i) { float *p = keep; p[0] = i; out[i] = 1; }",
    "for (int i = 0; i < n; ++i) { float &x = keep; x = i; out[i] = 1; }",
    "for (int i = 0; i < n; ++i) { *keep = i; out[i] = 1; }",
    "for (int i = 0; i < n; ++i) { keep.x = i; out[i] = 1; }",
    "for (int i = 0; i < n; ++i) { keep.x[i] = i; out[i] = 1; }",
    "for (int i = 0; i < n; ++i) { keep[i].x = i; out[i] = 1; }",
    "for (int i = 0; i < n; ++i) out[0].x[i] = in[i];",
    "for (int i = 0; i < n; ++i) { Pair *p = keep; p->x = i; out[i] = 1; }",
    "for (int i = 0; i < n; ++i) { keep[i] = i; out[i] = 1; }",
    "for (int i = 0; i < n; ++i) { static int x; x = i; out[i] = x; }",
    "for (int i = 0; i < n; ++i) out[i] = counted(in[i]);",
    "for (int i = 0; i < n; ++i) out[i] = logged(in[i]);",
    "for (int i = 0; i < n; ++i) out[i] = again(in[i]);",
    "for (int i = 0; i < n; ++i) out[i] = either(in[i]);",
    "for (int i = 0; i < n; ++i) out[i] = kept<float>(in[i]);",
    "for (int i = 0; i < n; ++i) out[i] = outside(in[i]);",
    "for (int i = 0; i < n; ++i) out[i] = keep.next(in[i]);",
    "for (int i = 0; i < n; ++i) out[i] = keep->next(in[i]);",
    "for (int i = 0; i < n; ++i) out[i] = functions[i](in[i]);",
    "for (int i = 0; i < n; ++i) out[i] = (function)(in[i]);",
    "for (int i = 0; i < n; ++i) out[i] = [=] { return g(); }();",
    "for (int i = 0; i < n; ++i) { asm(\"\"); out[i] = 1; }",
    "for (int i = 0; i < n; ++i) { __bang_add(out, in, in, n); }",
    "for (int i = 0; i < n; ++i) g(in[i]);",
    "for (int i = 0; i < n; ++i) { out[i] = 1; __store2(keep, i); }",
    "for (int i = 0; i < n; ++i) { out[i] = 1; __vv_float2half(i); }",
    /* another pointer may point there */
    "float *q = out; for (int i = 0; i < n; ++i) out[i] = q[0];",
    "const float *q = &out[1]; for (int i = 0; i < n; ++i) out[i] = q[i];",
    "g(out); for (int i = 0; i < n; ++i) out[i] = 1;",
    "for (int i = 0; i < n; ++i) in[i] = 1;",
    /* there is no place for what is added */
    "if (n) for (int i = 0; i < n; ++i) out[i] = 1; else g(n);",
};

/* Heads with which the plainest loop is not divided. */
static const char *const other_heads[] = {
    "__mlu_func__ void f(float *out, int n) { ",
    "__mlu_func__ void f(float *__restrict__ &out, int n) { ",
    "__mlu_func__ void f(float **__restrict__ out, int n) { ",
    "__mlu_host__ __mlu_func__ void f(float *__restrict__ out, int n) { ",
};

/* Lowers a unit for the Hopper root and counts the loops that are divided; -1: it is refused. */
static int divided_loops(const char *text, size_t size) {
  const LowerOptions options = {.target = &target_sm90,
                                .arch = arch_by_name(target_sm90.default_arch),
                                .system_root = "/neuware/include",
                                .unit_tag = "tag"};
  Lowered lowered = {0};
  int count = -1;
  if (lower_unit(text, size, &options, &lowered)) {
    count = 0;
    for (const char *p = lowered.text.data; (p = strstr(p, "__bang_first_pass(")) != NULL; ++p)
      ++count;
  }
  strbuf_free(&lowered.text);
  return count;
}

static void check(const char *start, const char *body, int count) {
  char *text = xasprintf("%s%s%s }", prelude, start, body);
  const int found = divided_loops(text, strlen(text));
  if (found != count) {
    printf("FAIL: %d loops are divided, not %d: %s%s\n", found, count, start, body);
    ++g_failures;
  }
  free(text);
}

/* Loops of a header of kernels, which are written to be divided. */
static void check_header(const char *numbers, const char *path, int count) {
  StrBuf text = {0};
  const bool is_read = read_file(numbers, &text) && read_file(path, &text);
  const int found = is_read ? divided_loops(text.data, text.size) : -1;
  if (found != count) {
    printf("FAIL: %s: %d loops are divided, not %d\n", path, found, count);
    ++g_failures;
  }
  strbuf_free(&text);
}

int main(int argc, char **argv) {
  for (size_t i = 0; i < sizeof divided / sizeof *divided; ++i) check(head, divided[i], 1);
  for (size_t i = 0; i < sizeof not_divided / sizeof *not_divided; ++i)
    check(head, not_divided[i], 0);
  for (size_t i = 0; i < sizeof other_heads / sizeof *other_heads; ++i)
    check(other_heads[i], divided[0], 0);
  if (argc == 3) check_header(argv[1], argv[2], 1);
  printf(g_failures ? "%d failures\n" : "passed\n", g_failures);
  return g_failures != 0;
}

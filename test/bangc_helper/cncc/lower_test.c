/* SPDX-License-Identifier: MIT
 *
 * Lowers small sources: checks what must appear, what must not, and what must be refused. Damaged
 * sources must not crash the lowering.
 */
#include "lower.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "goldens.h"
#include "includes.h"
#include "source.h"
#include "target_cpu.h"
#include "target_sm90.h"

static int g_failures;

/* Lowering for the CPU, for the CPU with the address sanitizer, or for a GPU. */
typedef enum Way { PLAIN, WITH_REDZONES, FOR_GPU } Way;

static bool lower_whole(const char *text, Way way, Lowered *out) {
  const Target *target = way == FOR_GPU ? &target_sm90 : &target_cpu;
  LowerOptions options = {.target = target,
                          .arch = arch_by_name(target->default_arch),
                          .system_root = "/neuware/include",
                          .unit_tag = "tag",
                          .has_redzones = way == WITH_REDZONES};
  /* A copy of the exact size lets AddressSanitizer see a read past the end. */
  char *copy = xstrndup(text, strlen(text));
  bool ok = lower_unit(copy, strlen(copy), &options, out);
  free(copy);
  return ok;
}

static bool lower_text(const char *text, Way way, StrBuf *out) {
  Lowered lowered = {0};
  bool ok = lower_whole(text, way, &lowered);
  *out = lowered.text;
  return ok;
}

/* Removes line markers and reduces white space to single blanks. */
static char *normalise(const char *text) {
  StrBuf out = {0};
  strbuf_add(&out, "", 0);
  bool line_start = true, space = false;
  for (const char *p = text; *p; ++p) {
    if (line_start && p[0] == '#' && p[1] == ' ') {
      while (*p && *p != '\n') ++p;
      space = true;
      if (!*p) break;
      continue;
    }
    line_start = *p == '\n';
    if (isspace((unsigned char)*p)) {
      space = true;
      continue;
    }
    if (space && out.size) strbuf_puts(&out, " ");
    space = false;
    strbuf_add(&out, p, 1);
  }
  return out.data;
}

static void check_golden(const Golden *g, Way way) {
  StrBuf out = {0};
  if (!lower_text(g->input, way, &out)) {
    printf("FAIL %s: refused\n", g->what);
    ++g_failures;
    strbuf_free(&out);
    return;
  }
  char *text = normalise(out.data);
  const char *end = strstr(text, "void __bang_unit_begin() {"); /* starts the generated end */
  for (size_t i = 0; i < 8 && g->checks[i]; ++i) {
    bool banned = g->checks[i][0] == '!';
    const char *found = strstr(text, g->checks[i] + banned);
    if ((found && !(banned && found >= end)) == banned) {
      printf("FAIL %s: %s: %s\n  in: %s\n", g->what, banned ? "unwanted" : "missing",
             g->checks[i] + banned, text);
      ++g_failures;
    }
  }
  free(text);
  strbuf_free(&out);
}

static const char *const refused[] = {
    "void h() { K<<<d, t, q>>(x); }",
    "void h() { K<<<d, t, q>>>; }",
    "void h() { K<<<>>>(x); }",
    "void h() { K<<<d>>>(x); }",
    "void h() { K<<<d, t, q, 0>>>(x); }",
    "void h() { <<<d, t, q>>>(x); }",
    "void h() { K<<<d, t, q",
    "__mlu_global__ 3 + 4;",
    "__mlu_shared__ int s = 1;",
    "void f() { asm(\"frobnicate.nram.f32 [%0];\" :: \"r\"(p)); }",
    "void f() { asm(\"fuse.nram.f32 [%0], %1, [%0], .frob(%1);\" :: \"r\"(p), \"r\"(n)); }",
    "void f() { asm(\"fuse.nram.f32 [%[a]], %[n], [%[nobody]];\" :: [a] \"r\"(p), [n] \"r\"(n)); }",
};

/* Cuts the text at each character, replaces the character and removes it. The lowering may accept
 * or refuse the result, but must return. */
static void check_damage(const char *text, Way way) {
  size_t n = strlen(text);
  char *copy = xmalloc(n + 1);
  for (size_t i = 0; i < n; ++i) {
    memcpy(copy, text, n + 1);
    StrBuf cut = {0}, odd = {0}, gone = {0};
    copy[i] = '\0';
    lower_text(copy, way, &cut);
    copy[i] = "(){}[]<>;:\"'%"[i % 13];
    lower_text(copy, way, &odd);
    memmove(copy + i, text + i + 1, n - i);
    lower_text(copy, way, &gone);
    strbuf_free(&cut);
    strbuf_free(&odd);
    strbuf_free(&gone);
  }
  free(copy);
}

/* The line markers of the lowered text must keep each token at the line in its name. */
static void check_lines(void) {
  const char *text =
      "# 1 \"x.mlu\"\n"
      "void at_2(); __nram__ int b[2] = {1,\n"
      "2}; int at_2b;\n"
      "# 10 \"x.mlu\"\n"
      "void at_10() { K<<<d,\n"
      "t, q>>>(at_11,\n"
      "at_12); int at_12b; }\n";
  StrBuf out = {0};
  if (!lower_text(text, PLAIN, &out)) ++g_failures;
  static const struct {
    const char *name;
    int line;
  } expected[] = {{"at_2b", 2}, {"at_11", 11}, {"at_12)", 12}, {"at_12b", 12}};
  Source source;
  source_init(&source, out.data, out.size, NULL);
  for (size_t e = 0; e < sizeof expected / sizeof *expected; ++e) {
    bool found = false;
    char name[16];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(expected[e].name, ")"), expected[e].name);
    for (int i = 0; i < source.count; ++i) {
      found |= token_is(&source, i, name) && source.tokens[i].line == expected[e].line;
    }
    if (!found) {
      printf("FAIL %s is not at line %d in:\n%s\n", name, expected[e].line, out.data);
      ++g_failures;
    }
  }
  source_free(&source);
  strbuf_free(&out);
}

/* System headers become #include lines again; the user's headers stay as text. */
static void check_includes(void) {
  static const char text[] =
      "# 0 \"x.mlu\"\n# 1 \"/neuware/include/bang.h\" 1\nint bang;\n# 0 \"x.mlu\" 2\n"
      "#include <stdint.h>\n# 1 \"x.mlu\"\n# 1 \"/usr/include/stdint.h\" 1 3 4\n"
      "#include <bits/types.h>\n# 1 \"/usr/include/bits/types.h\" 1 3 4\nint inner;\n"
      "# 9 \"/usr/include/stdint.h\" 2 3 4\nint outer;\n# 2 \"x.mlu\" 2\n"
      "#include \"u.h\"\n# 1 \"u.h\" 1\nint user;\n# 3 \"x.mlu\" 2\nint own;\n";
  static const char *const present[] = {"#include <stdint.h>", "int user;", "int own;",
                                        "# 3 \"x.mlu\"\n"};
  static const char *const absent[] = {"int bang;", "int inner;", "int outer;", "bits/types.h",
                                       "#include \"u.h\""};
  StrBuf out = {0};
  restore_system_includes(text, sizeof text - 1, "/neuware/include", &out);
  for (size_t i = 0; i < sizeof present / sizeof *present; ++i) {
    if (!strstr(out.data, present[i])) {
      printf("FAIL includes: no %s in:\n%s\n", present[i], out.data);
      ++g_failures;
    }
  }
  for (size_t i = 0; i < sizeof absent / sizeof *absent; ++i) {
    if (strstr(out.data, absent[i])) {
      printf("FAIL includes: %s in:\n%s\n", absent[i], out.data);
      ++g_failures;
    }
  }
  strbuf_free(&out);
}

/* memory_core_is_idle must be true exactly if lowered kernels return at once on memory cores. */
static void check_facts(void) {
  static const struct {
    const char *text;
    bool is_idle;
    int vector_calls, copy_calls;
  } units[] = {
      {"__mlu_global__ void K() { f(); }", true, 0, 0},
      {"__mlu_global__ void K() { if (__is_mpu()) return; __bang_abs(a, b, 64); }", true, 1, 0},
      {"__mlu_global__ void K() { if (__is_mpu()) { f(\"__bang_\"); } }", false, 0, 0},
      {"__mlu_global__ void K() { __memcpy(a, b, 64, GDRAM2NRAM); __memcpy_async(c, a, 64, "
       "NRAM2GDRAM); }",
       true, 0, 2},
      {"template <class T> __mlu_func__ void g(T *a) { __bang_add(a, a, a, 8); }"
       "__mlu_global__ void K() { __bang_mul(a, a, a, 8); }",
       true, 2, 0}};
  for (size_t i = 0; i < sizeof units / sizeof *units; ++i) {
    Lowered out = {0};
    bool ok = lower_whole(units[i].text, FOR_GPU, &out);
    bool returns = ok && strstr(out.text.data, "if (::__is_mpu()) return;") != NULL;
    if (!ok || out.facts.memory_core_is_idle != units[i].is_idle || returns != units[i].is_idle ||
        out.facts.vector_calls != units[i].vector_calls ||
        out.facts.copy_calls != units[i].copy_calls) {
      printf("FAIL facts of: %s\n", units[i].text);
      ++g_failures;
    }
    strbuf_free(&out.text);
  }
}

static void check_goldens(const Golden *list, Way way) {
  for (const Golden *g = list; g->what; ++g) {
    check_golden(g, way);
    check_damage(g->input, way);
  }
}

int main(void) {
  if (!freopen("/dev/null", "w", stderr)) return 1;
  check_goldens(goldens, PLAIN);
  check_goldens(redzone_goldens, WITH_REDZONES);
  check_goldens(gpu_goldens, FOR_GPU);
  for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
    StrBuf out = {0};
    if (lower_text(refused[i], PLAIN, &out)) {
      printf("FAIL accepted: %s\n", refused[i]);
      ++g_failures;
    }
    strbuf_free(&out);
    check_damage(refused[i], PLAIN);
  }
  check_lines();
  check_includes();
  check_facts();
  printf("%d failure%s\n", g_failures, g_failures == 1 ? "" : "s");
  return g_failures ? 1 : 0;
}

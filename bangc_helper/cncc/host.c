/* SPDX-License-Identifier: MIT */
#include "host.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process.h"

/* A command may have several words ("ccache g++"), but a path may contain spaces too. */
static void split_command(const char *text, StrList *words) {
  if (!strchr(text, ' ') || access(text, X_OK) == 0) {
    strlist_add(words, text);
    return;
  }
  const char *p = text;
  while (*p) {
    p += strspn(p, " ");
    size_t n = strcspn(p, " ");
    if (n) strlist_take(words, xstrndup(p, n));
    p += n;
  }
}

static bool calls_itself_clang(const StrList *cxx) {
  StrList command = {0};
  StrBuf out = {0};
  strlist_add_all(&command, cxx);
  strlist_add(&command, "--version");
  bool clang = capture_command(&command, &out) && out.data && strstr(out.data, "clang");
  strlist_free(&command);
  strbuf_free(&out);
  return clang;
}

void host_init(Host *host) {
  *host = (Host){0};
  const char *cxx = getenv("CNCC_HOST_CXX");
  const char *c = getenv("CNCC_HOST_CC");
  bool overridden = cxx && *cxx;
  split_command(overridden ? cxx : CNCC_DEFAULT_CXX, &host->cxx);
  split_command(c && *c ? c : CNCC_DEFAULT_CC, &host->c);
  if (host->cxx.count == 0) fatal("CNCC_HOST_CXX names no compiler");
  host->is_clang = overridden ? calls_itself_clang(&host->cxx) : CNCC_DEFAULT_CXX_IS_CLANG;
}

void host_free(Host *host) {
  strlist_free(&host->cxx);
  strlist_free(&host->c);
}

/* Flags of the vendor's clang and their spelling for gcc; "" drops the flag. */
static const struct {
  const char *clang;
  const char *gcc;
} translations[] = {
    {"-fcolor-diagnostics", "-fdiagnostics-color=always"},
    {"-fansi-escape-codes", ""},
    {"-fno-color-diagnostics", "-fdiagnostics-color=never"},
    {"-fprofile-instr-generate", "--coverage"},
    {"-fcoverage-mapping", ""},
    {"-Weverything", "-Wall"},
    {"-Wmost", "-Wall"},
    {"-Wthread-safety", ""},
    {"-Wdocumentation", ""},
    {"-Wshorten-64-to-32", ""},
    {"-Wself-assign", ""},
    {"-Wheader-hygiene", ""},
    {"-Wloop-analysis", ""},
    {"-Wrange-loop-analysis", ""},
    {"-Wunused-private-field", ""},
    {"-Wconstant-conversion", ""},
    {"-Wbool-conversion", ""},
    {"-Wint-conversion", ""},
    {"-Wmissing-declarations", ""}, /* another warning in gcc */
    {"-Wtautological-constant-out-of-range-compare", ""},
};

static const char *translate(const char *flag) {
  if (starts_with(flag, "-ferror-limit=")) return "";
  for (size_t i = 0; i < sizeof translations / sizeof *translations; ++i) {
    if (strcmp(flag, translations[i].clang) == 0) return translations[i].gcc;
  }
  return flag;
}

void host_add_flags(const Host *host, const StrList *flags, StrList *command) {
  for (size_t i = 0; i < flags->count; ++i) {
    const char *flag = flags->items[i];
    if (!host->is_clang && strcmp(flag, "-emit-llvm") == 0) {
      fatal("-emit-llvm needs clang as the host compiler (CNCC_HOST_CXX)");
    }
    if (!host->is_clang && strcmp(flag, "-Xclang") == 0) { /* for clang's inner command only */
      ++i;
      continue;
    }
    if (!host->is_clang) flag = translate(flag);
    if (*flag) strlist_add(command, flag);
  }
}

void host_add_half_flags(const Host *host, StrList *command) {
  static const char *const half[] = {"-fnative-half-type", "-fallow-half-arguments-and-returns"};
  for (size_t i = 0; host->is_clang && i < 2; ++i) {
    strlist_add(command, "-Xclang");
    strlist_add(command, half[i]);
  }
}

void host_add_language_flags(const Host *host, StrList *command) {
  /* Kernels access one buffer under several types, and every operation must round once. */
  strlist_add(command, "-fno-strict-aliasing");
  strlist_add(command, "-ffp-contract=off");
  /* A device has neither floating-point traps nor errno, and loops become vectors more often. */
  strlist_add2(command, "-fno-trapping-math", "-fno-math-errno");
  /* A plain char is signed, as int8_t of the language; on Arm the default is unsigned. */
  strlist_add(command, "-fsigned-char");
  /* The vendor's objects are position independent without a flag. */
  strlist_add(command, "-fPIC");
  host_add_half_flags(host, command);
}

/* The last flag wins, as in the compiler. */
bool host_sanitizes_addresses(const StrList *user) {
  bool does = false;
  for (size_t i = 0; i < user->count; ++i) {
    const char *flag = user->items[i];
    bool on = starts_with(flag, "-fsanitize=");
    if ((on || starts_with(flag, "-fno-sanitize=")) && strstr(flag, "address")) does = on;
  }
  return does;
}

bool host_checks_divisions(const StrList *user) {
#if defined(__aarch64__)
  for (size_t i = 0; i < user->count; ++i) {
    const char *flag = user->items[i];
    /* The undefined-behaviour sanitizer detects these itself. */
    if (starts_with(flag, "-fsanitize=") && (strstr(flag, "undefined") || strstr(flag, "integer")))
      return false;
  }
  return true;
#else
  (void)user;
  return false; /* the CPU traps */
#endif
}

void host_add_division_checks(const Host *host, StrList *command) {
  strlist_add(command, "-fsanitize=integer-divide-by-zero");
  strlist_add(command, "-fsanitize-recover=integer-divide-by-zero");
  /* The runtime may continue after the division, but gcc would place an illegal instruction there.
   * clang's table of addresses would name the function that is no longer called. */
  strlist_add(command,
              host->is_clang ? "-fno-addrsig" : "-fno-isolate-erroneous-paths-dereference");
}

/* Kernels may have variables and functions that only other architectures use (the vendor compiles
 * every function per architecture), and clang's -Wall is narrower than gcc's. Some warnings also
 * misfire on preprocessed text. */
static const char *const quiet_both[] = {
    "unused-but-set-variable",
    "unused-but-set-parameter",
    "unused-variable",
    "unused-function",
    "unused-const-variable",
    "unknown-pragmas",
    "sign-compare",
    "comment",
    "ignored-attributes",
    "misleading-indentation",
    "implicit-fallthrough",
    "array-bounds",
    "unused-local-typedefs",
    "parentheses",
    "unused-value",
    "ignored-qualifiers",
};
static const char *const quiet_gcc[] = {
    "maybe-uninitialized",
    "class-memaccess",
    "stringop-overflow",
    "stringop-overread",
    "stringop-truncation",
    "format-overflow",
    "format-truncation",
    "restrict",
    "int-in-bool-context",
    "nonnull-compare",
    "bool-operation",
    "type-limits",
    "psabi",
    "attributes",
    "subobject-linkage",
    "address",
    "dangling-pointer",
    "aggressive-loop-optimizations",
    "cast-function-type",
    "deprecated-copy",
    "sequence-point",
    "multistatement-macros",
    "memset-elt-size",
    "bool-compare",
};
static const char *const quiet_clang[] = {
    "unknown-warning-option",        "unused-command-line-argument",
    "parentheses-equality",          "unused-comparison",
    "tautological-compare",          "undefined-internal",
    "unneeded-internal-declaration", "pass-failed",
    "unused-lambda-capture",         "deprecated-volatile",
};

static bool asked_by_name(const StrList *flags, const char *name) {
  for (size_t i = 0; i < flags->count; ++i) {
    const char *flag = flags->items[i];
    if (!starts_with(flag, "-W")) continue;
    flag += 2;
    if (starts_with(flag, "error=")) flag += 6;
    if (strcmp(flag, name) == 0) return true;
  }
  return false;
}

static void add_quiet(const char *const *names, size_t count, const StrList *user,
                      StrList *command) {
  for (size_t i = 0; i < count; ++i) {
    if (!asked_by_name(user, names[i])) strlist_take(command, xasprintf("-Wno-%s", names[i]));
  }
}

void host_add_quiet_flags(const Host *host, const StrList *user, StrList *command) {
  add_quiet(quiet_both, sizeof quiet_both / sizeof *quiet_both, user, command);
  if (host->is_clang) {
    add_quiet(quiet_clang, sizeof quiet_clang / sizeof *quiet_clang, user, command);
  } else {
    add_quiet(quiet_gcc, sizeof quiet_gcc / sizeof *quiet_gcc, user, command);
  }
}

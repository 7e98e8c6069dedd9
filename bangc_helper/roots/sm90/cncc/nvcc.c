/* SPDX-License-Identifier: MIT */
#include "nvcc.h"

#include <stdlib.h>
#include <string.h>

#include "kernel_flags.h"

/* Undefined if cncc is built for another root. */
#ifndef CNCC_DEFAULT_NVCC
#define CNCC_DEFAULT_NVCC "nvcc"
#endif

/* Warnings of nvcc about code that the vendor's compiler accepts silently: unused functions and
 * variables, unreachable statements, extern declarations, host functions called from functions for
 * both sides. */
#define QUIET_DIAGNOSTICS "177,550,111,128,186,1835,20012,20044,20091"

/* nvcc splits the value at commas and passes it to a shell, so special characters, such as spaces
 * in a folder name, must be quoted. */
static void add_quoted(const char *flag, StrList *command) {
  bool whole = !strpbrk(flag, " ,") || strchr(flag, '"');
  strlist_add(command, "-Xcompiler");
  strlist_take(command, whole ? xstrdup(flag) : xasprintf("\"%s\"", flag));
}

/* nvcc's -O is for the host. Device code is fully optimised unless its own compilers get a level.
 */
static void add_optimisation(const StrList *flags, StrList *command) {
  const char *level = NULL; /* the last one counts */
  for (size_t i = 0; i < flags->count; ++i) {
    if (starts_with(flags->items[i], "-O")) level = flags->items[i];
  }
  if (!level) return;
  const bool is_low = strcmp(level, "-O0") == 0 || strcmp(level, "-O1") == 0;
  strlist_add(command, is_low ? level : "-O3");
  if (strcmp(level, "-O1") != 0) return;
  strlist_add2(command, "-Xcicc", level);
  strlist_add2(command, "-Xptxas", level);
}

/* Flags for the host compiler go through nvcc one by one. -g also applies to device code, and
 * nvcc's own front end needs its own option for the signedness of char. */
static void add_host_flags(const StrList *flags, StrList *command) {
  for (size_t i = 0; i < flags->count; ++i) {
    const char *flag = flags->items[i];
    if (strcmp(flag, "-fsigned-char") == 0) strlist_add2(command, "-Xcudafe", "--signed_chars");
    if (strcmp(flag, "-funsigned-char") == 0) strlist_add2(command, "-Xcudafe", "--unsigned_chars");
    if (starts_with(flag, "-O")) continue;
    if (strcmp(flag, "-g") == 0) strlist_add(command, "-lineinfo");
    add_quoted(flag, command);
  }
  add_optimisation(flags, command);
}

/* Macros can change what system headers declare; include folders were already used by the
 * preprocessor. */
static void add_definitions(const StrList *flags, StrList *command) {
  for (size_t i = 0; i < flags->count; ++i) {
    const char *flag = flags->items[i];
    bool folder =
        starts_with(flag, "-I") || strcmp(flag, "-isystem") == 0 || strcmp(flag, "-iquote") == 0;
    bool definition = starts_with(flag, "-D") || starts_with(flag, "-U");
    if (!folder && !definition) continue;
    strlist_add(command, flag);
    bool has_value = strlen(flag) == 2 || (folder && flag[1] == 'i');
    if (has_value && i + 1 < flags->count) strlist_add(command, flags->items[++i]);
  }
}

void nvcc_command(const Options *options, const Host *host, const char *include,
                  const char *lowered, const char *output, StrList *command) {
  const char *nvcc = getenv("CNCC_NVCC");
  strlist_add(command, nvcc && *nvcc ? nvcc : CNCC_DEFAULT_NVCC);
  strlist_add2(command, "-ccbin", host->cxx.items[host->cxx.count - 1]);
  strlist_take(command, kernel_standard(options->standard));
  strlist_add2(command, "-gencode", "arch=compute_90,code=sm_90");
  /* A kernel's body is a device lambda; fused multiply-add is off, so that each operation rounds.
   */
  static const char *const language[] = {"--extended-lambda", "--expt-relaxed-constexpr",
                                         "-fmad=false", "-diag-suppress", QUIET_DIAGNOSTICS};
  for (size_t i = 0; i < sizeof language / sizeof *language; ++i) strlist_add(command, language[i]);
  add_kernel_macros(&options->arch, command);
  add_definitions(&options->preprocess, command);
  StrList flags = {0};
  host_add_language_flags(host, &flags);
  host_add_flags(host, &options->compile, &flags);
  host_add_quiet_flags(host, &options->compile, &flags);
  add_host_flags(&flags, command);
  strlist_free(&flags);
  if (!options->no_neuware_include) {
    strlist_add(command, "-isystem");
    strlist_take(command, xasprintf("%s/nvcc", include));
    strlist_add2(command, "-isystem", include);
    strlist_add(command, "-include");
    strlist_take(command, xasprintf("%s/bang.h", include));
  }
  strlist_add2(command, "-x", "cu");
  if (options->output_kind == OUTPUT_NOTHING) {
    strlist_add2(command, "-c", lowered);
    strlist_add2(command, "-o", "/dev/null");
  } else {
    strlist_add2(command, options->output_kind == OUTPUT_ASSEMBLY ? "-ptx" : "-c", lowered);
    strlist_add2(command, "-o", output);
  }
}

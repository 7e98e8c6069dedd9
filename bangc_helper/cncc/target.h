/* SPDX-License-Identifier: MIT
 *
 * What a root adds to cncc: how lowered code looks there, and which commands make an object of it.
 * Every root of roots/list.cmake has one in roots/<name>/cncc/, a constant named target_<name>; the
 * build chooses which of them cncc uses. A function that is NULL has nothing to do.
 */
#ifndef CNCC_TARGET_H_
#define CNCC_TARGET_H_

#include "arch.h"
#include "declaration.h"
#include "scope.h"
#include "util.h"

typedef struct Job Job;
typedef struct Lowering Lowering;

/* A kernel file after the lowering, on its way to an object. */
typedef struct LoweredFile {
  const char *path;
  const char *stem;   /* of the source: names intermediate files (job_intermediate) */
  const char *output; /* NULL: only look for mistakes */
  bool memory_core_is_idle;
  bool is_part; /* of a file for several architectures: the output is for `join` */
} LoweredFile;

/* What `compile` made of a part. */
typedef struct CompiledPart {
  int architecture;
  char *path;
} CompiledPart;

typedef struct Target {
  const char *title; /* --version: "BANG C for <title>" */

  /* ---- Options ---- */

  /* The architecture where the command line names none. */
  const char *default_arch;
  /* Overruns of on-chip variables are to be seen: gaps lie between them. */
  bool has_gaps;
  /* Words that are read before those of the command line; NULL-terminated, or NULL. */
  const char *const *default_options;
  /* Changes what the root has otherwise than the card of that architecture: sizes of memories. */
  void (*adjust_arch)(Arch *arch);

  /* ---- Commands ---- */

  /* Words for the preprocessor. `for_reading`: its output is what the user asked for. */
  void (*add_preprocess_flags)(const Job *job, bool for_reading, StrList *command);
  /* Changes preprocessed text before it is lowered. */
  void (*filter_preprocessed)(const Job *job, StrBuf *text);
  /* Runs what makes file->output of the lowered file, in as many steps as it takes; the exit
   * status. */
  int (*compile)(const Job *job, const LoweredFile *file);
  /* Makes the output of the parts for several architectures. NULL: kernels are compiled for the
   * first architecture that the command line names. */
  int (*join)(const Job *job, const CompiledPart *parts, size_t count, const char *stem,
              const char *output);
  /* Libraries beside libcnrt. */
  void (*add_link_flags)(const Job *job, StrList *command);

  /* ---- Lowering ---- */

  /* A unit begins and ends. `out` is the end of its lowered text, NULL after errors. What the
   * target remembers of a unit in between hangs on lowering->state. */
  void (*begin_unit)(Lowering *lowering);
  void (*end_unit)(Lowering *lowering, StrBuf *out);

  /* A device function begins with this word ("" or one with a blank after it); __mlu_host__ becomes
   * that word (NULL: nothing); noinline on a mere declaration that one (NULL: it stays). */
  const char *device_word;
  const char *host_word;
  const char *noinline_word;
  /* Attributes of a device function, which is a class's member or not. */
  void (*append_attributes)(StrBuf *out, const Lowering *lowering, const Declaration *decl,
                            bool member);
  /* What a device function's body begins and ends with, inside its braces. */
  void (*wrap_body)(Lowering *lowering, const Declaration *decl, StrBuf *open, StrBuf *close);
  /* The same of a kernel's body: called by the host, it must not run but be launched. `itself` is
   * what append_kernel_itself gives, NULL: nothing. */
  void (*wrap_kernel)(Lowering *lowering, const Declaration *decl, const char *itself, StrBuf *open,
                      StrBuf *close);
  /* A host program of another compiler may pass the address of a kernel's C name. */
  bool exports_kernel_names;

  /* Variables in NRAM, WRAM, shared RAM and LDRAM; in a class only static ones. */
  void (*lower_onchip)(Lowering *lowering, const Declaration *decl, ScopeKind scope);
  /* A variable in device memory, before the words that all targets put there. */
  void (*lower_global)(Lowering *lowering, const Declaration *decl, bool is_definition);
} Target;

#endif /* CNCC_TARGET_H_ */

/* SPDX-License-Identifier: MIT
 *
 * What a root adds to cncc: how lowered code looks, and which commands make an object of it. Every
 * root of roots/list.cmake has a constant target_<name> in roots/<name>/cncc/, and the build
 * chooses the one that cncc uses. Functions may be NULL: then there is nothing to do.
 */
#ifndef CNCC_TARGET_H_
#define CNCC_TARGET_H_

#include "arch.h"
#include "declaration.h"
#include "scope.h"
#include "util.h"

typedef struct Job Job;
typedef struct Lowering Lowering;

/* What lowering found out about a unit. */
typedef struct UnitFacts {
  bool memory_core_is_idle; /* memory cores return from the unit's kernels at once */
  int vector_calls;         /* vector functions named in the unit */
  int copy_calls;           /* copies named in it */
} UnitFacts;

/* A kernel file after lowering. */
typedef struct LoweredFile {
  const char *path;
  const char *stem;   /* of the source: names intermediate files (job_intermediate) */
  const char *output; /* NULL: only check for errors */
  UnitFacts facts;
  bool is_part; /* one of several architectures: `join` combines the outputs */
} LoweredFile;

/* Output of `compile` for one architecture. */
typedef struct CompiledPart {
  int architecture;
  char *path;
} CompiledPart;

typedef struct Target {
  const char *title; /* --version: "BANG C for <title>" */

  /* ---- Options ---- */

  /* The default architecture. */
  const char *default_arch;
  /* True if overruns of on-chip variables are detected by red zones between them. */
  bool has_redzones;
  /* Options that precede the command line; NULL-terminated, or NULL. */
  const char *const *default_options;
  /* Adapts the architecture to the root where it differs from the card: sizes of memories. */
  void (*adjust_arch)(Arch *arch);

  /* ---- Commands ---- */

  /* Options for the preprocessor. `for_reading`: its output is what the user asked for. */
  void (*add_preprocess_flags)(const Job *job, bool for_reading, StrList *command);
  /* Changes preprocessed text before it is lowered. */
  void (*filter_preprocessed)(const Job *job, StrBuf *text);
  /* The words of the host compiler's command, without those for input and output. NULL: another
   * compiler makes the objects. */
  void (*begin_compile)(const Job *job, StrList *command);
  /* Runs the commands that make file->output from the lowered file; returns the exit status. */
  int (*compile)(const Job *job, const LoweredFile *file);
  /* Combines the outputs for several architectures. NULL: kernels are compiled only for the first
   * architecture of the command line. */
  int (*join)(const Job *job, const CompiledPart *parts, size_t count, const char *stem,
              const char *output);
  /* Libraries beside libcnrt. */
  void (*add_link_flags)(const Job *job, StrList *command);

  /* ---- Lowering ---- */

  /* Start and end of a unit. `out` is the end of its lowered text, NULL after errors. The target
   * may keep its state of the unit in lowering->state. */
  void (*begin_unit)(Lowering *lowering);
  void (*end_unit)(Lowering *lowering, StrBuf *out);

  /* Words with a trailing blank, or "": before a device function; instead of __mlu_host__ (NULL:
   * nothing); instead of noinline on a declaration (NULL: unchanged). */
  const char *device_word;
  const char *host_word;
  const char *noinline_word;
  /* Attributes of a device function, which may be a member of a class. */
  void (*append_attributes)(StrBuf *out, const Lowering *lowering, const Declaration *decl,
                            bool member);
  /* Code at the start and the end of a device function's body. */
  void (*wrap_body)(Lowering *lowering, const Declaration *decl, StrBuf *open, StrBuf *close);
  /* The same for a kernel's body: when the host calls it, it must launch instead of run. `itself`
   * is the result of append_kernel_itself, NULL: nothing. */
  void (*wrap_kernel)(Lowering *lowering, const Declaration *decl, const char *itself, StrBuf *open,
                      StrBuf *close);
  /* True if a host program of another compiler may pass the address of a kernel's C name. */
  bool exports_kernel_names;

  /* Variables in NRAM, WRAM, shared RAM and LDRAM; in a class only static ones. */
  void (*lower_onchip)(Lowering *lowering, const Declaration *decl, ScopeKind scope);
  /* A variable in device memory, before the words that all targets put there. */
  void (*lower_global)(Lowering *lowering, const Declaration *decl, bool is_definition);
} Target;

#endif /* CNCC_TARGET_H_ */

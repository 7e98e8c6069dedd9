/* SPDX-License-Identifier: MIT
 *
 * The command line, sorted by what each word is for.
 */
#ifndef CNCC_OPTIONS_H_
#define CNCC_OPTIONS_H_

#include "arch.h"
#include "util.h"

typedef struct Target Target;

typedef enum OutputKind {
  OUTPUT_EXECUTABLE,   /* or a shared library */
  OUTPUT_OBJECT,       /* -c */
  OUTPUT_ASSEMBLY,     /* -S */
  OUTPUT_PREPROCESSED, /* -E */
  OUTPUT_DEPENDENCIES, /* -M, -MM */
  OUTPUT_NOTHING,      /* -fsyntax-only */
} OutputKind;

typedef enum Language {
  LANGUAGE_BANG,
  LANGUAGE_CXX,
  LANGUAGE_C,
  LANGUAGE_OTHER, /* files that the host compiler knows: assembly, ... */
  LANGUAGE_LINK,  /* objects, archives, libraries, -l words */
} Language;

/* Inputs and linker words in the given order, which matters to the linker. */
typedef struct Input {
  char *text;
  Language language;
  char *forced; /* value of -x for the host compiler, NULL: by suffix */
} Input;

typedef struct Options {
  OutputKind output_kind;
  char *output; /* -o */
  Input *inputs;
  size_t input_count;

  StrList preprocess; /* -I, -D, -U, -include, ... */
  StrList compile;    /* everything else a compilation needs; goes to the linker driver too */
  StrList link;       /* linker words whose order does not matter */
  char *standard;     /* -std=... */

  bool depend, depend_user_only; /* -MD / -MMD, or the flavour of -M */
  char *depend_file;             /* -MF */
  StrList depend_targets;        /* -MT x / -MQ x, as given */
  bool depend_phony;             /* -MP */

  /* The architectures of the command line; the root may compile for the first one only. `arch` is
   * the one being compiled for. */
  Arch archs[CNCC_MAX_ARCHS], arch;
  size_t arch_count;
  bool dry_run, verbose, save_temps;
  bool device_only; /* the object is for a host program that was compiled without this compiler */
  bool strict;      /* accept only what is publicly known of the language */
  bool no_neuware_include, no_neuware_lib;
  bool wants_version, wants_help;
  bool passes_query; /* -dumpmachine, -print-...: a question to the host compiler */
} Options;

/* Ends the program with a message when the command line is wrong. */
void options_parse(Options *options, const Target *target, int argc, char **argv);
void options_free(Options *options);

#endif /* CNCC_OPTIONS_H_ */

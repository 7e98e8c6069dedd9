/* SPDX-License-Identifier: MIT */
#include "options.h"

#include <stdlib.h>
#include <string.h>

#include "response.h"
#include "target.h"

/* How an option is treated. Options with a value accept it joined or as the next word. */
typedef enum Fate {
  FATE_PREPROCESS,
  FATE_COMPILE,
  FATE_LINK,
  FATE_LINK_ORDERED, /* stays between the inputs */
  FATE_IGNORE,
} Fate;

typedef struct Rule {
  const char *name;
  Fate fate;
  enum { EXACT, PREFIX, NEXT_WORD, JOINED_OR_NEXT } form;
} Rule;

static const Rule rules[] = {
    /* preprocessor */
    {"-I", FATE_PREPROCESS, JOINED_OR_NEXT},
    {"-D", FATE_PREPROCESS, JOINED_OR_NEXT},
    {"-U", FATE_PREPROCESS, JOINED_OR_NEXT},
    {"-include", FATE_PREPROCESS, NEXT_WORD},
    {"-imacros", FATE_PREPROCESS, NEXT_WORD},
    {"-isystem", FATE_PREPROCESS, JOINED_OR_NEXT},
    {"-iquote", FATE_PREPROCESS, JOINED_OR_NEXT},
    {"-idirafter", FATE_PREPROCESS, JOINED_OR_NEXT},
    {"-iprefix", FATE_PREPROCESS, NEXT_WORD},
    {"-iwithprefix", FATE_PREPROCESS, NEXT_WORD},
    {"-isysroot", FATE_PREPROCESS, NEXT_WORD},
    {"-Wp,", FATE_PREPROCESS, PREFIX},
    {"-Xpreprocessor", FATE_PREPROCESS, NEXT_WORD},
    {"-nostdinc++", FATE_PREPROCESS, EXACT},
    {"-nostdinc", FATE_PREPROCESS, EXACT},
    {"-C", FATE_PREPROCESS, EXACT},
    {"-CC", FATE_PREPROCESS, EXACT},
    {"-H", FATE_PREPROCESS, EXACT},
    {"-dD", FATE_PREPROCESS, EXACT},
    {"-dM", FATE_PREPROCESS, EXACT},
    {"-P", FATE_PREPROCESS, EXACT},
    /* host compiler, with a value in the next word */
    {"-Xclang", FATE_COMPILE, NEXT_WORD},
    {"-Xassembler", FATE_COMPILE, NEXT_WORD},
    {"--param", FATE_COMPILE, NEXT_WORD},
    {"-B", FATE_COMPILE, JOINED_OR_NEXT},
    /* linker */
    {"-l", FATE_LINK_ORDERED, JOINED_OR_NEXT},
    {"-Wl,", FATE_LINK_ORDERED, PREFIX},
    {"-Xlinker", FATE_LINK_ORDERED, NEXT_WORD},
    {"-L", FATE_LINK, JOINED_OR_NEXT},
    {"-u", FATE_LINK, NEXT_WORD},
    {"-T", FATE_LINK, NEXT_WORD},
    {"-z", FATE_LINK, NEXT_WORD},
    {"-e", FATE_LINK, NEXT_WORD},
    {"-shared", FATE_LINK, EXACT},
    {"-static", FATE_LINK, PREFIX},
    {"-rdynamic", FATE_LINK, EXACT},
    {"-pie", FATE_LINK, EXACT},
    {"-no-pie", FATE_LINK, EXACT},
    {"-s", FATE_LINK, EXACT},
    {"-r", FATE_LINK, EXACT},
    {"-nostdlib", FATE_LINK, PREFIX},
    {"-nodefaultlibs", FATE_LINK, EXACT},
    {"-nostartfiles", FATE_LINK, EXACT},
    {"-fuse-ld=", FATE_LINK, PREFIX},
    /* options of the vendor without a meaning on this target */
    {"-mllvm", FATE_IGNORE, NEXT_WORD},
    {"-Xbang-", FATE_IGNORE, NEXT_WORD},
    {"--bang-", FATE_IGNORE, PREFIX},
    {"-fbang-", FATE_IGNORE, PREFIX},
    {"-fno-bang-", FATE_IGNORE, PREFIX},
    {"-fmlu-", FATE_IGNORE, PREFIX},
    {"-fno-mlu-", FATE_IGNORE, PREFIX},
    {"--neuware-path", FATE_IGNORE, PREFIX},
    {"--no-neuware-version-check", FATE_IGNORE, EXACT},
    {"--cnas-path=", FATE_IGNORE, PREFIX},
    {"--cnlink-path=", FATE_IGNORE, PREFIX},
    {"-Qunused-arguments", FATE_IGNORE, EXACT},
    {"-fintegrated-as", FATE_IGNORE, EXACT},
    {"-fno-integrated-as", FATE_IGNORE, EXACT},
#ifndef __x86_64__
    /* instruction sets of x86-64: builds for cards pass them on every host, and clang ignores them
     */
    {"-mavx", FATE_IGNORE, PREFIX},
    {"-msse", FATE_IGNORE, PREFIX},
    {"-mf16c", FATE_IGNORE, EXACT},
    {"-mfma", FATE_IGNORE, EXACT},
#endif
};

typedef struct Reader {
  const StrList *words;
  size_t at;
} Reader;

static const char *next_word(Reader *reader, const char *option) {
  if (reader->at >= reader->words->count) fatal("option '%s' needs a value", option);
  return reader->words->items[reader->at++];
}

static void set_string(char **place, const char *value) {
  free(*place);
  *place = xstrdup(value);
}

static void add_input(Options *o, const char *text, Language language, const char *forced) {
  o->inputs = xrealloc(o->inputs, (o->input_count + 1) * sizeof *o->inputs);
  o->inputs[o->input_count++] = (Input){
      .text = xstrdup(text), .language = language, .forced = forced ? xstrdup(forced) : NULL};
}

static Language language_of_suffix(const char *path) {
  static const struct {
    const char *suffix;
    Language language;
  } table[] = {
      {".mlu", LANGUAGE_BANG}, {".cpp", LANGUAGE_CXX}, {".cc", LANGUAGE_CXX},
      {".cxx", LANGUAGE_CXX},  {".c++", LANGUAGE_CXX}, {".cp", LANGUAGE_CXX},
      {".C", LANGUAGE_CXX},    {".ii", LANGUAGE_CXX},  {".c", LANGUAGE_C},
      {".i", LANGUAGE_C},      {".s", LANGUAGE_OTHER}, {".S", LANGUAGE_OTHER},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    if (ends_with(path, table[i].suffix)) return table[i].language;
  }
  return LANGUAGE_LINK;
}

static void add_file(Options *o, const char *path, const char *forced) {
  if (!forced) {
    add_input(o, path, language_of_suffix(path), NULL);
  } else if (strcmp(forced, "bang") == 0 || strcmp(forced, "mlu") == 0) {
    add_input(o, path, LANGUAGE_BANG, NULL);
  } else {
    bool c = strcmp(forced, "c") == 0 || strcmp(forced, "cpp-output") == 0;
    add_input(o, path,
              c                            ? LANGUAGE_C
              : starts_with(forced, "c++") ? LANGUAGE_CXX
                                           : LANGUAGE_OTHER,
              forced);
  }
}

static void set_arch(Options *o, const Arch *arch, const char *value) {
  if (!arch) {
    char *names = arch_names();
    fatal(
        "unknown MLU architecture '%s'; known: %s; as --bang-arch: compute_20, compute_30, "
        "compute_50",
        value, names);
  }
  for (size_t i = 0; i < o->arch_count; ++i) {
    if (o->archs[i].number == arch->number) return;
  }
  o->archs[o->arch_count++] = *arch;
}

static void deliver(Options *o, Fate fate, const char *word) {
  switch (fate) {
    case FATE_PREPROCESS:
      strlist_add(&o->preprocess, word);
      break;
    case FATE_COMPILE:
      strlist_add(&o->compile, word);
      break;
    case FATE_LINK:
      strlist_add(&o->link, word);
      break;
    case FATE_LINK_ORDERED:
      add_input(o, word, LANGUAGE_LINK, NULL);
      break;
    case FATE_IGNORE:
      break;
  }
}

/* Options that need code of their own; true when the word was one. */
static bool parse_own(Options *o, Reader *reader, const char *word) {
  static const struct {
    const char *name;
    OutputKind kind;
  } kinds[] = {{"-c", OUTPUT_OBJECT},        {"-S", OUTPUT_ASSEMBLY},
               {"-E", OUTPUT_PREPROCESSED},  {"-M", OUTPUT_DEPENDENCIES},
               {"-MM", OUTPUT_DEPENDENCIES}, {"-fsyntax-only", OUTPUT_NOTHING}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i) {
    if (strcmp(word, kinds[i].name) == 0) {
      o->output_kind = kinds[i].kind;
      if (strcmp(word, "-MM") == 0) o->depend_user_only = true;
      return true;
    }
  }
  if (starts_with(word, "-std=") || starts_with(word, "--std=")) {
    set_string(&o->standard, strchr(word, '=') + 1);
  } else if (strcmp(word, "-MD") == 0 || strcmp(word, "-MMD") == 0) {
    o->depend = true;
    o->depend_user_only = strcmp(word, "-MMD") == 0;
  } else if (starts_with(word, "-MF")) {
    set_string(&o->depend_file, word[3] ? word + 3 : next_word(reader, word));
  } else if (starts_with(word, "-MT") || starts_with(word, "-MQ")) {
    char option[] = {'-', 'M', word[2], '\0'};
    strlist_add(&o->depend_targets, option);
    strlist_add(&o->depend_targets, word[3] ? word + 3 : next_word(reader, word));
  } else if (strcmp(word, "-MP") == 0) {
    o->depend_phony = true;
  } else if (strcmp(word, "-###") == 0) {
    o->dry_run = o->verbose = true;
  } else if (strcmp(word, "-v") == 0 || strcmp(word, "--verbose") == 0) {
    o->verbose = true;
  } else if (starts_with(word, "-save-temps") || starts_with(word, "--save-temps")) {
    o->save_temps = true;
  } else if (strcmp(word, "--version") == 0 || strcmp(word, "-version") == 0) {
    o->wants_version = true;
  } else if (strcmp(word, "--help") == 0 || strcmp(word, "-help") == 0) {
    o->wants_help = true;
  } else if (strcmp(word, "-noneuwareinc") == 0) {
    o->no_neuware_include = true;
  } else if (strcmp(word, "-noneuwarelib") == 0) {
    o->no_neuware_lib = true;
  } else if (strcmp(word, "--shared") == 0) {
    strlist_add(&o->link, "-shared");
  } else if (strcmp(word, "-pthread") == 0) {
    strlist_add(&o->compile, word);
  } else if (strcmp(word, "--bang-fatbin-only") == 0 || strcmp(word, "--bang-cnbin-only") == 0) {
    strlist_add(&o->link, "-shared"); /* as cnModuleLoad expects it */
  } else if (strcmp(word, "--bang-device-only") == 0) {
    o->device_only = true;
  } else if (strcmp(word, "--bang-strict") == 0 || strcmp(word, "--no-bang-strict") == 0) {
    o->strict = word[2] == 'b';
  } else if (starts_with(word, "--bang-mlu-arch=")) {
    const char *value = strchr(word, '=') + 1;
    set_arch(o, arch_by_name(value), value);
  } else if (starts_with(word, "--bang-arch=")) {
    const char *value = strchr(word, '=') + 1;
    const Arch *arch = arch_by_compute(value);
    set_arch(o, arch ? arch : arch_by_name(value), value);
  } else if (starts_with(word, "-dump") || starts_with(word, "-print-") ||
             starts_with(word, "--print-")) {
    o->passes_query = true;
    strlist_add(&o->compile, word);
  } else if (starts_with(word, "--target=") || strcmp(word, "-target") == 0) {
    if (word[1] == 't') next_word(reader, word); /* the host compiler has one target */
  } else {
    return false;
  }
  return true;
}

static void parse_by_rule(Options *o, Reader *reader, const char *word) {
  for (size_t i = 0; i < sizeof rules / sizeof *rules; ++i) {
    const Rule *rule = &rules[i];
    bool exact = strcmp(word, rule->name) == 0;
    bool prefix = starts_with(word, rule->name);
    if (rule->form == EXACT ? !exact : !prefix) continue;
    if (rule->form == NEXT_WORD && !exact && rule->name[strlen(rule->name) - 1] != '-') continue;
    deliver(o, rule->fate, word);
    if (rule->form == NEXT_WORD || (rule->form == JOINED_OR_NEXT && exact)) {
      deliver(o, rule->fate, next_word(reader, word));
    }
    return;
  }
  deliver(o, FATE_COMPILE, word);
}

static void check(const Options *o) {
  if (o->wants_version || o->wants_help || o->passes_query) return;
  size_t files = 0;
  for (size_t i = 0; i < o->input_count; ++i) {
    if (o->inputs[i].text[0] != '-' || !o->inputs[i].text[1]) ++files;
  }
  if (files == 0) fatal("no input files");
  bool linking = o->output_kind == OUTPUT_EXECUTABLE;
  if (!linking && o->output && files > 1) {
    fatal("cannot write several outputs to one -o '%s'; leave -o away or give one input",
          o->output);
  }
}

void options_parse(Options *o, const Target *target, int argc, char **argv) {
  *o = (Options){0};
  StrList words = {0};
  const char *const *defaults = target->default_options;
  for (; defaults && *defaults; ++defaults) strlist_add(&words, *defaults);
  expand_response_files(argc, argv, &words);
  Reader reader = {.words = &words};
  char *forced = NULL;
  bool only_files = false;
  while (reader.at < words.count) {
    const char *word = words.items[reader.at++];
    if (only_files || word[0] != '-' || !word[1]) {
      add_file(o, word, forced);
    } else if (strcmp(word, "--") == 0) {
      only_files = true;
    } else if (starts_with(word, "-o") && !starts_with(word, "-object")) {
      set_string(&o->output, word[2] ? word + 2 : next_word(&reader, word));
    } else if (starts_with(word, "-x")) {
      const char *language = word[2] ? word + 2 : next_word(&reader, word);
      free(forced);
      forced = strcmp(language, "none") == 0 ? NULL : xstrdup(language);
    } else if (!parse_own(o, &reader, word)) {
      parse_by_rule(o, &reader, word);
    }
  }
  free(forced);
  strlist_free(&words);
  if (o->arch_count == 0) o->archs[o->arch_count++] = *arch_by_name(target->default_arch);
  for (size_t i = 0; i < o->arch_count && target->adjust_arch; ++i) {
    target->adjust_arch(&o->archs[i]);
  }
  o->arch = o->archs[0];
  check(o);
}

void options_free(Options *o) {
  for (size_t i = 0; i < o->input_count; ++i) {
    free(o->inputs[i].text);
    free(o->inputs[i].forced);
  }
  free(o->inputs);
  free(o->output);
  free(o->standard);
  free(o->depend_file);
  strlist_free(&o->depend_targets);
  strlist_free(&o->preprocess);
  strlist_free(&o->compile);
  strlist_free(&o->link);
  *o = (Options){0};
}

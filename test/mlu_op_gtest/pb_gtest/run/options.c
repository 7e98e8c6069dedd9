/* SPDX-License-Identifier: MIT */
#include "run/options.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum OptionType {
  OPTION_IS_TEXT,
  OPTION_IS_NUMBER,
  OPTION_IS_MASK,
  OPTION_IS_BOOL,
  OPTION_IS_WITHOUT_EFFECT,
} OptionType;

typedef struct Option {
  const char *flag;
  const char *variable;
  OptionType type;
  size_t offset;
  int fallback, minimum;
  const char *fallback_text;
  const char *help;
  const char *bare; /* a text's value when the flag has none; NULL: it must have one */
} Option;

#define FIELD(name) offsetof(mluopTestOptions, name)
#define OPTION_TEXT(field, flag, variable, fallback, help) \
  {flag, variable, OPTION_IS_TEXT, FIELD(field), 0, 0, fallback, help, NULL},
#define OPTION_TEXT_OPTIONAL(field, flag, bare, help) \
  {flag, NULL, OPTION_IS_TEXT, FIELD(field), 0, 0, "none", help, bare},
#define OPTION_NUMBER(field, flag, variable, fallback, minimum, help) \
  {flag, variable, OPTION_IS_NUMBER, FIELD(field), fallback, minimum, NULL, help, NULL},
#define OPTION_INTEGER(field, flag, variable, fallback, help) \
  {flag, variable, OPTION_IS_NUMBER, FIELD(field), fallback, INT_MIN, "none", help, NULL},
#define OPTION_MASK(field, variable, help) \
  {NULL, variable, OPTION_IS_MASK, FIELD(field), 0, 0, NULL, help, NULL},
#define OPTION_BOOL(field, flag, variable, help) \
  {flag, variable, OPTION_IS_BOOL, FIELD(field), 0, 0, "off", help, NULL},
#define OPTION_BOOL_ON(field, flag, variable, help) \
  {flag, variable, OPTION_IS_BOOL, FIELD(field), 1, 0, "on", help, NULL},
#define OPTION_WITHOUT_EFFECT(flag, variable, help) \
  {flag, variable, OPTION_IS_WITHOUT_EFFECT, 0, 0, 0, "off", help, NULL},
static const Option option_table[] = {
#include "run/option_list.inc"
};
enum { N_OPTIONS = sizeof(option_table) / sizeof(option_table[0]) };

/* Flags of Google Test 1.12. It answers an unknown one with its help and success; we want an error.
 */
static const char *const gtest_flags[] = {"also_run_disabled_tests",
                                          "break_on_failure",
                                          "brief",
                                          "catch_exceptions",
                                          "color",
                                          "death_test_style",
                                          "death_test_use_fork",
                                          "fail_if_no_test_linked",
                                          "fail_fast",
                                          "filter",
                                          "flagfile",
                                          "install_failure_signal_handler",
                                          "list_tests",
                                          "output",
                                          "print_time",
                                          "print_utf8",
                                          "random_seed",
                                          "recreate_environments_when_repeating",
                                          "repeat",
                                          "show_internal_stack_frames",
                                          "shuffle",
                                          "stack_trace_depth",
                                          "stream_result_to",
                                          "throw_on_failure"};

static void set_int(mluopTestOptions *options, const Option *option, int value) {
  char *at = (char *)options + option->offset;
  if (option->type == OPTION_IS_BOOL) {
    *(bool *)at = value != 0;
  } else {
    *(int *)at = value;
  }
}

static int get_int(const mluopTestOptions *options, const Option *option) {
  const char *at = (const char *)options + option->offset;
  return option->type == OPTION_IS_BOOL ? *(const bool *)at : *(const int *)at;
}

static const char **text_at(const mluopTestOptions *options, const Option *option) {
  return (const char **)((const char *)options + option->offset);
}

static uint64_t *mask_at(mluopTestOptions *options, const Option *option) {
  return (uint64_t *)((char *)options + option->offset);
}

static bool parse_number(const char *text, int minimum, int *value) {
  char *end = NULL;
  errno = 0;
  const long parsed = strtol(text, &end, 10);
  if (end == text || *end || errno || parsed < minimum || parsed > INT_MAX) {
    return false;
  }
  *value = (int)parsed;
  return true;
}

/* Bits, decimal or hexadecimal. */
static bool parse_mask(const char *text, uint64_t *value) {
  char *end = NULL;
  errno = 0;
  const bool is_hex = !strncmp(text, "0x", 2) || !strncmp(text, "0X", 2);
  *value = strtoull(text, &end, is_hex ? 16 : 10);
  return text[0] >= '0' && text[0] <= '9' && !*end && !errno; /* strtoull would accept a sign */
}

/* The environment knows exactly these four words. */
static bool parse_switch(const char *text, bool *value) {
  *value = !strcmp(text, "ON") || !strcmp(text, "1");
  return *value || !strcmp(text, "OFF") || !strcmp(text, "0");
}

static void add_number_error(mluopTestText *errors, const Option *option, const char *dashes,
                             const char *name, const char *value) {
  mluop_text_add(errors, "%s%s=%s: a number", dashes, name, value);
  if (option->minimum != INT_MIN) {
    mluop_text_add(errors, " of at least %d", option->minimum);
  }
  mluop_text_add(errors, " is wanted\n");
}

static void warn_without_effect(const char *dashes, const char *name) {
  fprintf(stderr, "[WARNING] %s%s does nothing here\n", dashes, name);
}

static void read_environment(mluopTestOptions *options, mluopTestText *errors) {
  for (size_t i = 0; i < N_OPTIONS; ++i) {
    const Option *option = &option_table[i];
    if (option->type == OPTION_IS_NUMBER || option->type == OPTION_IS_BOOL) {
      set_int(options, option, option->fallback);
    }
    const char *text = option->variable ? getenv(option->variable) : NULL;
    if (!text || !*text) {
      continue;
    }
    bool on = false;
    int number = 0;
    if (option->type == OPTION_IS_TEXT) {
      *text_at(options, option) = text;
    } else if (option->type == OPTION_IS_WITHOUT_EFFECT) {
      if (!parse_switch(text, &on) || on) {
        warn_without_effect("", option->variable);
      }
    } else if (option->type == OPTION_IS_BOOL) {
      if (parse_switch(text, &on)) {
        set_int(options, option, on);
      } else {
        mluop_text_add(errors, "%s=%s: ON, 1, OFF or 0 is wanted\n", option->variable, text);
      }
    } else if (option->type == OPTION_IS_MASK) {
      if (!parse_mask(text, mask_at(options, option))) {
        mluop_text_add(errors, "%s=%s: a mask like 6 or 0x6 is wanted\n", option->variable, text);
      }
    } else if (parse_number(text, option->minimum, &number)) {
      set_int(options, option, number);
    } else {
      add_number_error(errors, option, "", option->variable, text);
    }
  }
}

static const Option *find_flag(const char *name, size_t length) {
  for (size_t i = 0; i < N_OPTIONS; ++i) {
    const char *flag = option_table[i].flag;
    if (flag && strlen(flag) == length && !strncmp(flag, name, length)) {
      return &option_table[i];
    }
  }
  return NULL;
}

static bool is_gtest_flag(const char *name, size_t length) {
  const size_t prefix = strlen("gtest_");
  if (length <= prefix || strncmp(name, "gtest_", prefix)) {
    return false;
  }
  for (size_t i = 0; i < sizeof(gtest_flags) / sizeof(gtest_flags[0]); ++i) {
    if (strlen(gtest_flags[i]) == length - prefix &&
        !strncmp(gtest_flags[i], name + prefix, length - prefix)) {
      return true;
    }
  }
  return false;
}

static void read_flag(mluopTestOptions *options, const Option *option, const char *value,
                      mluopTestText *errors) {
  bool on = true;
  int number = 0;
  switch (option->type) {
    case OPTION_IS_TEXT:
      if (value && *value) {
        *text_at(options, option) = value;
      } else if (!value && option->bare) {
        *text_at(options, option) = option->bare;
      } else {
        mluop_text_add(errors, "--%s needs a value\n", option->flag);
      }
      break;
    case OPTION_IS_BOOL:
      if (value && strcmp(value, "true") && strcmp(value, "false") && !parse_switch(value, &on)) {
        mluop_text_add(errors, "--%s=%s: ON, 1, OFF or 0 is wanted\n", option->flag, value);
      } else {
        set_int(options, option,
                value && !strcmp(value, "false") ? 0 : on || !strcmp(value, "true"));
      }
      break;
    case OPTION_IS_WITHOUT_EFFECT:
      warn_without_effect("--", option->flag);
      break;
    case OPTION_IS_MASK: /* only variables are */
      break;
    case OPTION_IS_NUMBER:
      if (value && parse_number(value, option->minimum, &number)) {
        set_int(options, option, number);
      } else {
        add_number_error(errors, option, "--", option->flag, value ? value : "");
      }
      break;
  }
}

static void check_combinations(const mluopTestOptions *options, mluopTestText *errors) {
  if (options->unaligned_random && options->unaligned_set) {
    mluop_text_add(errors,
                   "--unaligned_mlu_address_random and --unaligned_mlu_address_set exclude "
                   "each other\n");
  }
  if (options->thread > 1 && options->random_mlu_address) {
    mluop_text_add(errors, "--random_mlu_address does not work with --thread\n");
  }
  if (options->thread > 1 && options->vmpeak) {
    mluop_text_add(errors, "--get_vmpeak does not work with --thread\n");
  }
  /* A baseline that would not be compared is an error, so that nobody believes it was met. */
  if (!options->perf_acceptance && (options->acceptance_baseline || options->perf_budget)) {
    mluop_text_add(errors, "--%s goes with --perf_acceptance\n",
                   options->acceptance_baseline ? "perf_baseline" : "perf_budget");
  }
  if (options->variants && strcmp(options->variants, "run") &&
      strcmp(options->variants, "reached")) {
    mluop_text_add(errors, "--variants=%s: run or reached is wanted\n", options->variants);
  }
  if (!options->perf_acceptance && !options->perf_render && options->rivals) {
    mluop_text_add(errors, "--rivals goes with --perf_acceptance or --perf_render\n");
  }
}

/* One of the words, or not given. */
static void check_word(const char *variable, const char *value, const char *const *words,
                       mluopTestText *errors) {
  for (size_t i = 0; value && words[i]; ++i) {
    if (!strcmp(value, words[i])) {
      return;
    }
  }
  if (value) {
    mluop_text_add(errors, "%s=%s: wanted is", variable, value);
    for (size_t i = 0; words[i]; ++i) {
      mluop_text_add(errors, " %s", words[i]);
    }
    mluop_text_add(errors, "\n");
  }
}

static void check_words(const mluopTestOptions *options, mluopTestText *errors) {
  static const char *const gdram[] = {"NAN", "INF", NULL};
  static const char *const ram[] = {"NAN_HALF", "INF_HALF", "NAN_FLOAT", "INF_FLOAT", "OFF", NULL};
  check_word("MLUOP_GTEST_SET_GDRAM", options->set_gdram, gdram, errors);
  check_word("MLUOP_GTEST_FILL_RAM", options->fill_ram, ram, errors);
}

mluopOptionsOutcome mluop_options_parse(int *argc, char **argv, mluopTestOptions *options,
                                        mluopTestText *errors) {
  memset(options, 0, sizeof(*options));
  read_environment(options, errors);
  bool help = false;
  int kept = 1;
  for (int i = 1; i < *argc; ++i) {
    const char *argument = argv[i];
    if (!strcmp(argument, "--help")) {
      help = true;
      continue;
    }
    const char *name = strncmp(argument, "--", 2) ? NULL : argument + 2;
    const char *equals = name ? strchr(name, '=') : NULL;
    const size_t length = !name ? 0 : equals ? (size_t)(equals - name) : strlen(name);
    const Option *option = name ? find_flag(name, length) : NULL;
    if (option) {
      read_flag(options, option, equals ? equals + 1 : NULL, errors);
    } else if (name && is_gtest_flag(name, length)) {
      argv[kept++] = argv[i];
    } else {
      mluop_text_add(errors, "unknown argument '%s'; --help lists what there is\n", argument);
    }
  }
  argv[kept] = NULL;
  *argc = kept;
  if (help) {
    return MLUOP_OPTIONS_HELP;
  }
  check_combinations(options, errors);
  check_words(options, errors);
  return errors->length ? MLUOP_OPTIONS_WRONG : MLUOP_OPTIONS_RUN;
}

static void print_wrapped(const char *text) {
  enum { INDENT = 8, WIDTH = 100 };
  size_t column = 0;
  for (const char *word = text; *word;) {
    const size_t length = strcspn(word, " ");
    if (column == 0 || column + 1 + length > WIDTH) {
      printf("%s%*s", column ? "\n" : "", INDENT, "");
      column = INDENT;
    } else {
      putchar(' ');
      ++column;
    }
    printf("%.*s", (int)length, word);
    column += length;
    word += length + (word[length] == ' ');
  }
  putchar('\n');
}

static void print_option(const Option *option) {
  printf("  ");
  if (option->flag) {
    printf("--%s%s", option->flag,
           option->type == OPTION_IS_BOOL || option->type == OPTION_IS_WITHOUT_EFFECT ? ""
           : option->bare                                                             ? "[=TEXT]"
           : option->type == OPTION_IS_TEXT                                           ? "=TEXT"
                                                                                      : "=N");
  }
  if (option->variable) {
    printf("%s%s", option->flag ? "   or " : "", option->variable);
  }
  if (option->fallback_text) {
    printf("   (default: %s)\n", option->fallback_text);
  } else {
    printf("   (default: %d)\n", option->fallback);
  }
  print_wrapped(option->help);
}

void mluop_options_help(const char *program) {
  printf(
      "Runs test cases (.prototxt, .pb) of the operators.\n\n"
      "Usage: %s [flags]\n\n"
      "Choosing cases: --case_path before --cases_list before --cases_dir. A test is called\n"
      "<operator>/TestSuite.mluOp/<number>; --gtest_filter matches that name and the file name.\n\n"
      "Exit code: 0 all passed, 1 a case failed, 2 wrong command line, unreadable path or no case\n"
      "to run.\n\n"
      "Flags:\n",
      program);
  for (size_t i = 0; i < N_OPTIONS; ++i) {
    if (option_table[i].flag) {
      print_option(&option_table[i]);
    }
  }
  printf("\nEnvironment variables (switches take ON, 1, OFF or 0):\n");
  for (size_t i = 0; i < N_OPTIONS; ++i) {
    if (!option_table[i].flag) {
      print_option(&option_table[i]);
    }
  }
  printf(
      "  OMP_NUM_THREADS   (default: number of cores, at most 20)\n"
      "        threads that generate and compare data\n"
      "  GTEST_TOTAL_SHARDS, GTEST_SHARD_INDEX, CNRT_DEFAULT_DEVICE\n"
      "        split the tests over processes and devices\n"
      "\nOf Google Test: --gtest_filter= --gtest_list_tests --gtest_repeat= --gtest_shuffle\n"
      "  --gtest_random_seed= --gtest_output=xml|json[:path] --gtest_color= "
      "--gtest_break_on_failure\n"
      "  and its other flags.\n");
}

void mluop_options_repeat(const mluopTestOptions *options, mluopTestText *command) {
  static const char *const choosing[] = {"cases_dir", "cases_list", "case_path",
                                         "case_set",  "rand_n",     "get_vmpeak"};
  for (size_t i = 0; i < N_OPTIONS; ++i) {
    const Option *option = &option_table[i];
    bool chooses = !option->flag;
    for (size_t k = 0; option->flag && k < sizeof(choosing) / sizeof(choosing[0]); ++k) {
      chooses |= !strcmp(option->flag, choosing[k]);
    }
    const bool is_number = option->type == OPTION_IS_NUMBER;
    if (chooses || (!is_number && option->type != OPTION_IS_BOOL) ||
        get_int(options, option) == option->fallback) {
      continue;
    }
    if (is_number) {
      mluop_text_add(command, " --%s=%d", option->flag, get_int(options, option));
    } else {
      mluop_text_add(command, " --%s", option->flag);
    }
  }
}

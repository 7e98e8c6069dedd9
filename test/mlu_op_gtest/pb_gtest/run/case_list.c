/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* strverscmp */
#include "run/case_list.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "data/case_file.h"
#include "data/random.h"
#include "data/random_integer.h"
#include "run/filter.h"

const char *mluop_case_entry_op(const mluopCaseEntry *entry) {
  return entry->executor ? entry->executor->name : "unknown_op";
}

const char *mluop_case_entry_file(const mluopCaseEntry *entry) {
  char *part = mluop_text_format("/%s/", mluop_case_entry_op(entry));
  const char *folder = part ? strstr(entry->path, part) : NULL;
  free(part);
  return folder ? folder + 1 : mluop_path_base(entry->path);
}

static int list_add(mluopCaseList *list, const mluopTestExecutor *executor, const char *path) {
  mluopCaseEntry *entries = realloc(list->entries, (list->n + 1) * sizeof(mluopCaseEntry));
  char *copy = mluop_text_format("%s", path);
  if (!entries || !copy) {
    list->entries = entries ? entries : list->entries;
    free(copy);
    return -1;
  }
  list->entries = entries;
  list->entries[list->n++] = (mluopCaseEntry){.executor = executor, .path = copy};
  return 0;
}

/* The case of a file, or all members of its sweep. A sweep that cannot be read is one entry, which
 * fails when it is run and says why. */
static int list_add_file(mluopCaseList *list, const mluopTestExecutor *executor, const char *file) {
  mluopTestText errors = {0};
  mluopSweepMembers members;
  int failed = 0;
  if (mluop_case_file_members(file, &members, &errors) || !members.n) {
    failed = list_add(list, executor, file);
  }
  for (size_t i = 0; i < members.n && !failed; ++i) {
    char *path = mluop_text_format("%s#%s", file, members.names[i]);
    failed = path ? list_add(list, executor, path) : -1;
    free(path);
  }
  mluop_sweep_members_free(&members);
  mluop_text_free(&errors);
  return failed;
}

void mluop_case_list_free(mluopCaseList *list) {
  for (size_t i = 0; i < list->n; ++i) {
    free(list->entries[i].path);
  }
  free(list->entries);
  free(list->why_empty);
  *list = (mluopCaseList){0};
}

static bool is_case_file(const char *name) {
  return mluop_path_ends_with(name, ".prototxt") || mluop_path_ends_with(name, ".pb");
}

static bool word_in_list(const char *list, const char *word, size_t length) {
  for (const char *item = list; *item;) {
    const size_t n = strcspn(item, ",;");
    if (n == length && !strncmp(item, word, n)) {
      return true;
    }
    item += n + (item[n] != '\0');
  }
  return false;
}

/* Folders directly below test_case/. Cases anywhere else are in no set and always count. */
static const char known_sets[] = "smoke,ci,edge,perf,scaling,nightly";
static const char every_set[] = "all";

/* The sets to look for when none are named. */
static const char *wanted_sets(const mluopTestOptions *options) {
  return options->case_set          ? options->case_set
         : options->perf_acceptance ? "perf,scaling"
                                    : "smoke,ci,edge";
}

/* A misspelt set would run nothing, and nothing fails. */
static int check_sets(const mluopTestOptions *options, mluopTestText *errors) {
  for (const char *item = options->case_set ? options->case_set : ""; *item;) {
    const size_t n = strcspn(item, ",;");
    if (n && !word_in_list(known_sets, item, n) && !word_in_list(every_set, item, n)) {
      mluop_text_add(errors, "--case_set=%s: there is no set '%.*s'; wanted are %s or %s\n",
                     options->case_set, (int)n, item, known_sets, every_set);
      return -1;
    }
    item += n + (item[n] != '\0');
  }
  return 0;
}

static bool set_is_wanted(const mluopTestOptions *options, const char *path) {
  const char *sets = wanted_sets(options);
  if (word_in_list(sets, every_set, strlen(every_set))) {
    return true;
  }
  const char *folder = strstr(path, "/test_case/");
  if (!folder) {
    return true;
  }
  folder += strlen("/test_case/");
  const size_t length = strcspn(folder, "/");
  if (folder[length] != '/' || !word_in_list(known_sets, folder, length)) {
    return true;
  }
  if (!options->case_set && options->perf_repeat > 1 && length == 4 &&
      !strncmp(folder, "perf", 4)) {
    return true;
  }
  return word_in_list(sets, folder, length);
}

/* Case files below `folder`: all of them when it is the operator's (`inside`), else those in
 * folders called like the operator at any depth. Names that contain "invalid" and links are left
 * out. */
static int search_folder(const mluopTestOptions *options, const mluopTestExecutor *executor,
                         const char *folder, bool inside, mluopCaseList *list) {
  DIR *dir = opendir(folder);
  int failed = 0;
  for (struct dirent *item; dir && !failed && (item = readdir(dir));) {
    const size_t length = strlen(item->d_name);
    if (item->d_name[length - 1] == '.' || strstr(item->d_name, "invalid")) {
      continue;
    }
    char *path = mluop_path_join(folder, item->d_name);
    struct stat info;
    if (!path) {
      failed = -1;
    } else if (!lstat(path, &info)) {
      if (S_ISDIR(info.st_mode)) {
        failed = search_folder(options, executor, path,
                               inside || !strcmp(item->d_name, executor->name), list);
      } else if (inside && S_ISREG(info.st_mode) && is_case_file(path) &&
                 set_is_wanted(options, path)) {
        failed = list_add_file(list, executor, path);
      }
    }
    free(path);
  }
  if (dir) {
    closedir(dir);
  }
  return failed;
}

static bool black_listed(const mluopTestOptions *options, const char *op_name) {
  return options->black_list && word_in_list(options->black_list, op_name, strlen(op_name));
}

static int list_from_folder(const mluopTestOptions *options, const char *folder,
                            mluopCaseList *list, mluopTestText *errors) {
  char *root = realpath(folder, NULL);
  if (!root || !mluop_path_is_folder(root)) {
    mluop_text_add(errors, "cases_dir %s: %s\n", folder, root ? "not a folder" : strerror(errno));
    free(root);
    return -1;
  }
  int failed = 0;
  bool has_operator = options->recursive_search;
  for (size_t i = 0; i < mluop_executor_count() && !failed; ++i) {
    const mluopTestExecutor *executor = mluop_executor_at(i);
    if (black_listed(options, executor->name)) {
      continue;
    }
    if (options->recursive_search) {
      failed = search_folder(options, executor, root, false, list);
    } else {
      char *path = mluop_path_join(root, executor->name);
      has_operator |= path && mluop_path_is_folder(path);
      failed = path ? search_folder(options, executor, path, true, list) : -1;
      free(path);
    }
  }
  if (!list->n && has_operator) {
    list->why_empty = mluop_text_format("%s holds no case of the sets %s for the operators", root,
                                        wanted_sets(options));
  } else if (!list->n) {
    list->why_empty = mluop_text_format(
        "no folder in %s is called like an operator%s%s", root,
        options->black_list ? " that MLUOP_BLACK_LIST_OP does not leave out" : " of this build",
        options->cases_dir ? "; --cases_dir wants the folder above those" : "");
  }
  free(root);
  if (failed) {
    mluop_text_add(errors, "out of memory\n");
  }
  return failed;
}

/* The operator whose folder the path runs through, else the one the file names. Members of a sweep
 * are of one operator. */
static const mluopTestExecutor *executor_of_file(const char *file) {
  for (size_t i = 0; i < mluop_executor_count(); ++i) {
    const mluopTestExecutor *executor = mluop_executor_at(i);
    char *part = mluop_text_format("/%s/", executor->name);
    const bool found = part && strstr(file, part);
    free(part);
    if (found) {
      return executor;
    }
  }
  mluopTestText errors = {0}, warnings = {0};
  mluopSweepMembers members;
  mluop_case_file_members(file, &members, &errors);
  char *path = members.n ? mluop_text_format("%s#%s", file, members.names[0])
                         : mluop_text_format("%s", file);
  Mluoptest__Node *node = path ? mluop_case_file_load(path, &errors, &warnings) : NULL;
  const mluopTestExecutor *executor = node ? mluop_executor_find(node->op_name) : NULL;
  if (node) {
    mluoptest__node__free_unpacked(node, NULL);
  }
  free(path);
  mluop_sweep_members_free(&members);
  mluop_text_free(&errors);
  mluop_text_free(&warnings);
  return executor;
}

static bool has_member(const char *file, const char *member) {
  mluopTestText errors = {0};
  mluopSweepMembers members;
  bool found = mluop_case_file_members(file, &members, &errors) != 0; /* running it says why */
  for (size_t i = 0; i < members.n && !found; ++i) {
    found = !strcmp(members.names[i], member);
  }
  mluop_sweep_members_free(&members);
  mluop_text_free(&errors);
  return found;
}

/* `path` is a file, or "file#member". */
static int list_add_path(const mluopTestOptions *options, mluopCaseList *list, const char *path,
                         mluopTestText *errors) {
  const char *member;
  char *file = mluop_case_path_file(path, &member);
  char *absolute = file ? realpath(file, NULL) : NULL;
  const char *problem = !absolute                                 ? strerror(errno)
                        : mluop_path_is_folder(absolute)          ? "is a folder"
                        : member && !has_member(absolute, member) ? "the file has no such member"
                                                                  : NULL;
  int failed = 0;
  if (problem) {
    mluop_text_add(errors, "case %s: %s\n", path, problem);
    ++list->n_unreadable;
    failed = list_add(list, NULL, path);
  } else {
    const mluopTestExecutor *executor = executor_of_file(absolute);
    if (!executor || !black_listed(options, executor->name)) {
      char *whole = member ? mluop_text_format("%s#%s", absolute, member) : NULL;
      failed = whole    ? list_add(list, executor, whole)
               : member ? -1
                        : list_add_file(list, executor, absolute);
      free(whole);
    }
  }
  free(absolute);
  free(file);
  return failed;
}

static int list_from_file(const mluopTestOptions *options, mluopCaseList *list,
                          mluopTestText *errors) {
  size_t size = 0;
  char *text = mluop_file_read_all(options->cases_list, &size, errors);
  if (!text) {
    mluop_text_add(errors, "\n");
    return -1;
  }
  int failed = 0;
  for (char *line = text; !failed && line < text + size;) {
    char *end = line + strcspn(line, "\n");
    char *next = end + 1;
    while (end > line && (end[-1] == '\r' || end[-1] == ' ' || end[-1] == '\t')) {
      --end;
    }
    *end = '\0';
    line += strspn(line, " \t");
    if (*line) {
      failed = list_add_path(options, list, line, errors);
    }
    line = next;
  }
  free(text);
  return failed;
}

static size_t executor_rank(const mluopTestExecutor *executor) {
  size_t i = 0;
  while (i < mluop_executor_count() && mluop_executor_at(i) != executor) {
    ++i;
  }
  return i;
}

/* Numbers inside names count as numbers: case_2 comes before case_10. */
static int compare_entries(const void *a, const void *b) {
  const mluopCaseEntry *x = a, *y = b;
  const size_t rank_x = executor_rank(x->executor), rank_y = executor_rank(y->executor);
  if (rank_x != rank_y) {
    return rank_x < rank_y ? -1 : 1;
  }
  const int order = strverscmp(x->path, y->path);
  return order ? order : strcmp(x->path, y->path);
}

/* Entries know their number before any are left out: a test keeps its name. */
static void number_entries(mluopCaseList *list) {
  for (size_t i = 1; i < list->n; ++i) {
    mluopCaseEntry *entry = &list->entries[i];
    entry->number = entry->executor == entry[-1].executor ? entry[-1].number + 1 : 0;
  }
}

static int entry_matches(const mluopTestOptions *options, const char *filter,
                         const mluopCaseEntry *entry, bool *matches) {
  char *suite = mluop_text_format("%s/TestSuite.mluOp", mluop_case_entry_op(entry));
  char *test =
      mluop_text_format("%s/TestSuite.mluOp/%zu", mluop_case_entry_op(entry), entry->number);
  /* With --thread the cases of an operator are one test without a number. */
  const char *const names[] = {mluop_case_entry_file(entry), test, suite};
  if (suite && test) {
    *matches = mluop_filter_matches(filter, names, options->thread > 1 ? 3 : 2);
  }
  const int failed = suite && test ? 0 : -1;
  free(suite);
  free(test);
  return failed;
}

/* --rand_n: keeps N entries of each operator. */
static void pick_random(mluopCaseList *list, int n, int seed) {
  mluopRandom random = mluop_random_seed(seed);
  size_t kept = 0;
  for (size_t begin = 0; begin < list->n;) {
    size_t end = begin;
    while (end < list->n && list->entries[end].executor == list->entries[begin].executor) {
      ++end;
    }
    size_t left = (size_t)n;
    for (size_t i = begin; i < end; ++i) {
      if (mluop_random_below(&random, end - i) < left) {
        list->entries[kept++] = list->entries[i];
        --left;
      } else {
        free(list->entries[i].path);
      }
    }
    begin = end;
  }
  list->n = kept;
}

int mluop_case_list_select(const mluopTestOptions *options, const char *filter,
                           mluopCaseList *list) {
  const size_t n_found = list->n;
  size_t kept = 0;
  int failed = 0;
  for (size_t i = 0; i < n_found; ++i) {
    bool matches = false;
    failed |= entry_matches(options, filter, &list->entries[i], &matches);
    if (matches) {
      list->entries[kept++] = list->entries[i];
    } else {
      free(list->entries[i].path);
    }
  }
  list->n = kept;
  if (n_found && !kept) {
    list->why_empty =
        mluop_text_format("--gtest_filter=%s matches none of %zu cases", filter, n_found);
  }
  if (kept && options->rand_n >= 0 && !options->case_path) {
    pick_random(list, options->rand_n, options->seed);
    if (!list->n) {
      list->why_empty = mluop_text_format("--rand_n=%d", options->rand_n);
    }
  }
  return failed;
}

int mluop_case_list_build(const mluopTestOptions *options, const char *default_dir,
                          mluopCaseList *list, mluopTestText *errors) {
  *list = (mluopCaseList){0};
  if (check_sets(options, errors)) {
    return -1;
  }
  int failed;
  if (options->case_path) {
    failed = list_add_path(options, list, options->case_path, errors);
  } else if (options->cases_list) {
    failed = list_from_file(options, list, errors);
  } else {
    failed = list_from_folder(options, options->cases_dir ? options->cases_dir : default_dir, list,
                              errors);
  }
  if (failed) {
    mluop_case_list_free(list);
    return -1;
  }
  if (list->n > 1) {
    qsort(list->entries, list->n, sizeof(mluopCaseEntry), compare_entries);
  }
  number_entries(list);
  if (!list->n && !list->why_empty) {
    list->why_empty = mluop_text_format(
        "%s%s names no case%s", options->case_path ? "--case_path=" : "--cases_list=",
        options->case_path ? options->case_path : options->cases_list,
        options->black_list ? " of an operator that MLUOP_BLACK_LIST_OP does not leave out" : "");
  }
  return 0;
}

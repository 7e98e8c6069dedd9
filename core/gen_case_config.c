/* SPDX-License-Identifier: MIT */
#include "core/gen_case_config.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/check.h"
#include "core/env.h"
#include "core/logging.h"
#include "core/op_registry.h"

int mluop_gen_case_mode = -1;

/* Set by mluOpSetGenCaseDirectory; NULL: use the environment's. */
static char *directory;
static pthread_mutex_t directory_mutex = PTHREAD_MUTEX_INITIALIZER;

/* ---- mode ---- */

static int clamp_mode(const char *source, int mode) {
  if (mode >= MLUOP_GEN_CASE_OFF && mode <= MLUOP_GEN_CASE_PRINT) return mode;
  LOG_WARNING("%s: wanted a gen_case mode of 0 to 3, got %d; using 0.", source, mode);
  return MLUOP_GEN_CASE_OFF;
}

static int current_mode(void) {
  int mode = __atomic_load_n(&mluop_gen_case_mode, __ATOMIC_RELAXED);
  if (mode >= 0) return mode;
  const int wanted = clamp_mode("MLUOP_GEN_CASE", mluop_env_int(MLUOP_ENV_GEN_CASE));
  /* A mode that mluOpSetGenCaseMode has set in the meantime stays. */
  if (__atomic_compare_exchange_n(&mluop_gen_case_mode, &mode, wanted, false, __ATOMIC_RELAXED,
                                  __ATOMIC_RELAXED)) {
    return wanted;
  }
  return mode;
}

void MLUOP_WIN_API mluOpSetGenCaseMode(int mode) {
  mode = clamp_mode("[mluOpSetGenCaseMode] mode", mode);
  __atomic_store_n(&mluop_gen_case_mode, mode, __ATOMIC_RELAXED);
  LOG_INFO("[mluOpSetGenCaseMode] gen_case mode is %d.", mode);
}

/* ---- which operators ---- */

/* Next name of a list with ';' between names; NULL at its end. Skips empty names. */
static const char *next_name(const char **list, size_t *length) {
  while (**list == ';') ++*list;
  const char *name = *list;
  *length = strcspn(name, ";");
  *list += *length;
  return *length > 0 ? name : NULL;
}

static bool is_same(const char *name, size_t length, const char *op_name) {
  return strlen(op_name) == length && strncmp(name, op_name, length) == 0;
}

bool mluop_gen_case_selects(const char *list, const char *op_name, bool *is_data_forced) {
  bool has_plain = false, is_plain = false, is_excluded = false;
  *is_data_forced = false;
  size_t length = 0;
  for (const char *name; (name = next_name(&list, &length)) != NULL;) {
    if (*name == '-') {
      is_excluded |= is_same(name + 1, length - 1, op_name);
    } else if (*name == '+') {
      *is_data_forced |= is_same(name + 1, length - 1, op_name);
    } else if (!is_same(name, length, "all")) {
      has_plain = true;
      is_plain |= is_same(name, length, op_name);
    }
  }
  return !is_excluded && (*is_data_forced || is_plain || !has_plain);
}

static void warn_unknown_names(void) {
  const char *list = mluop_env_string(MLUOP_ENV_GEN_CASE_OP_NAME);
  size_t length = 0;
  for (const char *name; (name = next_name(&list, &length)) != NULL;) {
    if (*name == '-' || *name == '+') {
      ++name;
      --length;
    }
    char text[64];
    snprintf(text, sizeof(text), "%.*s", (int)length, name);
    if (strcmp(text, "all") != 0 && mluop_op_find(text) < 0) {
      LOG_WARNING("MLUOP_GEN_CASE_OP_NAME: wanted names of operators, got \"%s\".", text);
    }
  }
}

mluopGenCaseConfig mluop_gen_case_config(const char *op_name) {
  static pthread_once_t names_once = PTHREAD_ONCE_INIT;
  mluopGenCaseConfig config = {.mode = current_mode()};
  if (config.mode == MLUOP_GEN_CASE_OFF) return config;
  pthread_once(&names_once, warn_unknown_names);
  bool is_data_forced = false;
  if (!mluop_gen_case_selects(mluop_env_string(MLUOP_ENV_GEN_CASE_OP_NAME), op_name,
                              &is_data_forced)) {
    config.mode = MLUOP_GEN_CASE_OFF;
    return config;
  }
  if (config.mode == MLUOP_GEN_CASE_PRINT) return config;
  const int dump_data = mluop_env_int(MLUOP_ENV_GEN_CASE_DUMP_DATA);
  if (is_data_forced) config.mode = MLUOP_GEN_CASE_DATA;
  config.is_data_kept = is_data_forced || (config.mode == MLUOP_GEN_CASE_DATA && dump_data > 0);
  config.is_hex = dump_data == 2;
  config.is_in_file = mluop_env_int(MLUOP_ENV_GEN_CASE_DUMP_DATA_FILE) != 0;
  config.is_output_kept = mluop_env_int(MLUOP_ENV_GEN_CASE_DUMP_DATA_OUTPUT) != 0;
  return config;
}

/* ---- folder ---- */

/* A copy of the chosen folder, by default the working directory. */
static char *chosen_directory(void) {
  pthread_mutex_lock(&directory_mutex);
  const char *chosen = directory != NULL ? directory : mluop_env_string(MLUOP_ENV_GEN_CASE_DIR);
  char *copy = *chosen != '\0' ? strdup(chosen) : NULL;
  const bool is_chosen = *chosen != '\0';
  pthread_mutex_unlock(&directory_mutex);
  if (is_chosen) return copy;
  char buffer[PATH_MAX];
  return strdup(getcwd(buffer, sizeof(buffer)) != NULL ? buffer : ".");
}

/* Text with every `mark` replaced by prefix<number>; frees text. */
static char *replace(char *text, const char *mark, const char *prefix, int number) {
  for (char *found; text != NULL && (found = strstr(text, mark)) != NULL;) {
    const size_t size = strlen(text) + strlen(prefix) + 16;
    char *longer = (char *)malloc(size);
    if (longer != NULL) {
      snprintf(longer, size, "%.*s%s%d%s", (int)(found - text), text, prefix, number,
               found + strlen(mark));
    }
    free(text);
    text = longer;
  }
  return text;
}

char *mluop_gen_case_root(int device) {
  char *root = replace(chosen_directory(), "{pid}", "pid", (int)getpid());
  return replace(root, "{deviceid}", "deviceid", device);
}

mluOpStatus_t MLUOP_WIN_API mluOpSetGenCaseDirectory(const char *path) {
  const char *api = "[mluOpSetGenCaseDirectory]";
  CHECK_NOT_NULL(api, path);
  char *copy = strdup(path);
  if (copy == NULL) {
    LOG_ERROR("%s cannot allocate the path.", api);
    return MLUOP_STATUS_ALLOC_FAILED;
  }
  pthread_mutex_lock(&directory_mutex);
  free(directory);
  directory = copy;
  pthread_mutex_unlock(&directory_mutex);
  return MLUOP_STATUS_SUCCESS;
}

const char *MLUOP_WIN_API mluOpGetGenCaseDirectory(char *buffer, size_t bufferSize, size_t *pathLen,
                                                   mluOpStatus_t *status) {
  const char *api = "[mluOpGetGenCaseDirectory]";
  int device = 0;
  (void)cnrtGetDevice(&device);
  mluOpStatus_t result = MLUOP_STATUS_SUCCESS;
  char *root = mluop_gen_case_root(device);
  size_t length = root != NULL ? strlen(root) : 0;
  if (root == NULL) {
    LOG_ERROR("%s cannot allocate the path.", api);
    result = MLUOP_STATUS_ALLOC_FAILED;
  } else if (buffer != NULL && length >= bufferSize) {
    LOG_ERROR("%s bufferSize: wanted at least %zu, got %zu.", api, length + 1, bufferSize);
    result = MLUOP_STATUS_BAD_PARAM;
    length = 0;
  } else if (buffer != NULL) {
    memcpy(buffer, root, length + 1);
  }
  if (pathLen != NULL) *pathLen = length;
  if (status != NULL) *status = result;
  if (buffer == NULL) return root;
  free(root);
  return buffer;
}

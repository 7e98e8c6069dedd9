/* SPDX-License-Identifier: MIT */
#include "compile.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* A temporary folder and the files in it. */
typedef struct Folder {
  char path[PATH_MAX];
  char source[PATH_MAX + 16], library[PATH_MAX + 16], log[PATH_MAX + 16];
} Folder;

static bool make_folder(Folder *folder) {
  const char *parent = getenv("TMPDIR");
  if (parent == NULL || *parent == '\0') {
    parent = "/tmp";
  }
  const int length = snprintf(folder->path, sizeof folder->path, "%s/cnrtc-XXXXXX", parent);
  if (length < 0 || (size_t)length >= sizeof folder->path || mkdtemp(folder->path) == NULL) {
    return false;
  }
  snprintf(folder->source, sizeof folder->source, "%s/code.mlu", folder->path);
  snprintf(folder->library, sizeof folder->library, "%s/code.so", folder->path);
  snprintf(folder->log, sizeof folder->log, "%s/log", folder->path);
  return true;
}

static void remove_folder(const Folder *folder) {
  unlink(folder->source);
  unlink(folder->library);
  unlink(folder->log);
  rmdir(folder->path);
}

static bool write_file(const char *path, const char *text) {
  FILE *file = fopen(path, "w");
  if (file == NULL) {
    return false;
  }
  const bool is_written = fputs(text, file) >= 0;
  return fclose(file) == 0 && is_written;
}

static bool read_file(const char *path, Bytes *bytes) {
  FILE *file = fopen(path, "r");
  if (file == NULL) {
    return false;
  }
  long size = -1;
  if (fseek(file, 0, SEEK_END) == 0) {
    size = ftell(file);
    rewind(file);
  }
  char *data = size < 0 ? NULL : malloc((size_t)size + 1);
  if (data != NULL && fread(data, 1, (size_t)size, file) == (size_t)size) {
    data[size] = '\0';
    *bytes = (Bytes){data, (size_t)size};
    data = NULL;
  }
  free(data);
  fclose(file);
  return bytes->data != NULL;
}

/* <root>/bin/cncc, where this library is <root>/lib64/libcnrtc.so. */
static bool find_compiler(char *path, size_t size) {
  Dl_info self;
  char library[PATH_MAX];
  if (dladdr((void *)(size_t)&compile_library, &self) == 0 ||
      realpath(self.dli_fname, library) == NULL) {
    return false;
  }
  for (int up = 0; up < 2; up++) {
    char *slash = strrchr(library, '/');
    if (slash == NULL) {
      return false;
    }
    *slash = '\0';
  }
  const int length = snprintf(path, size, "%s/bin/cncc", library);
  return length > 0 && (size_t)length < size && access(path, X_OK) == 0;
}

/* Exit status of the compiler, or -1 if it did not run. */
static int run_compiler(const char *compiler, const Folder *folder, int option_count,
                        const char **options) {
  const char *fixed[] = {"-shared", "-fPIC", folder->source, "-o", folder->library};
  enum { FIXED = sizeof fixed / sizeof *fixed };
  char **words = calloc((size_t)option_count + FIXED + 2, sizeof *words);
  if (words == NULL) {
    return -1;
  }
  int count = 0;
  words[count++] = (char *)(size_t)compiler;
  for (int i = 0; i < option_count; i++) words[count++] = (char *)(size_t)options[i];
  for (int i = 0; i < FIXED; i++) words[count++] = (char *)(size_t)fixed[i];
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, folder->log,
                                   O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = -1;
  int status = -1;
  if (posix_spawn(&child, compiler, &actions, NULL, words, environ) == 0) {
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  posix_spawn_file_actions_destroy(&actions);
  free(words);
  return status;
}

cnrtcStatus compile_library(const char *source, int option_count, const char **options,
                            Bytes *library, Bytes *log) {
  char compiler[PATH_MAX];
  Folder folder;
  if (!find_compiler(compiler, sizeof compiler)) {
    return CNRTC_COMPILE_CODE_ENVIRONMENT_ERROR;
  }
  if (!make_folder(&folder)) {
    return CNRTC_COMPILE_CODE_WRITE_PERMISSION_ERROR;
  }
  cnrtcStatus result = CNRTC_COMPILE_CODE_WRITE_PERMISSION_ERROR;
  if (write_file(folder.source, source)) {
    const int status = run_compiler(compiler, &folder, option_count, options);
    (void)read_file(folder.log, log);
    if (status < 0) {
      result = CNRTC_COMPILE_CODE_ENVIRONMENT_ERROR;
    } else if (status > 0) {
      result = CNRTC_COMPILE_CODE_ERROR;
    } else {
      result = read_file(folder.library, library) ? CNRTC_SUCCESS
                                                  : CNRTC_COMPILE_CODE_READ_PERMISSION_ERROR;
    }
  }
  remove_folder(&folder);
  return result;
}

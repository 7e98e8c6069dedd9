/* SPDX-License-Identifier: MIT
 *
 * Preloaded into a program by cnrun. A card's kernel driver has files under /proc/driver/cambricon,
 * which programs open before they use a device; here no such driver exists. Opening one of them
 * opens a file in this process's memory instead: it has the contents of an unclaimed card's file
 * and keeps what is written to it.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

static const char mlus[] = "/proc/driver/cambricon/mlus/";
static const char exclusive_mode[] = "/exclusive_mode";

/* True for a device's exclusive-mode file: <mlus><bus address>/exclusive_mode. */
static bool is_ours(const char *path) {
  if (path == NULL || strncmp(path, mlus, sizeof(mlus) - 1) != 0) {
    return false;
  }
  const char *address = path + sizeof(mlus) - 1;
  const size_t length = strcspn(address, "/");
  return length > 0 && strcmp(address + length, exclusive_mode) == 0;
}

/* ---- The files ---- */

struct file {
  struct file *next;
  int descriptor;
  char path[];
};

static struct file *files;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct file *make_file(const char *path) {
  struct file *file = malloc(sizeof(*file) + strlen(path) + 1);
  if (file == NULL) {
    return NULL;
  }
  strcpy(file->path, path);
  file->descriptor = memfd_create("exclusive_mode", MFD_CLOEXEC);
  if (file->descriptor < 0 || write(file->descriptor, "0\n", 2) != 2) {
    free(file);
    return NULL;
  }
  file->next = files;
  files = file;
  return file;
}

/* Finds a path under which the file can be opened any number of times. */
static bool find_name(const char *path, char *name, size_t size) {
  pthread_mutex_lock(&lock);
  struct file *file = files;
  while (file != NULL && strcmp(file->path, path) != 0) {
    file = file->next;
  }
  if (file == NULL) {
    file = make_file(path);
  }
  pthread_mutex_unlock(&lock);
  if (file == NULL) {
    return false;
  }
  snprintf(name, size, "/proc/self/fd/%d", file->descriptor);
  return true;
}

/* The path to open instead; other files keep theirs. */
static const char *instead(const char *path, char *name, size_t size) {
  return is_ours(path) && find_name(path, name, size) ? name : path;
}

/* ---- Replaced functions ---- */

enum { NAME_SIZE = 40 };

static void *next_function(const char *name) {
  void *function = dlsym(RTLD_NEXT, name);
  if (function == NULL) {
    fprintf(stderr, "cnrun: there is no %s\n", name);
    abort();
  }
  return function;
}

/* The mode argument exists only if a file may be created. */
static mode_t mode_of(int flags, va_list arguments) {
  return (flags & O_CREAT) != 0 || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(arguments, mode_t) : 0;
}

#define OPEN(function)                                           \
  EXPORT int function(const char *path, int flags, ...) {        \
    char name[NAME_SIZE];                                        \
    va_list arguments;                                           \
    va_start(arguments, flags);                                  \
    const mode_t mode = mode_of(flags, arguments);               \
    va_end(arguments);                                           \
    int (*next)(const char *, int, ...);                         \
    *(void **)&next = next_function(#function);                  \
    return next(instead(path, name, sizeof(name)), flags, mode); \
  }

#define OPEN_AT(function)                                                \
  EXPORT int function(int folder, const char *path, int flags, ...) {    \
    char name[NAME_SIZE];                                                \
    va_list arguments;                                                   \
    va_start(arguments, flags);                                          \
    const mode_t mode = mode_of(flags, arguments);                       \
    va_end(arguments);                                                   \
    int (*next)(int, const char *, int, ...);                            \
    *(void **)&next = next_function(#function);                          \
    return next(folder, instead(path, name, sizeof(name)), flags, mode); \
  }

/* The functions that open() becomes in programs compiled with _FORTIFY_SOURCE. */
#define OPEN_CHECKED(function)                             \
  EXPORT int function(const char *path, int flags);        \
  EXPORT int function(const char *path, int flags) {       \
    char name[NAME_SIZE];                                  \
    int (*next)(const char *, int);                        \
    *(void **)&next = next_function(#function);            \
    return next(instead(path, name, sizeof(name)), flags); \
  }

#define FOPEN(function)                                                         \
  EXPORT FILE *function(const char *restrict path, const char *restrict mode) { \
    char name[NAME_SIZE];                                                       \
    FILE *(*next)(const char *, const char *);                                  \
    *(void **)&next = next_function(#function);                                 \
    return next(instead(path, name, sizeof(name)), mode);                       \
  }

OPEN(open)
OPEN(open64)
OPEN_AT(openat)
OPEN_AT(openat64)
OPEN_CHECKED(__open_2)
OPEN_CHECKED(__open64_2)
FOPEN(fopen)
FOPEN(fopen64)

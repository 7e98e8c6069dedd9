/* SPDX-License-Identifier: MIT */
#include "common.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

static void write_line(const char *format, va_list args) {
  /* Assembled first so that lines of several threads do not mix. */
  char line[1024];
  vsnprintf(line, sizeof(line), format, args);
  fprintf(stderr, "cncl: %s\n", line);
}

void cncl_log(const char *format, ...) {
  va_list args;
  va_start(args, format);
  write_line(format, args);
  va_end(args);
}

cnclResult_t cncl_refuse(cnclResult_t result, const char *format, ...) {
  va_list args;
  va_start(args, format);
  write_line(format, args);
  va_end(args);
  return result;
}

uint64_t cncl_now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void cncl_condition_init(pthread_cond_t *condition) {
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(condition, &attributes);
  pthread_condattr_destroy(&attributes);
}

bool cncl_wait_until(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t end) {
  const struct timespec limit = {.tv_sec = (time_t)(end / 1000000000u),
                                 .tv_nsec = (long)(end % 1000000000u)};
  return pthread_cond_timedwait(condition, lock, &limit) != ETIMEDOUT;
}

bool cncl_thread_create(pthread_t *thread, void *(*body)(void *argument), void *argument) {
  sigset_t all;
  sigset_t previous;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &previous);
  const int error = pthread_create(thread, NULL, body, argument);
  pthread_sigmask(SIG_SETMASK, &previous, NULL);
  return error == 0;
}

static const struct {
  uint32_t type;
  size_t size;
  const char *name;
} types[] = {
    {cnclFloat16, 2, "half"},  {cnclBfloat16, 2, "bfloat16"}, {cnclFloat32, 4, "float"},
    {cnclInt8, 1, "int8"},     {cnclInt16, 2, "int16"},       {cnclInt32, 4, "int32"},
    {cnclInt64, 8, "int64"},   {cnclUint8, 1, "uint8"},       {cnclUint16, 2, "uint16"},
    {cnclUint32, 4, "uint32"}, {cnclUint64, 8, "uint64"},
};

enum { TYPE_COUNT = sizeof(types) / sizeof(types[0]) };

size_t cncl_type_size(uint32_t type) {
  for (size_t i = 0; i < TYPE_COUNT; ++i) {
    if (types[i].type == type) {
      return types[i].size;
    }
  }
  return 0;
}

const char *cncl_type_name(uint32_t type) {
  for (size_t i = 0; i < TYPE_COUNT; ++i) {
    if (types[i].type == type) {
      return types[i].name;
    }
  }
  return "an unknown type";
}

const char *cncl_op_name(uint32_t op) {
  static const char *const names[] = {"sum", "product", "maximum", "minimum"};
  return op < sizeof(names) / sizeof(names[0]) ? names[op] : NULL;
}

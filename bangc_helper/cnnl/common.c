/* SPDX-License-Identifier: MIT */
#include "common.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

cnnlStatus_t cnnl_refuse(cnnlStatus_t status, const char *format, ...) {
  /* Assembled first so that lines of several threads do not mix. */
  char line[512];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof(line), format, args);
  va_end(args);
  fprintf(stderr, "cnnl: %s\n", line);
  return status;
}

cnnlStatus_t cnnl_create(const char *function, void **object, size_t bytes) {
  if (object == NULL) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: the address of the result is NULL", function);
  }
  *object = calloc(1, bytes);
  return *object != NULL ? CNNL_STATUS_SUCCESS : CNNL_STATUS_ALLOC_FAILED;
}

cnnlStatus_t cnnl_destroy(const char *function, void *object) {
  if (object == NULL) {
    return cnnl_refuse(CNNL_STATUS_BAD_PARAM, "%s: the object is NULL", function);
  }
  free(object);
  return CNNL_STATUS_SUCCESS;
}

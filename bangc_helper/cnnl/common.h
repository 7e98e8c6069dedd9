/* SPDX-License-Identifier: MIT
 *
 * What every file of the operator library needs.
 */
#ifndef CNNL_COMMON_H_
#define CNNL_COMMON_H_

#include "cnnl.h"

/* The library is built with hidden visibility; this marks what programs may call. */
#define CNNL_EXPORT __attribute__((visibility("default")))

/* Leaves a function with the status of a check that failed. */
#define CNNL_CHECK(check)                  \
  do {                                     \
    const cnnlStatus_t checked_ = (check); \
    if (checked_ != CNNL_STATUS_SUCCESS) { \
      return checked_;                     \
    }                                      \
  } while (0)

/* One line on stderr, "cnnl: ...", that says why a call is refused; returns `status`. */
cnnlStatus_t cnnl_refuse(cnnlStatus_t status, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A zeroed object for a descriptor, and its end. */
cnnlStatus_t cnnl_create(const char *function, void **object, size_t bytes);
cnnlStatus_t cnnl_destroy(const char *function, void *object);

#endif /* CNNL_COMMON_H_ */

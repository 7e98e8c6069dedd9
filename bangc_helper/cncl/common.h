/* SPDX-License-Identifier: MIT
 *
 * What every file of the communication library needs.
 */
#ifndef CNCL_COMMON_H_
#define CNCL_COMMON_H_

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cncl.h"

/* The library is built with hidden visibility; this marks what programs may call. */
#define CNCL_EXPORT __attribute__((visibility("default")))

/* One line on stderr: "cncl: ...". */
void cncl_log(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Logs why a call is refused and returns `result`. */
cnclResult_t cncl_refuse(cnclResult_t result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Monotonic clock in nanoseconds. */
uint64_t cncl_now_ns(void);

/* A condition variable for cncl_wait_until. */
void cncl_condition_init(pthread_cond_t *condition);
/* Waits for a condition, up to a time of cncl_now_ns; false when that is over. */
bool cncl_wait_until(pthread_cond_t *condition, pthread_mutex_t *lock, uint64_t end);

/* Creates a thread that takes no signals: a program's handlers belong on its own threads. */
bool cncl_thread_create(pthread_t *thread, void *(*body)(void *argument), void *argument);

/* Bytes of an element, 0 for an unknown type. */
size_t cncl_type_size(uint32_t type);
const char *cncl_type_name(uint32_t type);
/* NULL for an unknown operation. */
const char *cncl_op_name(uint32_t op);

#endif /* CNCL_COMMON_H_ */

/* SPDX-License-Identifier: MIT
 *
 * A test program is a list of named functions. A failed check is printed and counted, and the test
 * continues. `program [name...]` runs the named tests only.
 */
#ifndef CNRT_TEST_HARNESS_H_
#define CNRT_TEST_HARNESS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "bang_runtime.h"
#include "cn_api.h"
#include "cnrt.h"

struct test_case {
  const char *name;
  void (*run)(void);
};

/* Runs the tests argv names, or all; returns main's result. */
int run_tests(const struct test_case *tests, size_t count, int argc, char **argv);

void report_failure(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#define CHECK(condition)                                    \
  do {                                                      \
    if (!(condition)) {                                     \
      report_failure(__FILE__, __LINE__, "%s", #condition); \
    }                                                       \
  } while (0)

#define CHECK_EQ(actual, expected)                                                           \
  do {                                                                                       \
    const long long actual_ = (long long)(actual);                                           \
    const long long expected_ = (long long)(expected);                                       \
    if (actual_ != expected_) {                                                              \
      report_failure(__FILE__, __LINE__, "%s is %lld, expected %s = %lld", #actual, actual_, \
                     #expected, expected_);                                                  \
    }                                                                                        \
  } while (0)

#define CHECK_OK(call) CHECK_EQ(call, cnrtSuccess)

/* What a task of a test kernel does. */
typedef void (*task_function)(void *argument);

/* Launches `function` as a kernel without a compiler; the result is the launch's last error. */
cnrtRet_t launch(task_function function, void *argument, cnrtDim3_t dim, cnrtFunctionType_t type,
                 cnrtQueue_t queue);
cnrtDim3_t dim3(unsigned x, unsigned y, unsigned z);

/* True with the CPU root, which guarantees more than other roots. */
bool is_on_cpu(void);
/* Device `wanted`, or the last one there is. */
int device_up_to(int wanted);
/* Copy, since the host may be unable to access device memory. */
void write_device(void *device, const void *host, size_t bytes);
uint32_t read_device_word(const void *device);

/* Runs this program again with one setting and one test name; captures its stderr (up to size - 1
 * bytes) when `output` is not NULL. Returns its exit status, or -1 when it was killed. */
int run_self(const char *setting, const char *test, char *output, size_t size);

/* Monotonic clock in microseconds. */
double now_us(void);
/* Number of threads, and resident memory in KB, of this process. */
int thread_count(void);
long resident_kb(void);

#endif /* CNRT_TEST_HARNESS_H_ */

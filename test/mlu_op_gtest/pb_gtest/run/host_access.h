/* SPDX-License-Identifier: MIT */
#ifndef MLUOP_TEST_RUN_HOST_ACCESS_H_
#define MLUOP_TEST_RUN_HOST_ACCESS_H_

#include <stdbool.h>

/* Whether this thread, and those it starts, may touch an address of device memory. It is so where
 * kernels run on the host's processor, unless the runtime forbids it (MLUOP_CPU_HOST_ACCESS=0). */
bool mluop_host_reaches(const void *address);

#endif /* MLUOP_TEST_RUN_HOST_ACCESS_H_ */

/* SPDX-License-Identifier: MIT
 *
 * How long this process had to wait for a CPU: on a machine that others use too, it tells the
 * measurements that were disturbed from those that were not. */
#ifndef MLUOP_TEST_PERF_RUN_DELAY_H_
#define MLUOP_TEST_PERF_RUN_DELAY_H_

/* Microseconds all threads of the process together were ready to run and did not; 0 where the
 * kernel does not count them. */
double mluop_perf_run_delay_us(void);

#endif /* MLUOP_TEST_PERF_RUN_DELAY_H_ */

/* SPDX-License-Identifier: MIT */
#ifndef SCALE_H_
#define SCALE_H_
#include <cnrt.h>

#ifndef SCALE_EXTRA
#define SCALE_EXTRA 0
#endif

void launch_scale(int *data, int n, cnrtQueue_t queue);
void launch_twice(int *data, int n, cnrtQueue_t queue);
int run_all(cnrtQueue_t queue, int *data, int n);
int plugin_run(cnrtQueue_t queue, int *data, int n);
#endif

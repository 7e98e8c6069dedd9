/* SPDX-License-Identifier: MIT
 *
 * Turns a parsed command line into the commands that do the work.
 */
#ifndef CNCC_DRIVER_H_
#define CNCC_DRIVER_H_

#include "host.h"
#include "options.h"
#include "target.h"

/* The Neuware root of the driver: two levels above the executable, so that it may be moved. */
char *neuware_root(void);

/* Compiles and links; returns the exit status of the program. */
int drive(const Options *options, const Target *target, const Host *host, const char *root);

#endif /* CNCC_DRIVER_H_ */

/* SPDX-License-Identifier: MIT
 *
 * Settings of the communication library. They come from the environment, are read once, and are
 * listed with default and meaning in the table of settings.c and in docs/cncl.md.
 */
#ifndef CNCL_SETTINGS_H_
#define CNCL_SETTINGS_H_

#include "common.h"

enum cncl_processes {
  CNCL_PROCESSES_AUTO, /* MPI in a job of several processes */
  CNCL_PROCESSES_MPI,
  CNCL_PROCESSES_SINGLE,
};

struct cncl_settings {
  uint64_t timeout_ns;
  enum cncl_processes processes;
};

/* The current settings. */
const struct cncl_settings *cncl_settings(void);

#endif /* CNCL_SETTINGS_H_ */

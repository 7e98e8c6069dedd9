/* SPDX-License-Identifier: MIT
 *
 * Files without a name that another process has open, mapped as a whole. They stay mapped: finding
 * one again is a matter of looking.
 */
#ifndef RUNTIME_PEER_FILE_H_
#define RUNTIME_PEER_FILE_H_

#include "common.h"

struct rt_peer_file {
  char *start;
  size_t size;
};

/* The file with this number in a process; false when it cannot be reached. */
bool rt_peer_file(int process, int file, struct rt_peer_file *found);

#endif /* RUNTIME_PEER_FILE_H_ */

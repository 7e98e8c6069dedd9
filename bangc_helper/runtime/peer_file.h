/* SPDX-License-Identifier: MIT
 *
 * Unnamed files that other processes map: those of this process, and those of others, which are
 * mapped as a whole and stay mapped.
 */
#ifndef RUNTIME_PEER_FILE_H_
#define RUNTIME_PEER_FILE_H_

#include "common.h"

struct rt_peer_file {
  char *start;
  size_t size;
};

/* Creates a file of this process with a number below `numbers`; -1 if the system has no files left
 * or refuses the size. */
int rt_file_create(const char *name, size_t bytes, int numbers);
/* The same, mapped here as well. */
int rt_file_create_mapped(const char *name, size_t bytes, int numbers, char **start);

/* The file with this number of a process; false when it cannot be reached. */
bool rt_peer_file(int process, int file, struct rt_peer_file *found);

#endif /* RUNTIME_PEER_FILE_H_ */

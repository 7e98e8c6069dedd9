/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* pipe2 */
#include "run/host_access.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Where kernels are checked, the runtime must see what the host writes, as a card would. Else no
 * call of the runtime tells. The kernel does: it reads the byte on behalf of this thread, and
 * reports an address that cannot be read where a load would end the process. */
bool mluop_host_reaches(const void *address) {
  int ends[2];
  if (!address || getenv("MLUOP_CHECK") || pipe2(ends, O_CLOEXEC | O_NONBLOCK)) {
    return false;
  }
  const bool reached = write(ends[1], address, 1) == 1;
  close(ends[0]);
  close(ends[1]);
  return reached;
}

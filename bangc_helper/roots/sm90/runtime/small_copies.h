/* SPDX-License-Identifier: MIT
 *
 * Many short copies by one kernel. The device's copy engine would take 5 us for each.
 */
#ifndef SM90_SMALL_COPIES_H_
#define SM90_SMALL_COPIES_H_

#include <cuda_runtime_api.h>
#include <stddef.h>

enum {
  RT_SMALL_COPIES = 128,      /* at a time */
  RT_SMALL_COPY_BYTES = 4096, /* at most */
};

struct rt_small_copies {
  char *target[RT_SMALL_COPIES];
  const char *source[RT_SMALL_COPIES];
  unsigned bytes[RT_SMALL_COPIES];
  unsigned count;
};

#ifdef __cplusplus
extern "C" {
#endif

/* All addresses are the device's, and no copy overlaps another. */
cudaError_t rt_small_copies_launch(const struct rt_small_copies *copies, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif /* SM90_SMALL_COPIES_H_ */

/* SPDX-License-Identifier: MIT */
#include "sample.h"

int main(void) {
  cnrtQueue_t queue;
  mluOpHandle_t handle;
  CHECK(cnrtSetDevice(0));
  CHECK(cnrtQueueCreate(&queue));
  CHECK(mluOpCreate(&handle));
  CHECK(mluOpSetQueue(handle, queue));
  int wrong =
      show_dispatch(handle) + show_permute(handle) + show_paged(handle) + show_sampling(handle);
  CHECK(mluOpDestroy(handle));
  CHECK(cnrtQueueDestroy(queue));
  puts(wrong ? "FAIL" : "PASS");
  return wrong != 0;
}

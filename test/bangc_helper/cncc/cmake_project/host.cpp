/* SPDX-License-Identifier: MIT */
#include <cstdio>

#include "include dir/scale.h"

int main() {
  cnrtQueue_t queue = nullptr;
  int *data = nullptr;
  const int n = 3;
  if (cnrtQueueCreate(&queue) != cnrtSuccess) return 1;
  if (cnrtMalloc(reinterpret_cast<void **>(&data), n * sizeof(int)) != cnrtSuccess) return 1;
  int host[n] = {1, 2, 3};
  cnrtMemcpy(data, host, sizeof(host), cnrtMemcpyHostToDev);
  if (run_all(queue, data, n) != 0 || plugin_run(queue, data, n) != 0) return 1;
  cnrtMemcpy(host, data, sizeof(host), cnrtMemcpyDevToHost);
  cnrtFree(data);
  cnrtQueueDestroy(queue);
  std::printf("%d %d %d\n", host[0], host[1], host[2]);
  return 0;
}

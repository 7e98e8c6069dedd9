/* SPDX-License-Identifier: MIT
 *
 * A host program in C that launches a kernel by its C name, as programs did before <<<>>>. */
#include <cnrt.h>
#include <stdio.h>

void plainKernel(int32_t *x, int32_t n, int16_t factor);

int main(void) {
  int32_t *x = NULL;
  int32_t values[4] = {0}, n = 5;
  int16_t factor = -2;
  cnrtDim3_t dim = {4, 1, 1};
  cnrtQueue_t queue;
  cnrtKernelParamsBuffer_t params;
  cnrtKernelInitParam_t init;
  CNRT_CHECK(cnrtInit(0));
  CNRT_CHECK(cnrtCreateQueue(&queue));
  CNRT_CHECK(cnrtMalloc((void **)&x, sizeof(values)));
  CNRT_CHECK(cnrtGetKernelParamsBuffer(&params));
  CNRT_CHECK(cnrtKernelParamsBufferAddParam(params, &x, sizeof(x)));
  CNRT_CHECK(cnrtKernelParamsBufferAddParam(params, &n, sizeof(n)));
  CNRT_CHECK(cnrtKernelParamsBufferAddParam(params, &factor, sizeof(factor)));
  CNRT_CHECK(cnrtCreateKernelInitParam(&init));
  CNRT_CHECK(cnrtInitKernelMemory((const void *)plainKernel, init));
  CNRT_CHECK(cnrtInvokeKernel_V3((const void *)plainKernel, init, dim, params, CNRT_FUNC_TYPE_BLOCK,
                                 queue, NULL));
  CNRT_CHECK(cnrtSyncQueue(queue));
  CNRT_CHECK(cnrtMemcpy(values, x, sizeof(values), CNRT_MEM_TRANS_DIR_DEV2HOST));
  CNRT_CHECK(cnrtDestroyKernelInitParamAndMemory(init));
  CNRT_CHECK(cnrtDestroyKernelParamsBuffer(params));
  CNRT_CHECK(cnrtFree(x));
  CNRT_CHECK(cnrtDestroyQueue(queue));
  for (int i = 0; i < 4; ++i) {
    if (values[i] != (5 + i) * -2) {
      printf("task %d wrote %d\n", i, (int)values[i]);
      return 1;
    }
  }
  puts("passed");
  return 0;
}

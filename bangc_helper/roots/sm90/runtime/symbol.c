/* SPDX-License-Identifier: MIT */
#include "root.h"

#include "device.h"

cnrtRet_t rt_symbol_find(const void *symbol, char **start, size_t *size) {
  struct rt_device *device = rt_current_device();
  void *address = NULL;
  if (device == NULL) {
    return cnrtErrorNoDevice;
  }
  const cnrtRet_t entered = rt_device_enter(device);
  if (entered != cnrtSuccess) {
    return entered;
  }
  if (symbol == NULL || rt_cuda(cudaGetSymbolAddress(&address, symbol)) != cnrtSuccess ||
      rt_cuda(cudaGetSymbolSize(size, symbol)) != cnrtSuccess) {
    return cnrtErrorInvalidSymbol;
  }
  *start = address;
  return cnrtSuccess;
}

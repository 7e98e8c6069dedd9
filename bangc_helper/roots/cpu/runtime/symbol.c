/* SPDX-License-Identifier: MIT
 *
 * Variables of kernels: on the CPU they are the program's own, at the same address.
 */
#include "root.h"

#include "bang_runtime.h"
#include "memory.h"

cnrtRet_t rt_symbol_find(const void *symbol, char **start, size_t *size) {
  struct rt_memory_info info;
  if (symbol == NULL || !rt_memory_find(symbol, &info) || info.kind != RT_MEMORY_SYMBOL ||
      info.start != symbol) {
    return cnrtErrorInvalidSymbol;
  }
  *start = info.start;
  *size = info.size;
  return cnrtSuccess;
}

RT_EXPORT void __bang_register_symbol(void *address, size_t size) {
  if (!rt_memory_add_symbol(address, size)) {
    rt_warn("no memory to remember a device variable of %zu bytes", size);
  }
}

RT_EXPORT void __bang_unregister_symbol(void *address) {
  rt_memory_remove_symbol(address);
}

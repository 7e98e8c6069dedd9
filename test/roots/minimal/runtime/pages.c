/* SPDX-License-Identifier: MIT
 *
 * Device memory is process memory.
 */
#include <stdlib.h>
#include <string.h>

#include "bang_runtime.h"
#include "memory.h"
#include "root.h"

enum { ALIGNMENT = 4096 };

cnrtRet_t rt_pages_take(struct rt_device *device, enum rt_memory_kind kind,
                        struct rt_pages *pages) {
  (void)device;
  if (pages->size > rt_device_memory(device)) {
    return rt_no_memory(kind);
  }
  pages->start = aligned_alloc(ALIGNMENT, (pages->size / ALIGNMENT + 1) * ALIGNMENT);
  return pages->start != NULL ? cnrtSuccess : rt_no_memory(kind);
}

void rt_pages_give_back(struct rt_device *device, enum rt_memory_kind kind,
                        const struct rt_pages *pages) {
  (void)device;
  (void)kind;
  free(pages->start);
}

cnrtRet_t rt_pages_clear(void *start, size_t bytes) {
  memset(start, 0, bytes);
  return cnrtSuccess;
}

bool rt_pages_host_reaches(void) {
  return true;
}

/* ---- Variables of kernels ---- */

cnrtRet_t rt_symbol_find(const void *symbol, char **start, size_t *size) {
  struct rt_memory_info info;
  if (symbol == NULL || !rt_memory_find(symbol, &info) || info.kind != RT_MEMORY_SYMBOL) {
    return cnrtErrorInvalidSymbol;
  }
  *start = info.start;
  *size = info.size;
  return cnrtSuccess;
}

RT_EXPORT void __bang_register_symbol(void *address, size_t size) {
  rt_memory_add_symbol(address, size);
}

RT_EXPORT void __bang_unregister_symbol(void *address) {
  rt_memory_remove_symbol(address);
}

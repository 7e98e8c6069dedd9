/* SPDX-License-Identifier: MIT
 *
 * Device memory that other processes may map. It is one unnamed file, in which every allocation has
 * a range. The file disappears with the last process that has it open or mapped, however that
 * process ends.
 */
#ifndef RUNTIME_SHARED_HEAP_H_
#define RUNTIME_SHARED_HEAP_H_

#include "memory.h"

enum {
  /* Ranges begin at a multiple of this, which all page sizes divide, after the page with their
   * header. */
  RT_HEAP_UNIT = 64 << 10,
  RT_HEAP_MAX_FILE = 1 << 10, /* limited by the bits for file numbers in a handle */
};

#define RT_HEAP_MAX_BYTES ((size_t)512 << 30)
#define RT_HEAP_MAGIC 0x70616568746e7263u

/* In the page before an allocation, for processes that map it. */
struct rt_heap_header {
  uint64_t magic; /* 0 once the allocation is freed */
  uint64_t size;
  uint64_t serial;
};

/* True if device memory is in the heap from the start: processes of a job exchange memory, and
 * moving it later would wait for everything that uses it. */
bool rt_heap_is_default(void);

/* Maps the heap at the addresses [pages->start, pages->start + bytes), whose contents are lost, and
 * sets pages->heap_offset. False, and nothing has changed, when there is no heap or no room. */
bool rt_heap_map(struct rt_pages *pages, size_t bytes, size_t alignment);
/* The same for memory in use, whose contents are kept. Nothing may write to it meanwhile. */
bool rt_heap_move(struct rt_pages *pages, size_t bytes);
/* Returns the range of pages in the heap to the system. */
void rt_heap_give_back(const struct rt_pages *pages, size_t bytes);

/* The number of the file in this process, and the serial number of an allocation. */
int rt_heap_file(void);
uint64_t rt_heap_serial(const struct rt_pages *pages);

#endif /* RUNTIME_SHARED_HEAP_H_ */

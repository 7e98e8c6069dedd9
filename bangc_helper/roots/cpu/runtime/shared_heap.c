/* SPDX-License-Identifier: MIT */
#include "shared_heap.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device_access.h"
#include "peer_file.h"
#include "settings.h"

enum { NO_FILE = -1 };

/* From a header to the end of its allocation. */
struct range {
  size_t begin;
  size_t end;
};

static struct {
  pthread_mutex_t lock;
  int file;
  size_t capacity;
  uint64_t serial;
  struct range *ranges; /* in use, ascending */
  size_t count;
  size_t limit;
} heap = {.lock = PTHREAD_MUTEX_INITIALIZER, .file = NO_FILE};

static int number_from(const char *variable) {
  const char *text = getenv(variable);
  return text != NULL ? atoi(text) : 0;
}

bool rt_heap_is_default(void) {
  switch (rt_settings()->shared_memory) {
    case RT_SHARED_MEMORY_ON:
      return true;
    case RT_SHARED_MEMORY_OFF:
      return false;
    default:
      return number_from("OMPI_COMM_WORLD_SIZE") > 1 || number_from("PMI_SIZE") > 1;
  }
}

/* ---- The file ---- */

/* Larger than the memory, since ranges leave gaps; only used pages cost memory. */
static size_t wanted_capacity(void) {
  const uint64_t twice = 2 * rt_settings()->memory_bytes;
  return twice < RT_HEAP_MAX_BYTES ? (size_t)twice : RT_HEAP_MAX_BYTES;
}

static void open_file(void) {
  if (rt_settings()->shared_memory != RT_SHARED_MEMORY_OFF) {
    heap.capacity = wanted_capacity();
    heap.file = rt_file_create("cnrt-device-memory", heap.capacity, RT_HEAP_MAX_FILE);
  }
}

int rt_heap_file(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_file);
  return heap.file;
}

/* ---- Ranges ---- */

/* The header page of the allocation at `offset`. */
static size_t header_at(size_t offset) {
  return offset - rt_page_bytes();
}

/* Takes the first gap with room for a header page and `bytes`. Returns the offset after the header,
 * 0 when there is none. */
static size_t take_range(size_t bytes, size_t alignment) {
  const size_t page = rt_page_bytes();
  size_t offset = 0;
  pthread_mutex_lock(&heap.lock);
  if (heap.count == heap.limit) {
    const size_t limit = heap.limit == 0 ? 64 : 2 * heap.limit;
    struct range *ranges = realloc(heap.ranges, limit * sizeof(*ranges));
    if (ranges != NULL) {
      heap.ranges = ranges;
      heap.limit = limit;
    }
  }
  size_t gap = 0;
  for (size_t index = 0; index <= heap.count && heap.count < heap.limit; ++index) {
    const size_t start = (gap + page + alignment - 1) / alignment * alignment;
    const size_t end = index < heap.count ? heap.ranges[index].begin : heap.capacity;
    if (start <= end && bytes <= end - start) {
      memmove(heap.ranges + index + 1, heap.ranges + index,
              (heap.count - index) * sizeof(*heap.ranges));
      heap.ranges[index] = (struct range){start - page, start + bytes};
      ++heap.count;
      offset = start;
      break;
    }
    gap = index < heap.count ? heap.ranges[index].end : gap;
  }
  pthread_mutex_unlock(&heap.lock);
  return offset;
}

static void return_range(size_t offset) {
  pthread_mutex_lock(&heap.lock);
  size_t index = 0;
  while (heap.ranges[index].begin != header_at(offset)) {
    ++index;
  }
  --heap.count;
  memmove(heap.ranges + index, heap.ranges + index + 1,
          (heap.count - index) * sizeof(*heap.ranges));
  if (heap.count == 0) { /* so that leak checkers find nothing at the end of a program */
    free(heap.ranges);
    heap.ranges = NULL;
    heap.limit = 0;
  }
  pthread_mutex_unlock(&heap.lock);
}

/* Returns the memory of a range to the system, even if others still have it mapped. */
static void drop_range(size_t offset, size_t bytes) {
  const size_t begin = header_at(offset);
  fallocate(heap.file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)begin,
            (off_t)(offset + bytes - begin));
  return_range(offset);
}

static bool write_header(size_t offset, size_t size) {
  pthread_mutex_lock(&heap.lock);
  const struct rt_heap_header header = {RT_HEAP_MAGIC, size, ++heap.serial};
  pthread_mutex_unlock(&heap.lock);
  return pwrite(heap.file, &header, sizeof(header), (off_t)header_at(offset)) ==
         (ssize_t)sizeof(header);
}

uint64_t rt_heap_serial(const struct rt_pages *pages) {
  struct rt_heap_header header = {0};
  return pread(heap.file, &header, sizeof(header), (off_t)header_at(pages->heap_offset)) ==
                 (ssize_t)sizeof(header)
             ? header.serial
             : 0;
}

/* ---- Mapping ---- */

/* Maps a new range at `place`, or anywhere if that is NULL. */
static char *map_range(char *place, size_t size, size_t bytes, size_t alignment, size_t *offset) {
  *offset = rt_heap_file() != NO_FILE && bytes != 0 ? take_range(bytes, alignment) : 0;
  if (*offset == 0) {
    return NULL;
  }
  void *mapped = MAP_FAILED;
  if (write_header(*offset, size)) {
    mapped = mmap(place, bytes, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_NORESERVE | (place != NULL ? MAP_FIXED : 0), heap.file,
                  (off_t)*offset);
  }
  if (mapped == MAP_FAILED) {
    drop_range(*offset, bytes);
    return NULL;
  }
  return mapped;
}

bool rt_heap_map(struct rt_pages *pages, size_t bytes, size_t alignment) {
  size_t offset = 0;
  const size_t unit = alignment > RT_HEAP_UNIT ? alignment : RT_HEAP_UNIT;
  if (map_range(pages->start, pages->size, bytes, unit, &offset) == NULL) {
    return false;
  }
  pages->heap_offset = offset;
  return true;
}

bool rt_heap_move(struct rt_pages *pages, size_t bytes) {
  size_t offset = 0;
  char *copy = map_range(NULL, pages->size, bytes, RT_HEAP_UNIT, &offset);
  if (copy == NULL) {
    return false;
  }
  const int access = rt_device_access_open();
  memcpy(copy, pages->start, pages->size);
  rt_device_access_close(access);
  if (mremap(copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, pages->start) == MAP_FAILED) {
    munmap(copy, bytes);
    drop_range(offset, bytes);
    return false;
  }
  rt_device_access_protect(pages->start, bytes);
  pages->heap_offset = offset;
  return true;
}

void rt_heap_give_back(const struct rt_pages *pages, size_t bytes) {
  drop_range(pages->heap_offset, bytes);
}

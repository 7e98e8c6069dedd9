/* SPDX-License-Identifier: MIT
 *
 * State of device memory in pages, found through a two-level table indexed by address bits.
 */
#include "device.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE_BITS = 16, NODE_BITS = 16, ROOT_BITS = 16, PAGE = 1 << PAGE_BITS, LOCKS = 256 };

struct page {
  _Atomic uint8_t written[PAGE / 8]; /* one bit per byte */
  struct card_cell *_Atomic cells;
};

struct node {
  struct page *_Atomic pages[1 << NODE_BITS];
};

static struct node *_Atomic root[1 << ROOT_BITS];
static pthread_mutex_t locks[LOCKS];

static void init_locks(void) {
  for (int i = 0; i < LOCKS; ++i) {
    pthread_mutex_init(&locks[i], NULL);
  }
}

static void *map(size_t bytes) {
  void *memory =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory != MAP_FAILED ? memory : NULL;
}

/* Stores `made` unless another thread was first; returns what is stored now. */
static void *keep_one(void *_Atomic *place, void *made, size_t bytes) {
  void *expected = NULL;
  if (made == NULL || atomic_compare_exchange_strong(place, &expected, made)) {
    return made;
  }
  munmap(made, bytes);
  return expected;
}

/* NULL if it does not exist and is not wanted, or if memory is short. */
static struct page *page_of(uintptr_t address, bool create) {
  struct node *_Atomic *slot = &root[address >> (PAGE_BITS + NODE_BITS) & ((1 << ROOT_BITS) - 1)];
  struct node *node = atomic_load(slot);
  if (node == NULL && create) {
    node = keep_one((void *_Atomic *)slot, map(sizeof(*node)), sizeof(*node));
  }
  if (node == NULL) {
    return NULL;
  }
  struct page *_Atomic *place = &node->pages[address >> PAGE_BITS & ((1 << NODE_BITS) - 1)];
  struct page *page = atomic_load(place);
  if (page == NULL && create) {
    page = keep_one((void *_Atomic *)place, map(sizeof(*page)), sizeof(*page));
  }
  return page;
}

static struct card_cell *cells_of(struct page *page) {
  const size_t bytes = PAGE / CARD_CELL_BYTES * sizeof(struct card_cell);
  struct card_cell *cells = atomic_load(&page->cells);
  return cells != NULL ? cells : keep_one((void *_Atomic *)&page->cells, map(bytes), bytes);
}

/* Bytes from an address to the end of its page, at most `bytes`. */
static size_t part_of(uintptr_t start, size_t bytes) {
  const size_t left = PAGE - start % PAGE;
  return bytes < left ? bytes : left;
}

/* ---- Written bytes ---- */

static void set_bits(struct page *page, size_t at, size_t count, bool value) {
  size_t i = at;
  for (; i < at + count && i % 8 != 0; ++i) {
    if (value) {
      atomic_fetch_or_explicit(&page->written[i / 8], (uint8_t)(1u << i % 8), memory_order_relaxed);
    } else {
      atomic_fetch_and_explicit(&page->written[i / 8], (uint8_t) ~(1u << i % 8),
                                memory_order_relaxed);
    }
  }
  const size_t whole = (at + count - i) / 8;
  if (i < at + count) {
    memset((void *)&page->written[i / 8], value ? 0xff : 0, whole);
    i += 8 * whole;
  }
  for (; i < at + count; ++i) {
    if (value) {
      atomic_fetch_or_explicit(&page->written[i / 8], (uint8_t)(1u << i % 8), memory_order_relaxed);
    } else {
      atomic_fetch_and_explicit(&page->written[i / 8], (uint8_t) ~(1u << i % 8),
                                memory_order_relaxed);
    }
  }
}

void card_device_forget(uintptr_t start, size_t bytes) {
  for (size_t done = 0; done < bytes;) {
    const size_t part = part_of(start + done, bytes - done);
    struct page *page = page_of(start + done, false);
    if (page != NULL) {
      set_bits(page, (start + done) % PAGE, part, false);
      struct card_cell *cells = atomic_load(&page->cells);
      if (cells != NULL) {
        memset(&cells[(start + done) % PAGE / CARD_CELL_BYTES], 0,
               (part + CARD_CELL_BYTES - 1) / CARD_CELL_BYTES * sizeof(*cells));
      }
    }
    done += part;
  }
}

void card_device_set_written(uintptr_t start, size_t bytes) {
  for (size_t done = 0; done < bytes;) {
    const size_t part = part_of(start + done, bytes - done);
    struct page *page = page_of(start + done, true);
    if (page != NULL) {
      set_bits(page, (start + done) % PAGE, part, true);
    }
    done += part;
  }
}

static size_t find_unwritten(const struct page *page, size_t at, size_t count) {
  for (size_t i = 0; i < count;) {
    const size_t place = at + i;
    const uint8_t bits = atomic_load_explicit(&page->written[place / 8], memory_order_relaxed);
    if (place % 8 == 0 && bits == 0xff) {
      i += 8;
    } else if ((bits >> place % 8 & 1) == 0) {
      return i;
    } else {
      ++i;
    }
  }
  return count;
}

size_t card_device_find_unwritten(uintptr_t start, size_t bytes) {
  for (size_t done = 0; done < bytes;) {
    const size_t part = part_of(start + done, bytes - done);
    const struct page *page = page_of(start + done, false);
    const size_t found = page != NULL ? find_unwritten(page, (start + done) % PAGE, part) : 0;
    if (found < part) {
      return done + found;
    }
    done += part;
  }
  return bytes;
}

/* ---- Granules ---- */

bool card_device_touch(uintptr_t start, size_t bytes,
                       bool (*touch)(struct card_cell *cell, uintptr_t address, uint32_t mask,
                                     void *argument),
                       void *argument) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, init_locks);
  bool ended = false;
  for (size_t done = 0; done < bytes && !ended;) {
    const size_t part = part_of(start + done, bytes - done);
    struct page *page = page_of(start + done, true);
    struct card_cell *cells = page != NULL ? cells_of(page) : NULL;
    pthread_mutex_t *lock = &locks[(start + done) / PAGE % LOCKS];
    const uintptr_t end = start + done + part;
    pthread_mutex_lock(lock);
    for (uintptr_t at = start + done; cells != NULL && at < end && !ended;) {
      const unsigned first = at % CARD_CELL_BYTES;
      const uintptr_t next = at - first + CARD_CELL_BYTES;
      const unsigned last = next < end ? CARD_CELL_BYTES : (unsigned)(end - at + first);
      const uint32_t mask = (uint32_t)((((uint64_t)1 << last) - 1) & ~(((uint64_t)1 << first) - 1));
      ended = touch(&cells[at % PAGE / CARD_CELL_BYTES], at - first, mask, argument);
      at = next;
    }
    pthread_mutex_unlock(lock);
    done += part;
  }
  return ended;
}

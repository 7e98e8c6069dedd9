/* SPDX-License-Identifier: MIT */
#include "arena.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bang_runtime.h"
#include "device.h"
#include "settings.h"

/* Address space, not memory: pages come with their first use. Larger than any chip's RAM, so that
 * kernels written for other chips run as well. */
enum {
  WRAM_RESERVED = 16 << 20,
  SRAM_RESERVED = 64 << 20,
};

/* A signalling NaN as float, as its upper bfloat16 and as its lower half. */
static const uint32_t poison_word = 0x7fa17da1u;

struct arenas {
  char *wram;
  char *sram;
  bool owns_sram;
};

static pthread_key_t arenas_key;

static char *reserve(size_t bytes) {
  void *address =
      mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return address != MAP_FAILED ? address : NULL;
}

static void destroy_arenas(void *pointer) {
  struct arenas *arenas = pointer;
  if (arenas->wram != NULL) {
    munmap(arenas->wram, WRAM_RESERVED);
  }
  if (arenas->owns_sram && arenas->sram != NULL) {
    rt_sram_destroy(arenas->sram);
  }
  free(arenas);
}

static void create_key(void) {
  pthread_key_create(&arenas_key, destroy_arenas);
}

static struct arenas *thread_arenas(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, create_key);
  struct arenas *arenas = pthread_getspecific(arenas_key);
  if (arenas == NULL) {
    arenas = calloc(1, sizeof(*arenas));
    if (arenas != NULL) {
      pthread_setspecific(arenas_key, arenas);
    }
  }
  return arenas;
}

char *rt_sram_create(void) {
  return reserve(SRAM_RESERVED);
}

void rt_sram_destroy(char *sram) {
  munmap(sram, SRAM_RESERVED);
}

bool rt_sram_has(const char *sram, const void *address) {
  return (uintptr_t)address - (uintptr_t)sram < SRAM_RESERVED;
}

bool rt_arena_adopt_sram(char *sram) {
  struct arenas *arenas = thread_arenas();
  if (arenas != NULL && arenas->sram == NULL) {
    arenas->sram = sram;
  }
  return arenas != NULL && arenas->sram == sram;
}

bool rt_arena_has(bangSpace space, const void *address) {
  const struct arenas *arenas = thread_arenas();
  if (arenas == NULL) {
    return false;
  }
  if (space == BANG_SPACE_SRAM) {
    return arenas->sram != NULL && rt_sram_has(arenas->sram, address);
  }
  return arenas->wram != NULL && (uintptr_t)address - (uintptr_t)arenas->wram < WRAM_RESERVED;
}

static char *thread_wram(void) {
  struct arenas *arenas = thread_arenas();
  if (arenas == NULL) {
    return NULL;
  }
  if (arenas->wram == NULL) {
    arenas->wram = reserve(WRAM_RESERVED);
  }
  return arenas->wram;
}

static char *thread_sram(void) {
  struct arenas *arenas = thread_arenas();
  if (arenas == NULL) {
    return NULL;
  }
  if (arenas->sram == NULL) {
    arenas->sram = rt_sram_create();
    arenas->owns_sram = true;
  }
  return arenas->sram;
}

static void poison(void *start, size_t bytes) {
  char *target = start;
  size_t done = 0;
  for (; done + sizeof(poison_word) <= bytes; done += sizeof(poison_word)) {
    memcpy(target + done, &poison_word, sizeof(poison_word));
  }
  memcpy(target + done, &poison_word, bytes - done);
}

void rt_poison_sram(char *sram) {
  poison(sram, RT_SRAM_BYTES);
}

void rt_poison_core(bool alone) {
  char *wram = thread_wram();
  char *sram = alone ? thread_sram() : NULL;
  if (wram != NULL) {
    poison(wram, RT_WRAM_BYTES);
  }
  if (sram != NULL) {
    rt_poison_sram(sram);
  }
}

RT_EXPORT size_t __bang_space_reserve(size_t *used, size_t size, size_t align) {
  /* Kernels copy whole lines to and from these variables. */
  const size_t unit = align > 64 ? align : 64;
  const size_t offset = (*used + unit - 1) / unit * unit;
  *used = offset + size;
  return offset;
}

RT_EXPORT void *__bang_space_address(bangSpace space, size_t offset) {
  const bool sram = space == BANG_SPACE_SRAM;
  const size_t reserved = sram ? SRAM_RESERVED : WRAM_RESERVED;
  char *start = sram ? thread_sram() : thread_wram();
  if (start == NULL) {
    __bang_fault(CN_INVOKE_ERROR_OUT_OF_RESOURCES, "no memory for on-chip variables");
    return NULL;
  }
  if (offset >= reserved) {
    __bang_fault(CN_INVOKE_ERROR_OUT_OF_RANGE_ADDRESS,
                 "%s variable at offset %zu: a translation unit may use %zu bytes at most",
                 sram ? "__mlu_shared__" : "__wram__", offset, reserved);
    return start;
  }
  return start + offset;
}

RT_EXPORT void *__bang_wram_place(const void *address, size_t lane_bytes) {
  char *start = thread_wram();
  const uintptr_t offset = (uintptr_t)address - (uintptr_t)start;
  if (start == NULL || offset < lane_bytes || offset >= 64 * lane_bytes) {
    return (void *)(uintptr_t)address;
  }
  return start + (offset / 64 & ~(uintptr_t)7);
}

/* The sanitizer's, in programs that are built with it. */
__attribute__((weak)) void __asan_poison_memory_region(const volatile void *address, size_t size);

RT_EXPORT void __bang_ram_guard(void *gap) {
  if (__asan_poison_memory_region != NULL) {
    __asan_poison_memory_region(gap, BANG_RAM_GAP_BYTES);
  }
}

RT_EXPORT void __bang_ram_prepare(const bangRamVar *head) {
  const bool poisoning = rt_settings()->poison;
  for (const bangRamVar *variable = head; variable != NULL; variable = variable->next) {
    if (variable->init != NULL) {
      memcpy(variable->address(), variable->init, variable->size);
    } else if (poisoning) {
      poison(variable->address(), variable->size);
    }
    if (variable->gap != NULL) { /* a core is any thread, so every task says it */
      __bang_ram_guard(variable->gap());
    }
  }
}

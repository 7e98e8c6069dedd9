/* SPDX-License-Identifier: MIT */
#include "arena.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "bang_runtime.h"
#include "device.h"
#include "settings.h"

/* The first part of an arena's address range is accessible: the size that the device has, or more
 * if a unit needs it, so that kernels written for other chips run too. Pages are allocated on first
 * use. */
enum { GUARD_BYTES = 1 << 20 };
static const struct space {
  const char *name;
  const char *keyword;
  size_t reserved;
  size_t open; /* accessible bytes from the start */
} spaces[BANG_SPACE_COUNT] = {
    [BANG_SPACE_NRAM] = {"NRAM", "__nram__", 16 << 20, RT_NRAM_BYTES},
    [BANG_SPACE_WRAM] = {"WRAM", "__wram__", 16 << 20, 16 << 20},
    [BANG_SPACE_SRAM] = {"shared RAM", "__mlu_shared__", 64 << 20, 64 << 20},
    [BANG_SPACE_LDRAM] = {"LDRAM", "__ldram__", 256 << 20, 1 << 20},
};

/* A signalling NaN both as a float and as its upper bfloat16 and lower half; one cache line of
 * them. */
#define POISON_WORD 0x7fa17da1u
#define POISON_4 POISON_WORD, POISON_WORD, POISON_WORD, POISON_WORD
static const uint32_t poison_line[16] = {POISON_4, POISON_4, POISON_4, POISON_4};

struct arenas {
  size_t open[BANG_SPACE_COUNT];
  size_t taken[BANG_SPACE_COUNT]; /* bytes used by variables of the running task */
  const bangUnit *unit;           /* unit of the running task */
  const bangVariable *variables;  /* the unit's variables, where red zones are checked */
  size_t variable_count;
  bool owns_sram;
  bool owes_poison[BANG_SPACE_COUNT]; /* must be poisoned before the running task uses it */
  bool is_watched;                    /* the address sanitizer has red zones of the running task */
};

RT_EXPORT __thread char *__bang_space_base[BANG_SPACE_COUNT]
    __attribute__((tls_model("initial-exec")));

static pthread_key_t arenas_key;
static __thread struct arenas *own_arenas __attribute__((tls_model("initial-exec")));

/* Defined by the address sanitizer in programs built with it. */
__attribute__((weak)) void __asan_poison_memory_region(const volatile void *address, size_t size);
__attribute__((weak)) void __asan_unpoison_memory_region(const volatile void *address, size_t size);

/* ---- Memory ---- */

static char *create_arena(bangSpace space) {
  const size_t reserved = spaces[space].reserved;
  char *start = mmap(NULL, reserved + 2 * GUARD_BYTES, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (start == MAP_FAILED) {
    return NULL;
  }
  if (mprotect(start + GUARD_BYTES, spaces[space].open, PROT_READ | PROT_WRITE) != 0) {
    munmap(start, reserved + 2 * GUARD_BYTES);
    return NULL;
  }
  return start + GUARD_BYTES;
}

static void destroy_arena(bangSpace space, char *base) {
  if (__asan_unpoison_memory_region != NULL) {
    __asan_unpoison_memory_region(base, spaces[space].reserved);
  }
  munmap(base - GUARD_BYTES, spaces[space].reserved + 2 * GUARD_BYTES);
}

static void destroy_arenas(void *pointer) {
  struct arenas *arenas = pointer;
  for (bangSpace space = 0; space < BANG_SPACE_COUNT; ++space) {
    char *base = __bang_space_base[space];
    __bang_space_base[space] = NULL;
    if (base != NULL && (space != BANG_SPACE_SRAM || arenas->owns_sram)) {
      destroy_arena(space, base);
    }
  }
  own_arenas = NULL;
  free(arenas);
}

static void create_key(void) {
  pthread_key_create(&arenas_key, destroy_arenas);
}

/* NULL if out of memory. */
static struct arenas *thread_arenas(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (own_arenas == NULL) {
    pthread_once(&once, create_key);
    own_arenas = calloc(1, sizeof(*own_arenas));
    if (own_arenas != NULL) {
      pthread_setspecific(arenas_key, own_arenas);
    }
  }
  return own_arenas;
}

char *rt_sram_create(void) {
  return create_arena(BANG_SPACE_SRAM);
}

void rt_sram_destroy(char *sram) {
  destroy_arena(BANG_SPACE_SRAM, sram);
}

bool rt_sram_has(const char *sram, const void *address) {
  return (uintptr_t)address - (uintptr_t)sram < spaces[BANG_SPACE_SRAM].reserved;
}

bool rt_arena_adopt_sram(char *sram) {
  if (thread_arenas() == NULL) {
    return false;
  }
  if (__bang_space_base[BANG_SPACE_SRAM] == NULL) {
    __bang_space_base[BANG_SPACE_SRAM] = sram;
  }
  return __bang_space_base[BANG_SPACE_SRAM] == sram;
}

/* The calling thread's arena; NULL if out of memory. */
static char *thread_arena(bangSpace space) {
  struct arenas *arenas = thread_arenas();
  if (arenas == NULL || __bang_space_base[space] != NULL) {
    return __bang_space_base[space];
  }
  char *base = create_arena(space);
  if (base != NULL) {
    arenas->open[space] = spaces[space].open;
    arenas->owns_sram |= space == BANG_SPACE_SRAM;
    __bang_space_base[space] = base;
  }
  return base;
}

static void poison(void *start, size_t bytes) {
  char *target = start;
  size_t done = 0;
  for (; done + sizeof(poison_line) <= bytes; done += sizeof(poison_line)) {
    memcpy(target + done, poison_line, sizeof(poison_line));
  }
  memcpy(target + done, poison_line, bytes - done);
}

/* The calling thread's arena; faults if out of memory. */
static char *open_arena(bangSpace space) {
  char *base = thread_arena(space);
  if (base == NULL) {
    __bang_fault(CN_INVOKE_ERROR_OUT_OF_RESOURCES, "no memory for on-chip variables");
  }
  return base;
}

RT_EXPORT void *__bang_space_open(bangSpace space) {
  char *base = open_arena(space);
  if (base != NULL && own_arenas->owes_poison[space]) {
    own_arenas->owes_poison[space] = false;
    poison(base, space == BANG_SPACE_WRAM ? RT_WRAM_BYTES : RT_SRAM_BYTES);
  }
  return base;
}

RT_EXPORT void *__bang_space_address(bangSpace space, size_t offset) {
  return (char *)__bang_space_open(space) + offset;
}

/* Makes an arena accessible up to `end`; faults if that is impossible. */
static void reach(struct arenas *arenas, bangSpace space, size_t end) {
  if (end > spaces[space].reserved) {
    __bang_fault(CN_INVOKE_ERROR_OUT_OF_RANGE_ADDRESS,
                 "%s variables of %zu bytes: a kernel may have %zu bytes at most",
                 spaces[space].keyword, end, spaces[space].reserved);
    return;
  }
  char *base = open_arena(space);
  if (base == NULL || end <= arenas->open[space] || space == BANG_SPACE_SRAM) {
    return;
  }
  const size_t more = rt_whole_pages(end - arenas->open[space]);
  if (mprotect(base + arenas->open[space], more, PROT_READ | PROT_WRITE) != 0) {
    __bang_fault(CN_INVOKE_ERROR_OUT_OF_RESOURCES, "no memory for on-chip variables");
    return;
  }
  arenas->open[space] += more;
}

RT_EXPORT bangSpace __bang_space_of(const void *address) {
  for (bangSpace space = 0; space < BANG_SPACE_COUNT; ++space) {
    const char *base = __bang_space_base[space];
    if (base != NULL && (uintptr_t)address - (uintptr_t)base < spaces[space].reserved) {
      return space;
    }
  }
  return BANG_SPACE_OTHER;
}

bool rt_arena_has(bangSpace space, const void *address) {
  return __bang_space_of(address) == space;
}

bool rt_arena_describe(uintptr_t address, char *text, size_t size) {
  const struct arenas *arenas = thread_arenas();
  for (bangSpace space = 0; arenas != NULL && space < BANG_SPACE_COUNT; ++space) {
    const uintptr_t base = (uintptr_t)__bang_space_base[space];
    const size_t open = space == BANG_SPACE_SRAM ? spaces[space].open : arenas->open[space];
    if (base == 0) {
      continue;
    }
    if (base - address <= GUARD_BYTES && address < base) {
      snprintf(text, size, "%zu bytes before the core's %s", (size_t)(base - address),
               spaces[space].name);
      return true;
    }
    if (address >= base + open && address - base < spaces[space].reserved + GUARD_BYTES) {
      snprintf(text, size, "%zu bytes past the end of the core's %s",
               (size_t)(address - base - open), spaces[space].name);
      return true;
    }
  }
  return false;
}

/* ---- Debug mode ---- */

void rt_poison_sram(char *sram) {
  poison(sram, RT_SRAM_BYTES);
}

void rt_poison_core(bool alone) {
  struct arenas *arenas = thread_arenas();
  if (arenas != NULL) {
    arenas->owes_poison[BANG_SPACE_WRAM] = true;
    arenas->owes_poison[BANG_SPACE_SRAM] = alone;
  }
}

/* ---- Tasks ---- */

/* Removes the red zones of a unit that was checked, since the next one may not be. */
static void stop_watching(struct arenas *arenas) {
  static const bangSpace watched[] = {BANG_SPACE_NRAM, BANG_SPACE_LDRAM};
  for (size_t i = 0; i < sizeof(watched) / sizeof(watched[0]); ++i) {
    if (__bang_space_base[watched[i]] != NULL) {
      __asan_unpoison_memory_region(__bang_space_base[watched[i]], arenas->open[watched[i]]);
    }
  }
  arenas->is_watched = false;
}

RT_EXPORT void __bang_unit_start(const bangUnit *unit) {
  struct arenas *arenas = thread_arenas();
  if (arenas == NULL) {
    __bang_fault(CN_INVOKE_ERROR_OUT_OF_RESOURCES, "no memory for on-chip variables");
    return;
  }
  if (arenas->is_watched) {
    stop_watching(arenas);
  }
  for (bangSpace space = 0; space < BANG_SPACE_COUNT; ++space) {
    if (unit->used[space] != 0) {
      reach(arenas, space, unit->used[space]);
    }
  }
  arenas->unit = unit;
  arenas->variable_count = 0;
  arenas->taken[BANG_SPACE_NRAM] = unit->used[BANG_SPACE_NRAM];
  arenas->taken[BANG_SPACE_LDRAM] = unit->used[BANG_SPACE_LDRAM];
  if (rt_settings()->poison) {
    char *nram = __bang_space_open(BANG_SPACE_NRAM);
    poison(nram, arenas->open[BANG_SPACE_NRAM]);
    if (unit->used[BANG_SPACE_LDRAM] != 0) {
      poison(__bang_space_base[BANG_SPACE_LDRAM], unit->used[BANG_SPACE_LDRAM]);
    }
  }
  unit->begin();
}

RT_EXPORT int __bang_in_task_of(const bangUnit *unit, const char *name) {
  if (!__bang_in_task()) {
    return 0;
  }
  const struct arenas *arenas = thread_arenas();
  if (arenas != NULL && arenas->unit != unit && arenas->unit != NULL) {
    for (bangSpace space = 0; space < BANG_SPACE_COUNT; ++space) {
      if (unit->used[space] != 0 && arenas->taken[space] + arenas->unit->used[space] != 0) {
        __bang_fault(CN_INVOKE_ERROR_ILLEGAL_OPERAND,
                     "kernel %s is called by one of another file, and both have %s variables", name,
                     spaces[space].keyword);
      }
    }
  }
  return 1;
}

RT_EXPORT void *__bang_space_take(bangSpace space, size_t size, size_t align) {
  struct arenas *arenas = thread_arenas();
  if (arenas == NULL) {
    __bang_fault(CN_INVOKE_ERROR_OUT_OF_RESOURCES, "no memory for on-chip variables");
    return NULL;
  }
  const size_t offset = (arenas->taken[space] + align - 1) / align * align;
  reach(arenas, space, offset + size);
  arenas->taken[space] = offset + size;
  return __bang_space_base[space] + offset;
}

RT_EXPORT void *__bang_wram_place(const void *address, size_t lane_bytes) {
  char *start = thread_arena(BANG_SPACE_WRAM);
  const uintptr_t offset = (uintptr_t)address - (uintptr_t)start;
  if (start == NULL || offset < lane_bytes || offset >= 64 * lane_bytes) {
    return (void *)(uintptr_t)address;
  }
  return start + (offset / 64 & ~(uintptr_t)7);
}

/* ---- The address sanitizer ---- */

RT_EXPORT void __bang_ram_watch(const bangVariable *variables, size_t count) {
  static const bangSpace watched[] = {BANG_SPACE_NRAM, BANG_SPACE_LDRAM};
  struct arenas *arenas = thread_arenas();
  if (arenas == NULL) {
    return;
  }
  arenas->variables = variables;
  arenas->variable_count = count;
  if (__asan_poison_memory_region == NULL || arenas->unit == NULL) {
    return;
  }
  for (size_t i = 0; i < sizeof(watched) / sizeof(watched[0]); ++i) {
    char *base = __bang_space_base[watched[i]];
    const size_t used = arenas->unit->used[watched[i]];
    if (base != NULL) {
      __asan_poison_memory_region(base, arenas->unit->counted[watched[i]]);
      __asan_poison_memory_region(base + used, arenas->open[watched[i]] - used);
    }
  }
  for (size_t i = 0; i < count; ++i) {
    char *base = __bang_space_base[variables[i].space];
    if (base != NULL &&
        (variables[i].space == BANG_SPACE_NRAM || variables[i].space == BANG_SPACE_LDRAM)) {
      __asan_unpoison_memory_region(base + variables[i].at, variables[i].size);
    }
  }
  arenas->is_watched = true;
}

size_t rt_arena_bytes(bangSpace space) {
  return spaces[space].reserved;
}

const bangVariable *rt_arena_variables(size_t *count) {
  const struct arenas *arenas = thread_arenas();
  *count = arenas != NULL ? arenas->variable_count : 0;
  return *count != 0 ? arenas->variables : NULL;
}

RT_EXPORT void __bang_ram_allow(void *address, size_t size, const char *name) {
  (void)name;
  if (__asan_unpoison_memory_region != NULL) {
    __asan_unpoison_memory_region(address, size);
  }
}

/* SPDX-License-Identifier: MIT
 *
 * Preloaded, it simulates pages of 64 KB on a machine with smaller ones: addresses and sizes of
 * mappings are multiples of 64 KB, and calls with other addresses fail.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

enum { LARGE_PAGE = 64 << 10 };

static bool is_aligned(uintptr_t value) {
  return value % LARGE_PAGE == 0;
}

static size_t whole(size_t bytes) {
  return (bytes + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
}

static int refuse(void) {
  errno = EINVAL;
  return -1;
}

/* The C library's function, which the one of this file hides. */
#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

long sysconf(int name) {
  return name == _SC_PAGESIZE ? LARGE_PAGE : NEXT(sysconf)(name);
}

int getpagesize(void) {
  return LARGE_PAGE;
}

void *mmap(void *place, size_t bytes, int access, int flags, int file, off_t offset) {
  const bool is_fixed = (flags & MAP_FIXED) != 0;
  if (!is_aligned((uintptr_t)offset) || (is_fixed && !is_aligned((uintptr_t)place))) {
    refuse();
    return MAP_FAILED;
  }
  if (!is_fixed) { /* find an aligned address */
    char *room = NEXT(mmap)(NULL, whole(bytes) + LARGE_PAGE, PROT_NONE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if ((void *)room == MAP_FAILED) {
      return MAP_FAILED;
    }
    place = room + (LARGE_PAGE - (uintptr_t)room % LARGE_PAGE);
    NEXT(munmap)(room, (size_t)((char *)place - room));
    NEXT(munmap)((char *)place + whole(bytes), (size_t)(room + LARGE_PAGE - (char *)place));
  }
  return NEXT(mmap)(place, whole(bytes), access, flags | MAP_FIXED, file, offset);
}

int munmap(void *start, size_t bytes) {
  return is_aligned((uintptr_t)start) ? NEXT(munmap)(start, whole(bytes)) : refuse();
}

int mprotect(void *start, size_t bytes, int access) {
  return is_aligned((uintptr_t)start) ? NEXT(mprotect)(start, whole(bytes), access) : refuse();
}

int pkey_mprotect(void *start, size_t bytes, int access, int key) {
  return is_aligned((uintptr_t)start) ? NEXT(pkey_mprotect)(start, whole(bytes), access, key)
                                      : refuse();
}

int madvise(void *start, size_t bytes, int advice) {
  return is_aligned((uintptr_t)start) ? NEXT(madvise)(start, whole(bytes), advice) : refuse();
}

/* Expects the new address as fifth argument: the runtime never calls it without. */
void *mremap(void *start, size_t bytes, size_t new_bytes, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  void *place = va_arg(arguments, void *);
  va_end(arguments);
  if (!is_aligned((uintptr_t)start) || !is_aligned((uintptr_t)place)) {
    refuse();
    return MAP_FAILED;
  }
  return NEXT(mremap)(start, whole(bytes), whole(new_bytes), flags, place);
}

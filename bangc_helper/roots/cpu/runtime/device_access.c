/* SPDX-License-Identifier: MIT */
#include "device_access.h"

#include <pthread.h>
#include <sys/mman.h>

#include "common.h"
#include "settings.h"

enum { NO_KEY = -1 };

static int key = NO_KEY;

static void allocate_key(void) {
  if (rt_settings()->host_access) {
    return;
  }
  key = pkey_alloc(0, PKEY_DISABLE_ACCESS);
  if (key < 0) {
    key = NO_KEY;
    rt_warn("MLUOP_CPU_HOST_ACCESS=0 has no effect: this machine has no memory protection keys");
  }
}

static int device_key(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, allocate_key);
  return key;
}

void rt_device_access_protect(void *start, size_t bytes) {
  if (device_key() != NO_KEY) {
    pkey_mprotect(start, bytes, PROT_READ | PROT_WRITE, key);
    pkey_set(key, PKEY_DISABLE_ACCESS);
  }
}

int rt_device_access_open(void) {
  if (device_key() == NO_KEY) {
    return 0;
  }
  const int previous = pkey_get(key);
  pkey_set(key, 0);
  return previous;
}

void rt_device_access_close(int previous) {
  if (key != NO_KEY) {
    pkey_set(key, (unsigned)previous);
  }
}

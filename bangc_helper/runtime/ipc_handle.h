/* SPDX-License-Identifier: MIT
 *
 * The bits of a memory handle: the process that offers the memory, its file with the description,
 * and the place in that file.
 */
#ifndef RUNTIME_IPC_HANDLE_H_
#define RUNTIME_IPC_HANDLE_H_

#include "common.h"

/* From the highest bits down. */
enum {
  RT_IPC_PROCESS_BITS = 22,
  RT_IPC_FILE_BITS = 10,
  RT_IPC_UNIT_BITS = 24,
  RT_IPC_SERIAL_BITS = 8,
};

struct rt_ipc_place {
  int process;
  int file; /* number of the file in that process */
  size_t unit;
  uint64_t serial; /* its lowest bits: later contents of the same unit have another one */
};

static inline uint64_t rt_ipc_low_bits(uint64_t value, int bits) {
  return value & ((UINT64_C(1) << bits) - 1);
}

static inline cnrtIpcMemHandle rt_ipc_encode(const struct rt_ipc_place *place) {
  uint64_t bits = (uint64_t)place->process;
  bits = bits << RT_IPC_FILE_BITS | (uint64_t)place->file;
  bits = bits << RT_IPC_UNIT_BITS | place->unit;
  bits = bits << RT_IPC_SERIAL_BITS | rt_ipc_low_bits(place->serial, RT_IPC_SERIAL_BITS);
  return (cnrtIpcMemHandle)(uintptr_t)bits;
}

static inline struct rt_ipc_place rt_ipc_decode(cnrtIpcMemHandle handle) {
  uint64_t bits = (uint64_t)(uintptr_t)handle;
  struct rt_ipc_place place;
  place.serial = rt_ipc_low_bits(bits, RT_IPC_SERIAL_BITS);
  bits >>= RT_IPC_SERIAL_BITS;
  place.unit = (size_t)rt_ipc_low_bits(bits, RT_IPC_UNIT_BITS);
  bits >>= RT_IPC_UNIT_BITS;
  place.file = (int)rt_ipc_low_bits(bits, RT_IPC_FILE_BITS);
  place.process = (int)(bits >> RT_IPC_FILE_BITS);
  return place;
}

/* True if a place still holds what the handle was made for. */
static inline bool rt_ipc_is_current(const struct rt_ipc_place *place, uint64_t serial) {
  return rt_ipc_low_bits(serial, RT_IPC_SERIAL_BITS) == place->serial;
}

#endif /* RUNTIME_IPC_HANDLE_H_ */

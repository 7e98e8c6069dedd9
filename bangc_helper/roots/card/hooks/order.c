/* SPDX-License-Identifier: MIT
 *
 * Hooks of operations that order work within a task and between tasks: syncs, barriers, atomic
 * operations, locks.
 */
#include "bang/table.h"
#include "bang/vector_api.h"
#include "bang_runtime.h"
#include "checked.h"
#include "core.h"
#include "granules.h"
#include "hook.h"
#include "memories.h"

CARD_HOOK void __bang_card_sync_pipes(uint32_t site, int pipe_mask) {
  struct card_core *core = card_recording();
  if (core != NULL) {
    struct card_record record = card_record(CARD_SYNC, CARD_PIPE_SCALAR, 0);
    record.sync.pipes = (uint32_t)pipe_mask;
    card_put(core, site, &record);
    if ((site & CARD_PART_OF_FUNCTION) == 0) { /* a card has no others */
      card_check_sync(core, pipe_mask);
    }
  }
  __bang_sync_pipes(pipe_mask);
}

CARD_HOOK void __bang_card_barrier(uint32_t site, bangBarrier which, const char *file, int line) {
  struct card_core *core = card_recording();
  if (core != NULL) {
    struct card_record record = card_record(CARD_BARRIER, CARD_PIPE_SCALAR, 0);
    record.barrier.which = which;
    card_put(core, site, &record);
    card_check_barrier(core, site, which);
  }
  __bang_barrier(which, file, line);
  if (core != NULL) {
    card_check_barrier_passed(core, which);
  }
}

static void put_atomic(uint32_t site, int op, int type, const void *memory, uint64_t elements,
                       uint16_t flags) {
  struct card_core *core = card_recording();
  if (core == NULL) {
    return;
  }
  struct card_record record = card_record(CARD_ATOMIC, CARD_PIPE_IO, flags);
  const struct card_side side = {
      (uintptr_t)memory, elements * (uint64_t)card_type_bytes(type), 1, 1, 0, 0};
  const struct card_granules touched = card_count_granules(&side);
  record.atomic.op = (uint8_t)op;
  record.atomic.type = (uint8_t)type;
  record.atomic.memory = (uint8_t)card_memory_of(core, memory);
  record.atomic.elements = (uint32_t)elements;
  record.atomic.granules = (uint32_t)(touched.whole + touched.partial);
  record.atomic.place = card_place_of(core, memory);
  card_put(core, site, &record);
}

static void check_atomic(uint32_t site, int type, const void *old, const void *memory,
                         const void *value, const void *compare, int64_t n) {
  struct card_core *core = card_checking();
  const int64_t bytes = n * card_type_bytes(type);
  if (core == NULL) {
    return;
  }
  const struct card_act atomic = {
      .name = "an atomic operation", .site = site, .pipe = CARD_PIPE_IO, .is_atomic = true};
  const struct card_act other = {.name = "an atomic operation", .site = site, .pipe = CARD_PIPE_IO};
  card_check_act(core, &other,
                 CARD_OPERANDS(card_reads(value, value != NULL ? bytes : 0),
                               card_reads(compare, compare != NULL ? bytes : 0),
                               card_writes(old, old != NULL ? bytes : 0)));
  card_check_act(core, &atomic,
                 CARD_OPERANDS(card_reads(memory, bytes), card_writes(memory, bytes)));
  card_check_order(core);
}

CARD_HOOK void __bang_card_vec_atomic(uint32_t site, int op, int type, void *old, void *memory,
                                      const void *value, const void *compare, int value_is_scalar,
                                      int64_t n) {
  put_atomic(site, op, type, memory, n > 0 ? (uint64_t)n : 0,
             (uint16_t)((old != NULL ? CARD_RETURNS_OLD : 0) |
                        (value_is_scalar ? CARD_SCALAR_OPERAND : 0)));
  check_atomic(site, type, old, memory, value_is_scalar ? NULL : value,
               value_is_scalar ? NULL : compare, n);
  __bang_vec_atomic(op, type, old, memory, value, compare, value_is_scalar, n);
}

/* Atomic operations are the only ones that the headers defer. */
CARD_HOOK void __bang_card_defer(uint32_t site, int pipe, void (*fn)(const void *args),
                                 const void *args, size_t size) {
  if (size == sizeof(bangAtomicSegments)) {
    bangAtomicSegments atomic;
    memcpy(&atomic, args, sizeof(atomic));
    const int64_t segments = atomic.src != NULL && atomic.iter1 >= 0 && atomic.iter2 >= 0
                                 ? (atomic.iter1 + 1) * (atomic.iter2 + 1)
                                 : 1;
    put_atomic(site, atomic.op, atomic.type, atomic.memory,
               atomic.n > 0 ? (uint64_t)(atomic.n * segments) : 0,
               (uint16_t)(CARD_ASYNC | (atomic.old != NULL ? CARD_RETURNS_OLD : 0)));
  }
  __bang_defer(pipe, fn, args, size);
}

static void put_lock(uint32_t site, uint8_t kind, int id) {
  struct card_core *core = card_recording();
  if (core != NULL) {
    struct card_record record = card_record(kind, CARD_PIPE_SCALAR, 0);
    record.lock.id = (uint32_t)id;
    card_put(core, site, &record);
  }
}

static void order_tasks(void) {
  struct card_core *core = card_checking();
  if (core != NULL) {
    card_check_order(core);
  }
}

CARD_HOOK void __bang_card_vec_lock(uint32_t site, int id) {
  put_lock(site, CARD_LOCK, id);
  __bang_vec_lock(id);
  order_tasks();
}

CARD_HOOK void __bang_card_vec_unlock(uint32_t site, int id) {
  put_lock(site, CARD_UNLOCK, id);
  order_tasks();
  __bang_vec_unlock(id);
}

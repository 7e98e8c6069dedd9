/* SPDX-License-Identifier: MIT
 *
 * Copies of a task that may be in flight. A card's pipe works in order, the bulk engine does not.
 * So a copy that touches what an earlier one still writes, or writes what it still reads, waits for
 * that copy, and for no other. A kernel that only moves data can thus leave loads and stores in
 * flight without a sync.
 *
 * The state here is scalar: all lanes write the same values. A warp barrier separates reading a
 * value from changing it, so that a late lane does not read the new value.
 */
#ifndef BANG_INFLIGHT_COPIES_H_
#define BANG_INFLIGHT_COPIES_H_

#include "bang/task.h"

namespace bang_impl {

/* ---- waiting ---- */

BANG_INLINE uint32_t load_barrier_of(unsigned number) {
  return shared_address(&control.load_barrier[number % load_slots]);
}

BANG_INLINE void wait_load(unsigned number) {
  asm volatile(
      "{\n\t.reg .pred done;\n"
      "WAIT_LOADS:\n\t"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n\t"
      "@!done bra WAIT_LOADS;\n\t}" ::"r"(load_barrier_of(number)),
      "r"(number / load_slots & 1)
      : "memory");
}

/* True if a later load, which reuses the mbarrier, has already waited for this one. */
BANG_INLINE bool was_waited_for(unsigned load) {
  return control.loads - load > load_slots;
}

/* Waits until the sources of all but the last `rest` stores have been read. */
BANG_INLINE void wait_store_sources(unsigned rest) {
  if (rest == 0) {
    asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
  } else if (rest == 1) {
    asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
  } else {
    asm volatile("cp.async.bulk.wait_group.read 2;" ::: "memory");
  }
}

/* Waits until all but the last `rest` stores are complete. */
BANG_INLINE void wait_stores(unsigned rest) {
  if (rest == 0) {
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  } else if (rest < 3) {
    rest = 1;
    asm volatile("cp.async.bulk.wait_group 1;" ::: "memory");
  } else if (rest < 8) {
    rest = 3;
    asm volatile("cp.async.bulk.wait_group 3;" ::: "memory");
  } else {
    rest = 8;
    asm volatile("cp.async.bulk.wait_group 8;" ::: "memory");
  }
  control.stores_done = control.stores - rest;
}

/* Waits for the loads since the last sync. For a few loads all lanes wait for one after the other,
 * because lanes that poll different mbarriers are serialised: 500 cycles for 16 where one takes 60.
 * For many loads, each lane waits for the last load of one mbarrier. */
BANG_INLINE void wait_loads_since(unsigned synced, unsigned loads) {
  enum { few_loads = 8 };
  if (loads - synced <= few_loads) {
#pragma unroll 1
    for (unsigned number = synced; number != loads; ++number) wait_load(number);
  } else {
    const unsigned slot = lane_id() % load_slots,
                   used = (loads + load_slots - 1 - slot) / load_slots;
    if (used > 0) wait_load((used - 1) * load_slots + slot);
  }
}

/* Waits until all copies of this task are complete and visible to all lanes. */
BANG_CALLED void finish_copies() {
  __syncwarp();
  if (control.small_loads) asm volatile("cp.async.wait_all;" ::: "memory");
  const unsigned loads = control.loads, stores = control.stores;
  if (stores != control.stores_done) asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  wait_loads_since(control.loads_synced, loads);
  settle_global_for_engine(); /* the task's own writes may be read next */
  __syncwarp();
  control.loads_synced = loads;
  control.stores_done = stores;
  control.small_loads = control.live = control.scatter_live = 0;
  __syncwarp();
}

BANG_INLINE void sync_copies() {
  if (control.live != 0) {
    finish_copies();
  } else {
    settle_global_for_engine();
    __syncwarp();
  }
}

/* Waits until the task's on-chip memory is no longer needed: loads are complete, and the sources of
 * stores have been read. The launch ends after the stores are complete. */
BANG_INLINE void leave_copies() {
  if (control.live == 0) return;
  __syncwarp();
  if (control.small_loads) asm volatile("cp.async.wait_all;" ::: "memory");
  wait_store_sources(0);
  wait_loads_since(control.loads_synced, control.loads);
}

/* ---- records ---- */

/* Both sides of a copy, without its kind and number. */
BANG_INLINE CopyRecord copy_between(uint32_t nram, uint32_t nram_end, uint64_t memory,
                                    uint64_t memory_end) {
  return CopyRecord{memory, memory_end, nram, nram_end, 0, 0};
}

enum : unsigned { all_records = (1u << copy_records) - 1, lane_stores_bit = 1u << lane_stores };

/* The index of the record that this lane examines; the last lanes have none. */
BANG_INLINE int own_record() {
  return lane_id() < lane_stores ? lane_id() : lane_stores;
}

/* Bit masks of the recorded copies that a new copy must wait for. */
struct Dependence {
  unsigned by_nram, by_memory;
};

/* Each lane examines one record. Scatters are checked against each other by their rows instead. */
template <unsigned kind>
BANG_INLINE Dependence dependence_of(const CopyRecord &copy, unsigned live, bool is_scatter) {
  const CopyRecord old = control.records[own_record()];
  bool by_nram = old.nram < copy.nram_end && copy.nram < old.nram_end;
  bool by_memory = old.memory < copy.memory_end && copy.memory < old.memory_end;
  if (kind & writes_nram) {
    by_memory = by_memory && (old.kind & writes_memory) != 0;
  } else {
    by_nram = by_nram && (old.kind & writes_nram) != 0;
    by_memory = by_memory && !(is_scatter && old.kind == bulk_scattered);
  }
  return Dependence{__ballot_sync(all_lanes, by_nram) & live,
                    __ballot_sync(all_lanes, by_memory) & live};
}

/* Waits for the recorded copies in `bits` until their NRAM is free. */
BANG_CALLED void wait_for_nram(unsigned bits) {
  for (; bits != 0; bits &= bits - 1) {
    const int place = __ffs(bits) - 1;
    const unsigned number = control.records[place].number, kind = control.records[place].kind;
    if (kind == bulk_loaded) {
      if (!was_waited_for(number)) wait_load(number);
      control.live &= ~(1u << place);
    } else if ((kind & not_bulk) == 0) { /* a store: its write to memory is still in flight */
      wait_store_sources(control.stores - number - 1);
      control.records[place].nram_end = 0;
    } else {
      finish_copies();
      return;
    }
  }
  __syncwarp();
}

/* Orders the lanes' own stores before the engine's next operation. */
BANG_CALLED void settle_lane_stores() {
  settle_global_for_engine();
  __syncwarp();
  control.live &= ~lane_stores_bit;
  __syncwarp();
}

/* Waits for the copies that one of this kind depends on. Memory is rarely copied twice without a
 * sync. */
template <unsigned kind>
BANG_INLINE void order_copy(const CopyRecord &copy, bool is_scatter = false) {
  const unsigned live = control.live;
  if (live == 0) return;
  const Dependence found = dependence_of<kind>(copy, live, is_scatter);
  if ((found.by_memory & all_records) != 0) {
    finish_copies();
    return;
  }
  if (found.by_memory != 0) settle_lane_stores();
  if (found.by_nram != 0) wait_for_nram(found.by_nram);
}

/* Records what the lanes have stored synchronously. The source is free and the lanes see the
 * result, so one range of memory suffices for all such stores. */
BANG_INLINE void record_lane_stores(uint64_t memory, uint64_t memory_end) {
  CopyRecord *record = &control.records[lane_stores];
  if ((control.live & lane_stores_bit) != 0) {
    const uint64_t first = record->memory, end = record->memory_end;
    memory = first < memory ? first : memory;
    memory_end = end > memory_end ? end : memory_end;
  }
  __syncwarp();
  record->memory = memory;
  record->memory_end = memory_end;
  record->nram = record->nram_end = 0;
  record->kind = other_stored;
  control.live |= lane_stores_bit;
  __syncwarp();
}

/* All records are in use: drops those that are complete; if there are none, one record is widened
 * to cover several copies. Returns its index. */
BANG_CALLED unsigned make_room(CopyRecord copy) {
  const CopyRecord own = control.records[own_record()];
  bool is_done = false;
  const bool has_many_stores = control.stores - control.stores_done > 8;
  __syncwarp();
  if (has_many_stores) wait_stores(8);
  if (own.kind == bulk_stored || own.kind == bulk_scattered) {
    is_done = (int)(own.number - control.stores_done) < 0;
  } else if (own.kind == bulk_loaded) {
    unsigned is_complete = 1;
    if (!was_waited_for(own.number)) {
      asm volatile(
          "{\n\t.reg .pred done;\n\t"
          "mbarrier.test_wait.parity.shared::cta.b64 done, [%1], %2;\n\t"
          "selp.u32 %0, 1, 0, done;\n\t}"
          : "=r"(is_complete)
          : "r"(load_barrier_of(own.number)), "r"(own.number / load_slots & 1)
          : "memory");
    }
    is_done = is_complete != 0;
  }
  const unsigned live = __ballot_sync(all_lanes, !is_done) & all_records;
  const unsigned lane_stores_live = control.live & lane_stores_bit;
  __syncwarp();
  control.live = live | lane_stores_live;
  __syncwarp();
  if (live != all_records) return __ffs(~live) - 1;
  const unsigned place = copy.nram / 64 % copy_records;
  CopyRecord *record = &control.records[place];
  const CopyRecord old = *record;
  __syncwarp();
  record->memory = old.memory < copy.memory ? old.memory : copy.memory;
  record->memory_end = old.memory_end > copy.memory_end ? old.memory_end : copy.memory_end;
  record->nram = old.nram < copy.nram ? old.nram : copy.nram;
  record->nram_end = old.nram_end > copy.nram_end ? old.nram_end : copy.nram_end;
  record->kind = several_copied;
  __syncwarp();
  return copy_records;
}

/* Records a copy. */
BANG_INLINE void record_copy(const CopyRecord &copy, unsigned kind, unsigned number) {
  const unsigned live = control.live;
  unsigned place = __ffs(~live) - 1;
  if ((live & all_records) == all_records) {
    place = make_room(copy);
    if (place == copy_records) return;
  }
  __syncwarp();
  CopyRecord *record = &control.records[place];
  record->memory = copy.memory;
  record->memory_end = copy.memory_end;
  record->nram = copy.nram;
  record->nram_end = copy.nram_end;
  record->number = number;
  record->kind = kind;
  control.live |= 1u << place;
  __syncwarp();
}

}  // namespace bang_impl

#endif /* BANG_INFLIGHT_COPIES_H_ */

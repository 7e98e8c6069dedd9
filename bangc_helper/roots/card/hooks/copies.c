/* SPDX-License-Identifier: MIT
 *
 * Hooks of copies, fills, gathers and scatters.
 */
#include "bang/copies.h"
#include "bang/enums.h"
#include "bang/table.h"
#include "bang/vector_api.h"
#include "bang_runtime.h"
#include "checked.h"
#include "core.h"
#include "granules.h"
#include "hook.h"
#include "memories.h"
#include "runtime/core.h"

/* ---- Directions ---- */

/* Source and destination memory of each mluMemcpyDirection_t. */
static const struct {
  uint8_t source, destination;
} ends[] = {
    [GDRAM2NRAM] = {CARD_MEMORY_GDRAM, CARD_MEMORY_NRAM},
    [NRAM2GDRAM] = {CARD_MEMORY_NRAM, CARD_MEMORY_GDRAM},
    [LDRAM2NRAM] = {CARD_MEMORY_LDRAM, CARD_MEMORY_NRAM},
    [NRAM2LDRAM] = {CARD_MEMORY_NRAM, CARD_MEMORY_LDRAM},
    [GDRAM2WRAM] = {CARD_MEMORY_GDRAM, CARD_MEMORY_WRAM},
    [WRAM2GDRAM] = {CARD_MEMORY_WRAM, CARD_MEMORY_GDRAM},
    [LDRAM2WRAM] = {CARD_MEMORY_LDRAM, CARD_MEMORY_WRAM},
    [WRAM2LDRAM] = {CARD_MEMORY_WRAM, CARD_MEMORY_LDRAM},
    [NRAM2NRAM] = {CARD_MEMORY_NRAM, CARD_MEMORY_NRAM},
    [NRAM2WRAM] = {CARD_MEMORY_NRAM, CARD_MEMORY_WRAM},
    [WRAM2NRAM] = {CARD_MEMORY_WRAM, CARD_MEMORY_NRAM},
    [GDRAM2SRAM] = {CARD_MEMORY_GDRAM, CARD_MEMORY_SRAM},
    [SRAM2GDRAM] = {CARD_MEMORY_SRAM, CARD_MEMORY_GDRAM},
    [LDRAM2SRAM] = {CARD_MEMORY_LDRAM, CARD_MEMORY_SRAM},
    [SRAM2LDRAM] = {CARD_MEMORY_SRAM, CARD_MEMORY_LDRAM},
    [SRAM2NRAM] = {CARD_MEMORY_SRAM, CARD_MEMORY_NRAM},
    [NRAM2SRAM] = {CARD_MEMORY_NRAM, CARD_MEMORY_SRAM},
    [SRAM2WRAM] = {CARD_MEMORY_SRAM, CARD_MEMORY_WRAM},
    [WRAM2SRAM] = {CARD_MEMORY_WRAM, CARD_MEMORY_SRAM},
    [GDRAM2GDRAM] = {CARD_MEMORY_GDRAM, CARD_MEMORY_GDRAM},
    [GDRAM2LDRAM] = {CARD_MEMORY_GDRAM, CARD_MEMORY_LDRAM},
    [LDRAM2GDRAM] = {CARD_MEMORY_LDRAM, CARD_MEMORY_GDRAM},
    [LDRAM2LDRAM] = {CARD_MEMORY_LDRAM, CARD_MEMORY_LDRAM},
    [SRAM2SRAM] = {CARD_MEMORY_SRAM, CARD_MEMORY_SRAM},
};
enum { DIRECTIONS = sizeof(ends) / sizeof(*ends) };

/* Sizes of copies to and from WRAM must be multiples of this. */
enum { WRAM_SIZE = 16, WRAM_ALIGN = 8 };

static bool is_dram(uint8_t memory) {
  return memory == CARD_MEMORY_GDRAM || memory == CARD_MEMORY_LDRAM;
}

static uint8_t pipe_of(uint8_t source, uint8_t destination) {
  return is_dram(source) || is_dram(destination) ? CARD_PIPE_IO : CARD_PIPE_MOVE;
}

static uint8_t pipe_of_mask(int pipe) {
  return pipe == BANG_PIPE_IO     ? CARD_PIPE_IO
         : pipe == BANG_PIPE_MOVE ? CARD_PIPE_MOVE
                                  : CARD_PIPE_VECTOR;
}

/* ---- Records ---- */

static uint32_t fit(uint64_t value) {
  return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

static void set_sides(struct card_copy *copy, const struct card_side *source,
                      const struct card_side *destination) {
  const struct card_granules written = card_count_granules(destination);
  copy->bytes = destination->bytes * destination->inner * destination->outer;
  copy->destination_runs = fit(written.runs);
  if (is_dram(copy->destination)) {
    copy->whole_granules = fit(written.whole);
    copy->partial_granules = fit(written.partial);
  }
  if (source != NULL) {
    const struct card_granules read = card_count_granules(source);
    copy->source_runs = fit(read.runs);
    if (is_dram(copy->source)) {
      copy->read_granules = fit(read.whole + read.partial);
    }
  }
}

/* Copies between device memory and shared RAM are issued by all cores of a cluster and done once.
 */
static bool is_shared(uint8_t source, uint8_t destination) {
  const struct rt_core *core = rt_core_self();
  const bool sram = source == CARD_MEMORY_SRAM || destination == CARD_MEMORY_SRAM;
  return sram && (is_dram(source) || is_dram(destination)) && core != NULL && core->member != NULL;
}

static void check_copy(struct card_core *core, uint32_t site, const struct card_side *source,
                       const struct card_side *destination, const struct card_record *record) {
  const struct card_act act = {.name = "a copy",
                               .site = site,
                               .is_copy = true,
                               .pipe = record->pipe,
                               .is_async = (record->flags & CARD_ASYNC) != 0,
                               .is_shared = (record->flags & CARD_SHARED) != 0};
  const struct card_operand operands[] = {{.side = *source},
                                          {.side = *destination, .writes = true}};
  card_check_act(core, &act, operands, 2);
}

/* True if the side lies in the memory, or if its memory is unknown. */
static bool lies_in(struct card_core *core, const struct card_side *side, uint8_t memory) {
  const enum card_memory found = card_check_memory_at(core, side->start);
  return found == CARD_MEMORY_NONE || found == memory || (is_dram(found) && is_dram(memory));
}

static void put_copy(uint32_t site, const struct card_side *source,
                     const struct card_side *destination, int dir, int is_async, bool is_checked) {
  struct card_core *core = card_recording();
  if (core == NULL || dir < 0 ||
      dir >= DIRECTIONS) { /* the copy itself refuses unknown directions */
    return;
  }
  const uint8_t from = ends[dir].source;
  const uint8_t to = ends[dir].destination;
  uint16_t flags = is_async ? CARD_ASYNC : 0;
  flags |= is_shared(from, to) ? CARD_SHARED : 0;
  flags |= to == CARD_MEMORY_SRAM && card_is_other_cluster((const void *)destination->start)
               ? CARD_OTHER_CLUSTER
               : 0;
  struct card_record record = card_record(CARD_COPY, pipe_of(from, to), flags);
  record.copy.direction = (uint8_t)dir;
  record.copy.source = from;
  record.copy.destination = to;
  set_sides(&record.copy, source, destination);
  card_put(core, site, &record);
  if (is_checked) {
    check_copy(core, site, source, destination, &record);
  }
  if (core->watch != NULL && record.copy.bytes > 0) {
    card_check_rule(site, lies_in(core, source, from),
                    "a copy whose source lies elsewhere than its direction says");
    card_check_rule(site, lies_in(core, destination, to),
                    "a copy whose destination lies elsewhere than its direction says");
  }
}

/* A copy to WRAM without strides is done as a strided copy to its lanes. */
static void learn_lanes(uint32_t site, const struct card_side *source,
                        const struct card_side *destination, int dir) {
  struct card_core *core = card_checking();
  if (core == NULL || (site & CARD_PART_OF_FUNCTION) == 0 || dir < 0 || dir >= DIRECTIONS) {
    return;
  }
  const struct card_side *wram = ends[dir].destination == CARD_MEMORY_WRAM ? destination
                                 : ends[dir].source == CARD_MEMORY_WRAM    ? source
                                                                           : NULL;
  if (wram != NULL && wram->inner > 1 && wram->stride > 0) {
    card_check_lanes(core, (size_t)wram->stride);
  }
}

CARD_HOOK void __bang_card_copy(uint32_t site, void *dst, const void *src, size_t size, int dir,
                                const bangCopyShape *shape, int is_async) {
  struct card_side source = {(uintptr_t)src, size, 1, 1, 0, 0};
  struct card_side destination = {(uintptr_t)dst, size, 1, 1, 0, 0};
  if (shape != NULL) {
    source.inner = shape->src_segnum1 + 1;
    source.outer = shape->src_segnum2 + 1;
    source.stride = shape->src_stride0;
    source.outer_stride = shape->src_stride1;
    destination.inner = shape->dst_segnum1 + 1;
    destination.outer = shape->dst_segnum2 + 1;
    destination.stride = shape->dst_stride0;
    destination.outer_stride = shape->dst_stride1;
  }
  learn_lanes(site, &source, &destination, dir);
  put_copy(site, &source, &destination, dir, is_async, true);
  __bang_copy(dst, src, size, dir, shape, is_async);
}

/* A copy to or from the lanes of WRAM takes up to two entry points, which are checked on their own.
 */
CARD_HOOK void __bang_card_wram_copy(uint32_t site, const void *dst, const void *src, int64_t size,
                                     int dir, int is_async) {
  const struct card_side source = {(uintptr_t)src, (uint64_t)size, 1, 1, 0, 0};
  const struct card_side destination = {(uintptr_t)dst, (uint64_t)size, 1, 1, 0, 0};
  put_copy(site, &source, &destination, dir, is_async, false);
  const bool into = dir >= 0 && dir < DIRECTIONS && ends[dir].destination == CARD_MEMORY_WRAM;
  card_check_rule(site, size % WRAM_SIZE == 0, "a copy of WRAM whose size is no multiple of 16");
  card_check_rule(site, (uintptr_t)(into ? dst : src) % WRAM_ALIGN == 0,
                  "a copy of WRAM at an address that is no multiple of 8");
}

/* ---- Fills ---- */

static void put_fill(uint32_t site, const struct card_side *side, uint8_t pipe, int width,
                     uint16_t flags) {
  struct card_core *core = card_recording();
  if (core == NULL) {
    return;
  }
  card_check_rule(site, side->bytes > 0, "a fill without elements");
  const enum card_memory memory = card_memory_of(core, (const void *)side->start);
  if (pipe == CARD_PIPE_VECTOR && (is_dram(memory) || memory == CARD_MEMORY_SRAM)) {
    pipe = pipe_of(CARD_MEMORY_NONE, memory);
  }
  const struct card_act act = {.name = "a fill",
                               .site = site,
                               .pipe = pipe,
                               .is_async = (flags & CARD_ASYNC) != 0 && pipe != CARD_PIPE_VECTOR};
  card_check_act(core, &act, &(struct card_operand){.side = *side, .writes = true}, 1);
  struct card_record record = card_record(CARD_COPY, pipe, flags | CARD_FILL);
  if (pipe == CARD_PIPE_VECTOR) {
    const uint64_t bytes = side->bytes * side->inner * side->outer;
    record.kind = CARD_VECTOR;
    record.flags = flags;
    record.vector = (struct card_vector){.function = CARD_FN_FILL,
                                         .op = (uint8_t)width,
                                         .type_in = BANG_S8,
                                         .type_out = BANG_S8,
                                         .calls = fit(card_count_granules(side).runs),
                                         .elements = bytes / (uint64_t)width,
                                         .bytes_out = bytes};
  } else {
    record.copy.destination = (uint8_t)memory;
    set_sides(&record.copy, NULL, side);
  }
  card_put(core, site, &record);
}

static struct card_side fill_side(void *dst, int64_t count, int width, int64_t stride0,
                                  int64_t iter1, int64_t stride1, int64_t iter2) {
  return (struct card_side){(uintptr_t)dst,
                            count > 0 ? (uint64_t)(count * width) : 0,
                            iter1 >= 0 ? (uint64_t)iter1 + 1 : 0,
                            iter2 >= 0 ? (uint64_t)iter2 + 1 : 0,
                            stride0,
                            stride1};
}

CARD_HOOK void __bang_card_vec_fill(uint32_t site, void *dst, int64_t count, const void *value,
                                    int width, int64_t stride0, int64_t iter1, int64_t stride1,
                                    int64_t iter2) {
  const struct card_side side = fill_side(dst, count, width, stride0, iter1, stride1, iter2);
  put_fill(site, &side, CARD_PIPE_VECTOR, width, 0);
  __bang_vec_fill(dst, count, value, width, stride0, iter1, stride1, iter2);
}

CARD_HOOK void __bang_card_vec_fill_async(uint32_t site, int pipe, void *dst, int64_t count,
                                          const void *value, int width, int64_t stride0,
                                          int64_t iter1, int64_t stride1, int64_t iter2) {
  const struct card_side side = fill_side(dst, count, width, stride0, iter1, stride1, iter2);
  put_fill(site, &side, pipe_of_mask(pipe), width, CARD_ASYNC);
  __bang_vec_fill_async(pipe, dst, count, value, width, stride0, iter1, stride1, iter2);
}

/* ---- Gathers and scatters ---- */

static bool is_selected(const bangTransfer *t, int64_t i) {
  return t->mask == NULL || (t->mask[i / 8] >> (i % 8) & 1) != 0;
}

/* The side of a gather or scatter that is addressed by offsets. */
static struct card_granules count_offsets(const bangTransfer *t, const char *base) {
  struct card_granules sum = {0, 0, 0};
  for (int64_t i = 0; i < t->count; ++i) {
    if (is_selected(t, i)) {
      const struct card_side one = {(uintptr_t)base + t->offset[i], (uint64_t)t->bytes, 1, 1, 0, 0};
      const struct card_granules piece = card_count_granules(&one);
      sum.runs += piece.runs;
      sum.whole += piece.whole;
      sum.partial += piece.partial;
    }
  }
  return sum;
}

/* Offsets and mask are read at once; each row is an operand of its own. Offsets of masked-out rows
 * are not used. */
static void check_transfer(struct card_core *core, uint32_t site, const bangTransfer *t,
                           bool gathers, uint8_t pipe, bool is_async) {
  const struct card_act act = {.name = gathers ? "a gather" : "a scatter",
                               .site = site,
                               .pipe = pipe,
                               .is_async = is_async && pipe != CARD_PIPE_VECTOR};
  if (core->watch == NULL || t->count <= 0 || t->bytes <= 0) {
    return;
  }
  const bool has_mask = t->mask != NULL;
  struct card_operand offsets = card_reads(t->offset, 4 * t->count);
  offsets.is_partly_used = has_mask;
  card_check_act(core, &act,
                 CARD_OPERANDS(offsets, card_reads(t->mask, has_mask ? (t->count + 7) / 8 : 0)));
  for (int64_t i = 0; i < t->count; ++i) {
    if (is_selected(t, i)) {
      const int64_t apart = (int64_t)t->offset[i];
      card_check_act(
          core, &act,
          CARD_OPERANDS(card_reads(t->offset + i, has_mask ? 4 : 0),
                        card_reads(t->src + (gathers ? apart : i * t->stride), t->bytes),
                        card_writes(t->dst + (gathers ? i * t->stride : apart), t->bytes)));
    }
  }
}

static void put_transfer(uint32_t site, const bangTransfer *t, bool gathers, uint8_t pipe,
                         uint16_t flags) {
  struct card_core *core = card_recording();
  if (core == NULL) {
    return;
  }
  const uint8_t source = (uint8_t)card_memory_of(core, t->src);
  const uint8_t destination = (uint8_t)card_memory_of(core, t->dst);
  if (pipe == CARD_PIPE_VECTOR && (is_dram(source) || is_dram(destination) ||
                                   source == CARD_MEMORY_SRAM || destination == CARD_MEMORY_SRAM)) {
    pipe = pipe_of(source, destination);
  }
  if (__bang_coreId != BANG_MPU_CORE_ID) { /* a memory core has no NRAM and does nothing */
    check_transfer(core, site, t, gathers, pipe, (flags & CARD_ASYNC) != 0);
  }
  const struct card_granules apart = count_offsets(t, gathers ? t->src : t->dst);
  const uint64_t bytes = apart.runs * (uint64_t)t->bytes;
  struct card_record record = card_record(CARD_COPY, pipe, flags | CARD_BY_OFFSETS);
  if (pipe == CARD_PIPE_VECTOR) {
    record.kind = CARD_VECTOR;
    record.flags = flags;
    record.vector = (struct card_vector){.function = gathers ? CARD_FN_GATHER : CARD_FN_SCATTER,
                                         .type_in = BANG_S8,
                                         .type_out = BANG_S8,
                                         .calls = 1,
                                         .elements = apart.runs,
                                         .bytes_in = bytes + 4 * (uint64_t)t->count,
                                         .bytes_out = bytes,
                                         .extra = (uint64_t)t->bytes};
    card_put(core, site, &record);
    return;
  }
  const struct card_side dense = {
      (uintptr_t)(gathers ? t->dst : t->src), (uint64_t)t->bytes, apart.runs, 1, t->stride, 0};
  const struct card_granules together = card_count_granules(&dense);
  const struct card_granules *read = gathers ? &apart : &together;
  const struct card_granules *written = gathers ? &together : &apart;
  record.copy = (struct card_copy){.source = source,
                                   .destination = destination,
                                   .source_runs = fit(read->runs),
                                   .destination_runs = fit(written->runs),
                                   .bytes = bytes};
  if (is_dram(source)) {
    record.copy.read_granules = fit(read->whole + read->partial);
  }
  if (is_dram(destination)) {
    record.copy.whole_granules = fit(written->whole);
    record.copy.partial_granules = fit(written->partial);
  }
  card_put(core, site, &record);
}

CARD_HOOK void __bang_card_vec_gather(uint32_t site, const bangTransfer *transfer) {
  put_transfer(site, transfer, true, CARD_PIPE_VECTOR, 0);
  __bang_vec_gather(transfer);
}

CARD_HOOK void __bang_card_vec_scatter(uint32_t site, const bangTransfer *transfer) {
  put_transfer(site, transfer, false, CARD_PIPE_VECTOR, 0);
  __bang_vec_scatter(transfer);
}

CARD_HOOK void __bang_card_vec_gather_async(uint32_t site, int pipe, const bangTransfer *transfer) {
  put_transfer(site, transfer, true, pipe_of_mask(pipe), CARD_ASYNC);
  __bang_vec_gather_async(pipe, transfer);
}

CARD_HOOK void __bang_card_vec_scatter_async(uint32_t site, int pipe,
                                             const bangTransfer *transfer) {
  put_transfer(site, transfer, false, pipe_of_mask(pipe), CARD_ASYNC);
  __bang_vec_scatter_async(pipe, transfer);
}

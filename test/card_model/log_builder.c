/* SPDX-License-Identifier: MIT */
#include "log_builder.h"

#include <stdlib.h>

#include "bang/table.h"

enum { GRANULE = 64 };

static struct card_record *append(struct log_builder *log, int kind, int pipe) {
  static struct card_record lost; /* if out of memory; the times will be wrong and fail the test */
  if (log->count == log->size) {
    const size_t size = log->size > 0 ? 2 * log->size : 64;
    struct card_record *records = realloc(log->records, size * sizeof *records);
    if (records == NULL) return &lost;
    log->records = records;
    log->size = size;
  }
  struct card_record *record = &log->records[log->count++];
  *record = (struct card_record){.kind = (uint8_t)kind, .pipe = (uint8_t)pipe};
  return record;
}

void log_free(struct log_builder *log) {
  free(log->records);
  *log = (struct log_builder){0};
}

void log_scalar(struct log_builder *log, uint32_t cycles, uint32_t accesses) {
  struct card_record *record = append(log, CARD_SCALAR, CARD_PIPE_SCALAR);
  record->scalar = (struct card_scalar){.cycles = cycles, .nram = accesses};
}

void log_gdram(struct log_builder *log, uint32_t reads, uint32_t writes) {
  struct card_record *record = append(log, CARD_SCALAR, CARD_PIPE_SCALAR);
  record->scalar = (struct card_scalar){.gdram_reads = reads, .gdram_writes = writes};
}

void log_vector(struct log_builder *log, int function, int op, uint64_t bytes) {
  struct card_record *record = append(log, CARD_VECTOR, CARD_PIPE_VECTOR);
  record->vector = (struct card_vector){.function = (uint16_t)function,
                                        .op = (uint8_t)op,
                                        .type_in = BANG_S8,
                                        .type_out = BANG_S8,
                                        .calls = 1,
                                        .elements = bytes,
                                        .bytes_in = bytes,
                                        .bytes_out = bytes};
}

void log_vector_to_scalar(struct log_builder *log, int function, int op, uint64_t bytes) {
  log_vector(log, function, op, bytes);
  log->records[log->count - 1].flags |= CARD_TO_SCALAR;
}

void log_matmul(struct log_builder *log, int type, uint32_t m, uint32_t k, uint32_t n) {
  struct card_record *record = append(log, CARD_TENSOR, CARD_PIPE_TENSOR);
  record->tensor = (struct card_tensor){.function = CARD_FN_MATMUL,
                                        .type_in = (uint8_t)type,
                                        .type_weight = (uint8_t)type,
                                        .m = m,
                                        .k = k,
                                        .n = n};
}

static uint32_t granules_of(uint64_t bytes) {
  return (uint32_t)((bytes + GRANULE - 1) / GRANULE);
}

void log_load(struct log_builder *log, bool is_async, uint32_t runs, uint64_t run_bytes) {
  struct card_record *record = append(log, CARD_COPY, CARD_PIPE_IO);
  record->flags = is_async ? CARD_ASYNC : 0;
  record->copy = (struct card_copy){.source = CARD_MEMORY_GDRAM,
                                    .destination = CARD_MEMORY_NRAM,
                                    .source_runs = runs,
                                    .destination_runs = 1,
                                    .read_granules = runs * granules_of(run_bytes),
                                    .bytes = runs * run_bytes};
}

void log_store(struct log_builder *log, bool is_async, uint32_t runs, uint64_t run_bytes) {
  struct card_record *record = append(log, CARD_COPY, CARD_PIPE_IO);
  const uint32_t whole = (uint32_t)(run_bytes / GRANULE);
  record->flags = is_async ? CARD_ASYNC : 0;
  record->copy = (struct card_copy){.source = CARD_MEMORY_NRAM,
                                    .destination = CARD_MEMORY_GDRAM,
                                    .source_runs = 1,
                                    .destination_runs = runs,
                                    .whole_granules = runs * whole,
                                    .partial_granules = runs * (granules_of(run_bytes) - whole),
                                    .bytes = runs * run_bytes};
}

void log_move(struct log_builder *log, bool is_async, int source, int destination, uint64_t bytes) {
  struct card_record *record = append(log, CARD_COPY, CARD_PIPE_MOVE);
  record->flags = is_async ? CARD_ASYNC : 0;
  record->copy = (struct card_copy){.source = (uint8_t)source,
                                    .destination = (uint8_t)destination,
                                    .source_runs = 1,
                                    .destination_runs = 1,
                                    .bytes = bytes};
}

void log_sync(struct log_builder *log, unsigned pipes) {
  append(log, CARD_SYNC, CARD_PIPE_SCALAR)->sync.pipes = pipes;
}

void log_barrier(struct log_builder *log, uint32_t which) {
  append(log, CARD_BARRIER, CARD_PIPE_SCALAR)->barrier.which = which;
}

void log_atomic(struct log_builder *log, uint64_t place, uint32_t granules) {
  struct card_record *record = append(log, CARD_ATOMIC, CARD_PIPE_IO);
  record->atomic = (struct card_atomic){
      .memory = CARD_MEMORY_GDRAM, .elements = granules, .granules = granules, .place = place};
}

void log_lock(struct log_builder *log, uint32_t id) {
  append(log, CARD_LOCK, CARD_PIPE_SCALAR)->lock.id = id;
}

void log_unlock(struct log_builder *log, uint32_t id) {
  append(log, CARD_UNLOCK, CARD_PIPE_SCALAR)->lock.id = id;
}

void log_repeat(struct log_builder *log, uint32_t length, uint64_t count) {
  append(log, CARD_REPEAT, CARD_PIPE_SCALAR)->repeat =
      (struct card_repeat){.length = length, .count = count};
}

/* ---- Launches ---- */

static const struct card_site no_sites[1] = {{.file = "", .function = "", .line = 0}};

static bool prepare(struct launch_builder *builder, size_t tasks, const struct log_builder *logs,
                    size_t log_count) {
  *builder = (struct launch_builder){.tasks = calloc(tasks, sizeof *builder->tasks)};
  if (builder->tasks == NULL) return false;
  builder->launch = (struct card_launch){.kernel = "made by hand",
                                         .dim = {(uint32_t)tasks, 1, 1},
                                         .tasks = builder->tasks,
                                         .task_count = tasks,
                                         .sites = no_sites,
                                         .site_count = 1};
  for (size_t i = 0; i < tasks; ++i) {
    const struct log_builder *log = &logs[i % log_count];
    builder->tasks[i].x = (uint32_t)i;
    builder->tasks[i].log = (struct card_log){.records = log->records, .count = log->count};
  }
  return true;
}

bool launch_block(struct launch_builder *builder, size_t tasks, const struct log_builder *logs,
                  size_t log_count) {
  if (!prepare(builder, tasks, logs, log_count)) return false;
  for (size_t i = 0; i < tasks; ++i) builder->tasks[i].group = (uint32_t)i;
  return true;
}

bool launch_union(struct launch_builder *builder, size_t tasks, uint32_t clusters, uint32_t cores,
                  const struct log_builder *logs, size_t log_count) {
  if (!prepare(builder, tasks, logs, log_count)) return false;
  builder->launch.union_clusters = clusters;
  for (size_t i = 0; i < tasks; ++i) {
    builder->tasks[i].group = (uint32_t)(i / (clusters * cores));
    builder->tasks[i].cluster = (uint32_t)(i / cores % clusters);
    builder->tasks[i].core = (uint32_t)(i % cores);
  }
  return true;
}

void launch_free(struct launch_builder *builder) {
  free(builder->tasks);
  builder->tasks = NULL;
}

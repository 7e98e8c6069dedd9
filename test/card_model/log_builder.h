/* SPDX-License-Identifier: MIT
 *
 * Builds logs of tasks by hand, to play them on the clock.
 */
#ifndef TEST_CARD_MODEL_LOG_BUILDER_H_
#define TEST_CARD_MODEL_LOG_BUILDER_H_

#include <stdbool.h>

#include "clock/timing.h"

struct log_builder {
  struct card_record *records;
  size_t count, size;
};

void log_free(struct log_builder *log);

/* Scalar instructions, `accesses` of which access NRAM. */
void log_scalar(struct log_builder *log, uint32_t cycles, uint32_t accesses);
/* Scalar loads from and stores to device memory. */
void log_gdram(struct log_builder *log, uint32_t reads, uint32_t writes);
/* A vector function (enum card_function and its operation); `bytes` are those of its wider
 * operand. */
void log_vector(struct log_builder *log, int function, int op, uint64_t bytes);
/* The same, but scalar code waits for its result. */
void log_vector_to_scalar(struct log_builder *log, int function, int op, uint64_t bytes);
/* m x k times k x n, operands of one type of bang/table.h. */
void log_matmul(struct log_builder *log, int type, uint32_t m, uint32_t k, uint32_t n);
/* Copies between device memory and on-chip memory: `runs` runs of `run_bytes` bytes, each starting
 * at a granule. */
void log_load(struct log_builder *log, bool is_async, uint32_t runs, uint64_t run_bytes);
void log_store(struct log_builder *log, bool is_async, uint32_t runs, uint64_t run_bytes);
/* Between on-chip memories. */
void log_move(struct log_builder *log, bool is_async, int source, int destination, uint64_t bytes);
void log_sync(struct log_builder *log, unsigned pipes);
void log_barrier(struct log_builder *log, uint32_t which);
void log_atomic(struct log_builder *log, uint64_t place, uint32_t granules);
void log_lock(struct log_builder *log, uint32_t id);
void log_unlock(struct log_builder *log, uint32_t id);
/* Repeats the last `length` records `count` more times. */
void log_repeat(struct log_builder *log, uint32_t length, uint64_t count);

/* A launch of tasks with these logs; task i has logs[i % log_count]. Block tasks for 0 clusters,
 * else unions with `cores` tasks in a cluster. */
struct launch_builder {
  struct card_launch launch;
  struct card_task *tasks;
};
bool launch_block(struct launch_builder *builder, size_t tasks, const struct log_builder *logs,
                  size_t log_count);
bool launch_union(struct launch_builder *builder, size_t tasks, uint32_t clusters, uint32_t cores,
                  const struct log_builder *logs, size_t log_count);
void launch_free(struct launch_builder *builder);

#endif /* TEST_CARD_MODEL_LOG_BUILDER_H_ */

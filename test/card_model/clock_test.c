/* SPDX-License-Identifier: MIT
 *
 * The clock against times computed by hand, on a board with round numbers: 1 GHz, 100 bytes per ns
 * for all cores and 10 for one, latencies of 400 and 500 ns.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bang/copies.h"
#include "bang/table.h"
#include "bang_runtime.h"

#include "clock/recording.h"
#include "log_builder.h"

static int failures;

#define EXPECT_EQ(actual, expected) expect_eq((actual), (expected), #actual, __LINE__)

static void expect_eq(int64_t actual, int64_t expected, const char *what, int line) {
  if (actual == expected) return;
  ++failures;
  fprintf(stderr, "line %d: %s is %lld, not %lld\n", line, what, (long long)actual,
          (long long)expected);
}

static struct card_board board;

static void set(const char *name, int64_t value) {
  int64_t *place = card_board_value(&board, name);
  if (place == NULL) {
    fprintf(stderr, "no constant %s\n", name);
    exit(1);
  }
  *place = value;
}

static void make_board(void) {
  static const struct {
    const char *name;
    int64_t value;
  } values[] = {
      {"core_clock_khz", 1000000},
      {"dram_mb_per_s", 100000},
      {"core_dram_mb_per_s", 10000},
      {"memory_core_dram_mb_per_s", 40000},
      {"dram_run_bytes", 0},
      {"read_latency_ns", 400},
      {"write_latency_ns", 500},
      {"copy_issue_cycles", 0},
      {"read_segment_ns", 50},
      {"write_segment_ns", 60},
      {"partial_write_ns", 200},
      {"scalar_onchip_load_cycles", 20},
      {"scalar_read_ns", 190},
      {"scalar_write_ns", 180},
      {"atomic_ns", 100},
      {"vector_start_cycles", 30},
      {"vector_bytes_per_cycle", 128},
      {"simple_cycles_x16", 16},
      {"activate_cycles_x16", 64},
      {"transpose_cycles_x16", 128},
      {"tensor_start_cycles", 100},
      {"tensor_fp16_macs", 1000},
      {"move_start_cycles", 20},
      {"move_bytes_per_cycle", 128},
      {"sram_latency_cycles", 200},
      {"sram_core_bytes_per_cycle", 64},
      {"sram_cluster_bytes_per_cycle", 128},
      {"sync_cycles", 10},
      {"cluster_barrier_ns", 200},
      {"union_barrier_ns", 500},
      {"launch_ns", 1000},
      {"task_dispatch_ns", 0},
      {"next_task_ns", 300},
  };
  board = *card_board_find("MLU370-X4");
  for (size_t i = 0; i < sizeof values / sizeof *values; ++i) set(values[i].name, values[i].value);
}

static struct card_timing timing; /* of the last launch */

/* Plays a launch and returns its duration in ns; frees the log. */
static int64_t play(struct launch_builder *builder, unsigned free_pipes) {
  if (!card_play_launch(&board, &builder->launch, free_pipes, NULL, &timing)) exit(1);
  int64_t spent = 0;
  for (int i = 0; i < CARD_SPENT_COUNT; ++i) spent += timing.spent[i];
  EXPECT_EQ(spent, timing.cores * timing.duration);
  return (timing.duration + 500) / 1000; /* rates are whole numbers, so a few ps may be lost */
}

static int64_t play_block(struct log_builder *log, size_t tasks) {
  struct launch_builder builder;
  if (!launch_block(&builder, tasks, log, 1)) exit(1);
  const int64_t ns = play(&builder, 0);
  launch_free(&builder);
  log_free(log);
  return ns;
}

/* ---- One core ---- */

static void test_empty(void) {
  struct log_builder log = {0};
  EXPECT_EQ(play_block(&log, 1), 1000);
  EXPECT_EQ(timing.bound, CARD_BOUND_LATENCY);
}

static void test_copies(void) {
  struct log_builder log = {0};
  log_load(&log, false, 1, 6400); /* latency, then 10 bytes per ns */
  EXPECT_EQ(play_block(&log, 1), 1000 + 400 + 640);
  EXPECT_EQ(timing.dram_read, 6400);
  EXPECT_EQ(timing.dram_written, 0);
  EXPECT_EQ(timing.spent[CARD_SPENT_LATENCY], 400000);
  EXPECT_EQ(timing.spent[CARD_SPENT_COPY], 640000);
  log_store(&log, false, 1, 6400);
  EXPECT_EQ(play_block(&log, 1), 1000 + 640 + 500);
  /* The latency of the second load overlaps with the transfer of the first. */
  log_load(&log, true, 1, 6400);
  log_load(&log, true, 1, 6400);
  log_sync(&log, BANG_PIPE_IO);
  EXPECT_EQ(play_block(&log, 1), 1000 + 400 + 1280);
  EXPECT_EQ(timing.busy[CARD_PIPE_IO], 1280000);
  /* Synchronous loads pay the latency each time. */
  log_load(&log, false, 1, 6400);
  log_load(&log, false, 1, 6400);
  EXPECT_EQ(play_block(&log, 1), 1000 + 2 * (400 + 640));
  EXPECT_EQ(timing.syncs, 2);
  /* A synchronous store returns when its bytes have left the core, so the next one follows at
   * once. Its latency overlaps with later work, up to a sync or the end of the task. */
  log_store(&log, false, 1, 6400);
  log_store(&log, false, 1, 6400);
  EXPECT_EQ(play_block(&log, 1), 1000 + 2 * 640 + 500);
  log_store(&log, false, 1, 6400);
  log_scalar(&log, 2000, 0);
  EXPECT_EQ(play_block(&log, 1), 1000 + 640 + 2000);
  log_store(&log, false, 1, 6400);
  log_sync(&log, BANG_PIPE_IO);
  log_scalar(&log, 2000, 0);
  EXPECT_EQ(play_block(&log, 1), 1000 + 640 + 500 + 2000);
  /* A load after a store waits for its own bytes only. */
  log_store(&log, false, 1, 6400);
  log_load(&log, false, 1, 640);
  log_scalar(&log, 2000, 0);
  EXPECT_EQ(play_block(&log, 1), 1000 + 640 + 400 + 64 + 2000);
  /* A task ends when its copies in flight have ended. */
  log_store(&log, true, 1, 6400);
  EXPECT_EQ(play_block(&log, 1), 1000 + 640 + 500);
}

static void test_segments(void) {
  struct log_builder log = {0};
  log_load(&log, false, 512, 2); /* each segment takes 50 ns and moves one granule */
  EXPECT_EQ(play_block(&log, 1), 1000 + 400 + 512 * 50);
  EXPECT_EQ(timing.dram_read, 512 * 64);
  log_load(&log, false, 10, 6400); /* long segments: limited by bandwidth */
  EXPECT_EQ(play_block(&log, 1), 1000 + 400 + 6400);
  log_store(&log, false, 10, 64);
  EXPECT_EQ(play_block(&log, 1), 1000 + 10 * 60 + 500);
  log_store(&log, false, 10, 4); /* less than a granule: read, merge, write */
  EXPECT_EQ(play_block(&log, 1), 1000 + 10 * 260 + 500);
  EXPECT_EQ(timing.dram_written, 640);
}

static void test_scalar(void) {
  struct log_builder log = {0};
  log_scalar(&log, 700, 0);
  EXPECT_EQ(play_block(&log, 1), 1700);
  EXPECT_EQ(timing.bound, CARD_BOUND_LATENCY);
  log_scalar(&log, 7000, 100);
  EXPECT_EQ(play_block(&log, 1), 8000);
  EXPECT_EQ(timing.bound, CARD_BOUND_SCALAR);
  log_gdram(&log, 3, 1);
  EXPECT_EQ(play_block(&log, 1), 1000 + 3 * 190 + 180);
  /* Waits in the log assume 20 cycles per load; here a load takes twice that. */
  set("scalar_onchip_load_cycles", 40);
  log_scalar(&log, 100, 2);
  log.records[0].scalar.waits = 30;
  EXPECT_EQ(play_block(&log, 1), 1000 + 130);
  set("scalar_onchip_load_cycles", 20);
}

static void test_vector(void) {
  struct log_builder log = {0};
  /* 30 + 10 cycles; scalar code without accesses to on-chip memory runs in parallel. */
  log_vector(&log, CARD_FN_BINARY, BANG_ADD, 1280);
  log_scalar(&log, 25, 0);
  EXPECT_EQ(play_block(&log, 1), 1040);
  log_vector(&log, CARD_FN_BINARY, BANG_ADD, 1280);
  log_scalar(&log, 25, 1);
  EXPECT_EQ(play_block(&log, 1), 1065);
  log_vector_to_scalar(&log, CARD_FN_COUNT, 0, 1280);
  log_scalar(&log, 25, 0);
  EXPECT_EQ(play_block(&log, 1), 1065);
  /* Work is rounded up to 128 bytes; each class of functions has its own factor. */
  log_vector(&log, CARD_FN_UNARY, BANG_EXP, 129);
  EXPECT_EQ(play_block(&log, 1), 1000 + 30 + 8);
  log_vector(&log, CARD_FN_TRANSPOSE, 2, 1280);
  EXPECT_EQ(play_block(&log, 1), 1000 + 30 + 80);
  EXPECT_EQ(timing.busy[CARD_PIPE_VECTOR], 110000);
  /* Each call of a segmented function has its own start-up time. */
  log_vector(&log, CARD_FN_UNARY, BANG_ABS, 1280);
  log.records[0].vector.calls = 5;
  EXPECT_EQ(play_block(&log, 1), 1000 + 5 * (30 + 2));
  /* Pooling reads a whole window per result. */
  log_vector(&log, CARD_FN_POOL, 0, 1280);
  log.records[0].vector.extra = 4;
  EXPECT_EQ(play_block(&log, 1), 1000 + 30 + 40);
}

static void test_tensor(void) {
  struct log_builder log = {0};
  log_matmul(&log, BANG_F16, 100, 100, 100); /* 100 + 1000 cycles, then the sum */
  log_vector(&log, CARD_FN_BINARY, BANG_ADD, 1280);
  log_store(&log, false, 1, 640);
  EXPECT_EQ(play_block(&log, 1), 1000 + 1100 + 40 + 64 + 500);
  EXPECT_EQ(timing.spent[CARD_SPENT_VECTOR] + timing.spent[CARD_SPENT_TENSOR], 1140000);
}

static void test_moves(void) {
  struct log_builder log = {0};
  log_move(&log, false, CARD_MEMORY_NRAM, CARD_MEMORY_WRAM, 1280);
  log_scalar(&log, 100, 0);
  EXPECT_EQ(play_block(&log, 1), 1000 + 30 + 100);
  log_move(&log, true, CARD_MEMORY_NRAM, CARD_MEMORY_WRAM, 1280);
  log_scalar(&log, 100, 0);
  log_sync(&log, BANG_PIPE_MOVE);
  EXPECT_EQ(play_block(&log, 1), 1000 + 100 + 10);
  log_move(&log, false, CARD_MEMORY_SRAM, CARD_MEMORY_NRAM, 6400); /* 200 + 100 cycles */
  EXPECT_EQ(play_block(&log, 1), 1300);
}

/* The load of the next tile, the work on this one and the store of the last one overlap. */
static void test_pipeline(void) {
  struct log_builder log = {0};
  log_load(&log, true, 1, 6400);
  log_vector(&log, CARD_FN_BINARY, BANG_ADD, 128000); /* 1030 cycles */
  log_sync(&log, BANG_PIPE_ALL);
  log_repeat(&log, 3, 9);
  EXPECT_EQ(play_block(&log, 1), 1000 + 10 * (400 + 640) + 10 * 0);
  log_load(&log, true, 1, 6400);
  log_vector(&log, CARD_FN_BINARY, BANG_ADD, 256000); /* 2030 cycles: longer than the copies */
  log_sync(&log, BANG_PIPE_ALL);
  log_repeat(&log, 3, 9);
  EXPECT_EQ(play_block(&log, 1), 1000 + 10 * (2030 + 10));
  EXPECT_EQ(timing.bound, CARD_BOUND_VECTOR);
}

/* ---- Several cores ---- */

/* Each run of 64 bytes occupies the memory for as long as 64 + 136 bytes. */
static void test_runs(void) {
  struct log_builder log = {0};
  set("dram_run_bytes", 136);
  log_load(&log, false, 100, 64); /* one core: limited by 50 ns per segment */
  EXPECT_EQ(play_block(&log, 1), 1000 + 400 + 5000);
  log_load(&log, false, 100, 64); /* 32 cores: limited by the memory, 100 bytes per ns */
  EXPECT_EQ(play_block(&log, 32), 1000 + 400 + 6400);
  set("dram_run_bytes", 0);
}

static void test_sharing(void) {
  struct log_builder log = {0};
  log_load(&log, false, 1, 6400);
  EXPECT_EQ(play_block(&log, 10), 1000 + 400 + 640); /* 10 x 10 bytes per ns: the full bandwidth */
  log_load(&log, false, 1, 6400);
  EXPECT_EQ(play_block(&log, 20), 1000 + 400 + 1280);
  EXPECT_EQ(timing.dram_read, 20 * 6400);
  EXPECT_EQ(timing.cores, 20);
  /* 20 cores load 6400 bytes, 10 load 3200. All get 10/3 bytes per ns until the short loads end
   * after 960 ns; the remaining 3200 bytes of the long ones then move at 5 bytes per ns. */
  struct log_builder logs[3] = {{0}, {0}, {0}};
  log_load(&logs[0], false, 1, 6400);
  log_load(&logs[1], false, 1, 6400);
  log_load(&logs[2], false, 1, 3200);
  struct launch_builder builder;
  launch_block(&builder, 30, logs, 3);
  EXPECT_EQ(play(&builder, 0), 1000 + 400 + 960 + 640);
  launch_free(&builder);
  for (int i = 0; i < 3; ++i) log_free(&logs[i]);
}

static void test_waves(void) {
  struct log_builder log = {0};
  log_scalar(&log, 2000, 0);
  EXPECT_EQ(play_block(&log, 32), 3000);
  EXPECT_EQ(timing.waves, 1);
  log_scalar(&log, 2000, 0);
  EXPECT_EQ(play_block(&log, 33), 3000 + 300 + 2000);
  EXPECT_EQ(timing.waves, 2);
  EXPECT_EQ(timing.spent[CARD_SPENT_IDLE], 31 * INT64_C(2300000));
  /* The scheduler starts tasks one after another, and each start takes time. */
  set("task_dispatch_ns", 40);
  log_scalar(&log, 2000, 0);
  EXPECT_EQ(play_block(&log, 32), 1000 + 31 * 40 + 2000);
  set("task_dispatch_ns", 0);
}

static void test_barriers(void) {
  struct log_builder logs[4] = {{0}, {0}, {0}, {0}};
  for (uint32_t i = 0; i < 4; ++i) {
    log_scalar(&logs[i], 100 + 100 * i, 0);
    log_barrier(&logs[i], BANG_BARRIER_CLUSTER);
    log_scalar(&logs[i], 50, 0);
  }
  struct launch_builder builder;
  launch_union(&builder, 4, 1, 4, logs, 4);
  EXPECT_EQ(play(&builder, 0), 1000 + 400 + 200 + 50);
  launch_free(&builder);
  /* A barrier over two clusters costs more. No barrier waits for cores that have ended. */
  for (uint32_t i = 0; i < 4; ++i) logs[i].records[1].barrier.which = BANG_BARRIER_ALL_IPU;
  logs[3].count = 1;
  launch_union(&builder, 8, 2, 4, logs, 4);
  EXPECT_EQ(play(&builder, 0), 1000 + 400 + 500 + 50);
  EXPECT_EQ(timing.stuck, false);
  launch_free(&builder);
  /* A core arrives at a barrier only when its stores are complete. */
  struct log_builder log = {0};
  log_store(&log, true, 1, 640);
  log_barrier(&log, BANG_BARRIER_CLUSTER);
  launch_union(&builder, 4, 1, 4, &log, 1);
  EXPECT_EQ(play(&builder, 0), 1000 + 64 + 500 + 200);
  launch_free(&builder);
  log_free(&log);
  /* Unions that do not fit on the board together run one after another. */
  log_scalar(&log, 1000, 0);
  launch_union(&builder, 40, 2, 4, &log, 1);
  EXPECT_EQ(play(&builder, 0), 1000 + 1000 + 300 + 1000);
  launch_free(&builder);
  log_free(&log);
  for (int i = 0; i < 4; ++i) log_free(&logs[i]);
}

/* The memory core fills SRAM, then four cores load their parts in parallel. */
static void test_memory_core(void) {
  struct log_builder logs[5] = {{0}, {0}, {0}, {0}, {0}};
  log_load(&logs[4], false, 1, 64000);
  logs[4].records[0].copy.destination = CARD_MEMORY_SRAM;
  for (int i = 0; i < 5; ++i) log_barrier(&logs[i], BANG_BARRIER_CLUSTER);
  for (int i = 0; i < 4; ++i) {
    log_move(&logs[i], false, CARD_MEMORY_SRAM, CARD_MEMORY_NRAM, 6400);
  }
  struct launch_builder builder;
  launch_union(&builder, 5, 1, 5, logs, 5);
  builder.tasks[4].core = BANG_MPU_CORE_ID;
  /* 40 bytes per ns, barrier, 32 bytes per cycle for each of four. */
  EXPECT_EQ(play(&builder, 0), 1000 + 400 + 1600 + 200 + 200 + 200);
  launch_free(&builder);
  for (int i = 0; i < 5; ++i) log_free(&logs[i]);
}

static void test_atomics(void) {
  struct log_builder log = {0};
  log_atomic(&log, 7, 2);
  EXPECT_EQ(play_block(&log, 4), 1000 + 4 * 200 + 500); /* one address: serialised */
  struct log_builder logs[2] = {{0}, {0}};
  log_atomic(&logs[0], 7, 2);
  log_atomic(&logs[1], 8, 2);
  struct launch_builder builder;
  launch_block(&builder, 2, logs, 2);
  EXPECT_EQ(play(&builder, 0), 1000 + 200 + 500);
  launch_free(&builder);
  log_free(&logs[0]);
  log_free(&logs[1]);
  log_lock(&log, 3); /* 400 ns to take the lock, 1000 ns inside */
  log_scalar(&log, 1000, 0);
  log_unlock(&log, 3);
  EXPECT_EQ(play_block(&log, 3), 1000 + 3 * 1400);
  /* A lock that is never released: the waiting cores continue when nothing else can run. */
  log_lock(&log, 3);
  EXPECT_EQ(play_block(&log, 2) > 0, true);
  EXPECT_EQ(timing.stuck, true);
}

/* ---- The rest ---- */

static void test_free_pipes(void) {
  struct log_builder log = {0};
  log_load(&log, false, 1, 6400);
  log_vector(&log, CARD_FN_BINARY, BANG_ADD, 1280);
  log_matmul(&log, BANG_F16, 100, 100, 100);
  log_scalar(&log, 500, 1);
  log_move(&log, false, CARD_MEMORY_NRAM, CARD_MEMORY_WRAM, 1280);
  struct launch_builder builder;
  launch_block(&builder, 1, &log, 1);
  const int64_t costs[CARD_PIPE_COUNT] = {500, 40, 1100, 400 + 640, 30};
  int64_t sum = 0;
  for (int i = 0; i < CARD_PIPE_COUNT; ++i) sum += costs[i];
  EXPECT_EQ(play(&builder, 0), 1000 + sum);
  for (int i = 0; i < CARD_PIPE_COUNT; ++i) {
    EXPECT_EQ(play(&builder, 1u << i), 1000 + sum - costs[i]);
  }
  launch_free(&builder);
  log_free(&log);
}

static void test_reader(void) {
  /* The sequence a (b c){2} d, three times: the outer repeat has five records, since the inner
   * repeat is one record.
   */
  struct log_builder log = {0};
  log_scalar(&log, 1, 0);
  log_scalar(&log, 2, 0);
  log_scalar(&log, 3, 0);
  log_repeat(&log, 2, 1);
  log_scalar(&log, 4, 0);
  log_repeat(&log, 5, 2);
  static const uint32_t turn[] = {1, 2, 3, 2, 3, 4};
  const struct card_log made = {.records = log.records, .count = log.count};
  struct card_reader reader;
  card_reader_init(&reader, &made);
  for (int i = 0; i < 18; ++i) {
    const struct card_record *record = card_reader_next(&reader);
    EXPECT_EQ(record != NULL ? record->scalar.cycles : 0, turn[i % 6]);
  }
  EXPECT_EQ(card_reader_next(&reader) == NULL, true);
  log_free(&log);
}

static void test_host(void) {
  set("host_copy_ns", 10000);
  set("host_to_device_mb_per_s", 12000);
  set("memset_mb_per_s", 40000);
  set("device_copy_mb_per_s", 200000);
  EXPECT_EQ(card_host_copy_time(&board, CARD_HOST_TO_DEVICE, 12000000), 1010000000);
  EXPECT_EQ(card_memset_time(&board, 4000000000), INT64_C(100001000000));
  EXPECT_EQ(card_host_copy_time(&board, CARD_DEVICE_TO_DEVICE, 100000), 1000000 + 1000000);
}

/* ---- Random logs: every one ends, and always after the same time ---- */

static uint32_t random_state = 1;

static uint32_t draw(uint32_t n) {
  random_state = random_state * 1664525u + 1013904223u;
  return (uint32_t)(((uint64_t)(random_state >> 8) * n) >> 24);
}

static void add_random(struct log_builder *log) {
  const bool is_async = draw(2) != 0;
  switch (draw(10)) {
    case 0:
      log_scalar(log, draw(500), draw(3));
      break;
    case 1:
      log_vector(log, CARD_FN_BINARY, BANG_ADD, draw(100000));
      break;
    case 2:
      log_matmul(log, BANG_F16, 1 + draw(64), 64, 64);
      break;
    case 3:
      log_load(log, is_async, 1 + draw(20), 1 + draw(10000));
      break;
    case 4:
      log_store(log, is_async, 1 + draw(20), 1 + draw(10000));
      break;
    case 5:
      log_move(log, is_async, CARD_MEMORY_SRAM, CARD_MEMORY_NRAM, draw(10000));
      break;
    case 6:
      log_move(log, is_async, CARD_MEMORY_NRAM, CARD_MEMORY_NRAM, draw(10000));
      break;
    case 7:
      log_sync(log, 1 + draw(7));
      break;
    case 8:
      log_atomic(log, draw(3), 1 + draw(3));
      break;
    default:
      log_barrier(log, draw(5));
      break;
  }
}

/* Written and read again, a launch takes the same time. */
static void expect_same_after_file(const struct card_launch *launch) {
  FILE *file = tmpfile();
  if (file == NULL) exit(1);
  card_log_write(file, launch);
  rewind(file);
  struct card_logged_launch again;
  EXPECT_EQ(card_log_read(file, &again), CARD_LOG_READ);
  struct card_timing played;
  EXPECT_EQ(card_play_launch(&board, &again.launch, 0, NULL, &played), true);
  EXPECT_EQ(memcmp(&played, &timing, sizeof played), 0);
  card_log_free(&again);
  EXPECT_EQ(card_log_read(file, &again), CARD_LOG_END);
  fclose(file);
}

static void test_random(void) {
  for (int round = 0; round < 200; ++round) {
    enum { LOGS = 8 };
    struct log_builder logs[LOGS] = {{0}};
    for (int i = 0; i < LOGS; ++i) {
      for (uint32_t k = draw(40); k > 0; --k) add_random(&logs[i]);
      if (logs[i].count > 3) log_repeat(&logs[i], 3, draw(5));
    }
    struct launch_builder builder;
    launch_union(&builder, 40, 2, 4, logs, LOGS);
    if (!card_play_launch(&board, &builder.launch, 0, NULL, &timing)) exit(1);
    int64_t spent = 0;
    for (int i = 0; i < CARD_SPENT_COUNT; ++i) spent += timing.spent[i];
    EXPECT_EQ(spent, timing.cores * timing.duration);
    struct card_timing again;
    card_play_launch(&board, &builder.launch, 0, NULL, &again);
    EXPECT_EQ(memcmp(&again, &timing, sizeof again), 0);
    for (int i = 0; i < CARD_PIPE_COUNT; ++i) {
      EXPECT_EQ(timing.busy[i] <= timing.cores * timing.duration, true);
    }
    expect_same_after_file(&builder.launch);
    launch_free(&builder);
    for (int i = 0; i < LOGS; ++i) log_free(&logs[i]);
  }
}

int main(void) {
  make_board();
  test_empty();
  test_copies();
  test_segments();
  test_scalar();
  test_vector();
  test_tensor();
  test_moves();
  test_pipeline();
  test_runs();
  test_sharing();
  test_waves();
  test_barriers();
  test_memory_core();
  test_atomics();
  test_free_pipes();
  test_reader();
  test_random();
  test_host();
  if (failures > 0) fprintf(stderr, "%d failures\n", failures);
  return failures > 0;
}

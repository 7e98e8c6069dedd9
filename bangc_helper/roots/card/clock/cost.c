/* SPDX-License-Identifier: MIT */
#include "clock/cost.h"

#include "bang/table.h"

static const int64_t PS_PER_NS = 1000;

static int64_t larger(int64_t a, int64_t b) {
  return a > b ? a : b;
}

static int64_t divide_up(int64_t a, int64_t b) {
  return (a + b - 1) / b;
}

int64_t card_cycles(const struct card_board *board, int64_t cycles) {
  return cycles * INT64_C(1000000000) / board->core_clock_khz;
}

/* ---- Scalar ---- */

int64_t card_scalar_cost(const struct card_board *board, const struct card_scalar *scalar) {
  const int64_t waits = scalar->waits;
  const int64_t cycles =
      (int64_t)scalar->cycles - waits + waits * board->scalar_onchip_load_cycles / CARD_LOAD_TO_USE;
  const int64_t reads = (int64_t)scalar->gdram_reads + scalar->ldram;
  return card_cycles(board, cycles) + reads * board->scalar_read_ns * PS_PER_NS +
         scalar->gdram_writes * board->scalar_write_ns * PS_PER_NS;
}

/* ---- Vector ---- */

static int64_t unary_class(const struct card_board *board, int op) {
  switch (op) {
    case BANG_EXP:
    case BANG_EXP2:
    case BANG_LOG:
    case BANG_LOG2:
    case BANG_LOG10:
    case BANG_SIN:
    case BANG_COS:
    case BANG_TANH:
    case BANG_SIGMOID:
    case BANG_GELU:
    case BANG_GELU_TANH:
    case BANG_SOFTPLUS:
    case BANG_RECIP:
    case BANG_SQRT:
    case BANG_RSQRT:
      return board->activate_cycles_x16;
    default:
      return board->simple_cycles_x16;
  }
}

static int64_t binary_class(const struct card_board *board, int op) {
  return op == BANG_DIV || op == BANG_REM || op == BANG_POW ? board->activate_cycles_x16
                                                            : board->simple_cycles_x16;
}

/* No default case, so that the compiler warns if the cost of a new function is missing. */
static int64_t function_class(const struct card_board *board, const struct card_vector *vector) {
  switch ((enum card_function)vector->function) {
    case CARD_FN_UNARY:
      return unary_class(board, vector->op);
    case CARD_FN_BINARY:
    case CARD_FN_CYCLE:
    case CARD_FN_BITINDEX:
      return binary_class(board, vector->op);
    case CARD_FN_CONVERT:
      return board->convert_cycles_x16;
    case CARD_FN_LIBRARY:
    case CARD_FN_RANDOM:
      return board->activate_cycles_x16;
    case CARD_FN_FILTER:
    case CARD_FN_FILTER_BITS:
    case CARD_FN_LUT:
    case CARD_FN_GATHER:
    case CARD_FN_SCATTER:
    case CARD_FN_MASKMOVE:
      return board->select_cycles_x16;
    case CARD_FN_SUM:
    case CARD_FN_REDUCE_SUM:
    case CARD_FN_ARGMAX:
    case CARD_FN_ARGMIN:
    case CARD_FN_COUNT:
    case CARD_FN_COUNT_BITS:
    case CARD_FN_FINDFIRST1:
    case CARD_FN_FINDLAST1:
    case CARD_FN_POOL:
    case CARD_FN_POOL_INDEX:
    case CARD_FN_POOL_BACK:
      return board->reduce_cycles_x16;
    case CARD_FN_TRANSPOSE:
    case CARD_FN_ROTATE:
    case CARD_FN_MIRROR:
    case CARD_FN_RESHAPE_FILTER:
      return board->transpose_cycles_x16;
    case CARD_FN_PRODUCT:
    case CARD_FN_FUSION:
    case CARD_FN_FILL:
    case CARD_FN_IOTA:
    case CARD_FN_PAD:
    case CARD_FN_EXTENSION:
    case CARD_FN_MOVE:
    case CARD_FN_REGISTER:
    case CARD_FN_MATMUL: /* these belong to the tensor pipe */
    case CARD_FN_CONV:
    case CARD_FN_COUNT_OF:
      break;
  }
  return board->simple_cycles_x16;
}

static int64_t type_bytes(int type) {
  switch (type) {
    case BANG_S8:
    case BANG_U8:
      return 1;
    case BANG_F16:
    case BANG_BF16:
    case BANG_S16:
    case BANG_U16:
      return 2;
    case BANG_S64:
    case BANG_U64:
      return 8;
    default:
      return 4;
  }
}

/* Bytes that the unit processes. The wider type counts; a pool reads every window in full. */
static int64_t vector_bytes(const struct card_vector *vector) {
  const int64_t width = larger(type_bytes(vector->type_in), type_bytes(vector->type_out));
  int64_t elements = (int64_t)vector->elements;
  if (vector->function == CARD_FN_POOL || vector->function == CARD_FN_POOL_INDEX) {
    elements *= larger((int64_t)vector->extra, 1);
  }
  return elements * width;
}

int64_t card_vector_cost(const struct card_board *board, const struct card_vector *vector) {
  const int64_t calls = vector->calls > 0 ? vector->calls : 1;
  const int64_t width = board->vector_bytes_per_cycle;
  const int64_t steps = calls * divide_up(divide_up(vector_bytes(vector), calls), width);
  const int64_t cycles =
      calls * board->vector_start_cycles + divide_up(steps * function_class(board, vector), 16);
  return card_cycles(board, cycles);
}

/* ---- Tensor ---- */

static int64_t macs_per_cycle(const struct card_board *board, const struct card_tensor *tensor) {
  const int left = tensor->type_in, right = tensor->type_weight;
  const bool left_wide = left == BANG_F32 || left == BANG_TF32;
  const bool right_wide = right == BANG_F32 || right == BANG_TF32;
  if (left_wide && right_wide) return board->tensor_fp32_macs;
  if (left_wide || right_wide) return board->tensor_mixed_macs;
  if (left == BANG_F16 || left == BANG_BF16) return board->tensor_fp16_macs;
  return left == BANG_S16 || left == BANG_U16 || right == BANG_S16 || right == BANG_U16
             ? board->tensor_int16_macs
             : board->tensor_int8_macs;
}

int64_t card_tensor_cost(const struct card_board *board, const struct card_tensor *tensor) {
  const int64_t macs = (int64_t)tensor->m * tensor->k * tensor->n;
  const int64_t written =
      divide_up((int64_t)tensor->bytes_out, board->vector_bytes_per_cycle); /* to write results */
  const int64_t cycles = larger(divide_up(macs, macs_per_cycle(board, tensor)), written);
  return card_cycles(board, board->tensor_start_cycles + cycles);
}

/* ---- Copies ---- */

static bool in_dram(int memory) {
  return memory == CARD_MEMORY_GDRAM || memory == CARD_MEMORY_LDRAM;
}

int64_t card_copy_read(const struct card_board *board, const struct card_copy *copy) {
  return in_dram(copy->source) ? copy->read_granules * board->dram_granule_bytes : 0;
}

int64_t card_copy_written(const struct card_board *board, const struct card_copy *copy) {
  const int64_t granules = (int64_t)copy->whole_granules + copy->partial_granules;
  return in_dram(copy->destination) ? granules * board->dram_granule_bytes : 0;
}

/* Each change of address costs bandwidth of the memory, but no time of the core's own limit. */
static void add_runs(const struct card_board *board, const struct card_copy *copy,
                     struct card_transfer *cost) {
  int64_t runs = 0;
  if (in_dram(copy->source)) runs += copy->source_runs;
  if (in_dram(copy->destination)) runs += copy->destination_runs;
  const int64_t bytes = cost->bytes > 0 ? cost->bytes : 1;
  cost->bytes = bytes + runs * board->dram_run_bytes;
  cost->limit += runs * board->dram_run_bytes * (cost->limit / 1000) / bytes * 1000;
}

/* A partly written granule is read, merged and written back: twice the bytes, and a delay. */
static struct card_transfer dram_cost(const struct card_board *board, const struct card_copy *copy,
                                      bool by_memory_core) {
  struct card_transfer cost = {.route = CARD_ROUTE_DRAM};
  const bool reads = in_dram(copy->source), writes = in_dram(copy->destination);
  cost.limit =
      1000 * (by_memory_core ? board->memory_core_dram_mb_per_s : board->core_dram_mb_per_s);
  cost.bytes = card_copy_read(board, copy) + card_copy_written(board, copy);
  if (reads) {
    cost.lead = board->read_latency_ns * PS_PER_NS;
    if (copy->source_runs > 1) cost.least += copy->source_runs * board->read_segment_ns;
  }
  if (writes) {
    cost.tail = board->write_latency_ns * PS_PER_NS;
    cost.bytes += copy->partial_granules * board->dram_granule_bytes;
    if (copy->destination_runs > 1) {
      cost.least += copy->destination_runs * board->write_segment_ns;
    }
    cost.least += copy->partial_granules * board->partial_write_ns;
  }
  cost.least *= PS_PER_NS;
  add_runs(board, copy, &cost);
  return cost;
}

static struct card_transfer sram_cost(const struct card_board *board, const struct card_copy *copy,
                                      bool other_cluster) {
  const int64_t runs = larger(copy->source_runs, copy->destination_runs);
  const int64_t width =
      other_cluster ? board->sram_remote_bytes_per_cycle : board->sram_core_bytes_per_cycle;
  return (struct card_transfer){
      .route = CARD_ROUTE_SRAM,
      .lead = card_cycles(board, board->sram_latency_cycles),
      .least = runs > 1 ? card_cycles(board, runs * board->move_segment_cycles) : 0,
      .bytes = (int64_t)copy->bytes,
      .limit = width * board->core_clock_khz,
  };
}

static struct card_transfer local_cost(const struct card_board *board,
                                       const struct card_copy *copy) {
  const int64_t runs = larger(copy->source_runs, copy->destination_runs);
  const int64_t segments = runs > 1 ? runs * board->move_segment_cycles : 0;
  const int64_t cycles =
      larger(divide_up((int64_t)copy->bytes, board->move_bytes_per_cycle), segments);
  return (struct card_transfer){.route = CARD_ROUTE_LOCAL,
                                .least = card_cycles(board, board->move_start_cycles + cycles)};
}

struct card_transfer card_copy_cost(const struct card_board *board,
                                    const struct card_record *record, bool by_memory_core) {
  const struct card_copy *copy = &record->copy;
  if (in_dram(copy->source) || in_dram(copy->destination)) {
    return dram_cost(board, copy, by_memory_core);
  }
  if (copy->source == CARD_MEMORY_SRAM || copy->destination == CARD_MEMORY_SRAM) {
    return sram_cost(board, copy, (record->flags & CARD_OTHER_CLUSTER) != 0);
  }
  return local_cost(board, copy);
}

int64_t card_atomic_cost(const struct card_board *board, const struct card_atomic *atomic) {
  const int64_t granules = atomic->granules > 0 ? atomic->granules : 1;
  return granules * board->atomic_ns * PS_PER_NS;
}

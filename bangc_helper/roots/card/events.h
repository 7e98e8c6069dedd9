/* SPDX-License-Identifier: MIT
 *
 * The input of the clock: for each task of a launch, a log of records in program order.
 * Instrumented kernels write the logs (log.h); the clock plays them on the board's cores. Records
 * hold no addresses, so equal work gives equal records on every host, and repeats fold.
 */
#ifndef CARD_EVENTS_H_
#define CARD_EVENTS_H_

#include <stddef.h>
#include <stdint.h>

enum card_kind {
  CARD_SCALAR = 1, /* scalar code since the record before, accesses of memory included */
  CARD_VECTOR,     /* a function of the vector unit */
  CARD_TENSOR,     /* a function of the tensor unit */
  CARD_COPY,       /* a copy, gather, scatter or fill on the IO or move pipe */
  CARD_ATOMIC,     /* an atomic operation on elements of GDRAM or SRAM */
  CARD_SYNC,       /* the scalar pipe waits for a mask of pipes */
  CARD_BARRIER,    /* all pipes complete, then the core waits for a set of cores */
  CARD_LOCK,
  CARD_UNLOCK,
  CARD_REPEAT, /* repeats the records before it; card_reader expands it */
};

/* The unit that does the work of a record. */
enum card_pipe {
  CARD_PIPE_SCALAR,
  CARD_PIPE_VECTOR,
  CARD_PIPE_TENSOR,
  CARD_PIPE_IO,   /* between GDRAM or LDRAM and memory on chip */
  CARD_PIPE_MOVE, /* between memories on chip */
  CARD_PIPE_COUNT
};

enum card_memory {
  CARD_MEMORY_NONE, /* a fill has no source, a scalar operand no memory */
  CARD_MEMORY_NRAM,
  CARD_MEMORY_WRAM,
  CARD_MEMORY_SRAM,
  CARD_MEMORY_LDRAM,
  CARD_MEMORY_GDRAM,
  CARD_MEMORY_STACK,
  CARD_MEMORY_OTHER, /* parameters and constants */
  CARD_MEMORY_COUNT
};

/* Flags of a record. */
enum {
  CARD_ASYNC = 1,         /* complete after the next sync of its pipe; without it the task waits */
  CARD_OTHER_CLUSTER = 2, /* the destination is in the SRAM of another cluster */
  CARD_BY_OFFSETS = 4,    /* a gather or scatter: every run has its own offset */
  CARD_FILL = 8,          /* a copy without a source */
  CARD_SHARED = 16,       /* all cores of a cluster issue it, one of them does the work */
  CARD_RETURNS_OLD = 32,  /* an atomic operation that returns the old values */
  CARD_SCALAR_OPERAND = 64, /* one operand is a scalar */
  CARD_TO_SCALAR = 128,     /* the result goes to scalar code, which waits for it */
};

/* The function of a CARD_VECTOR or CARD_TENSOR record. `op` holds its operation code of
 * bang/table.h, if it has one. */
enum card_function {
  CARD_FN_UNARY = 1, /* op: BANG_UNARY_OP_LIST */
  CARD_FN_BINARY,    /* op: BANG_BINARY_OP_LIST */
  CARD_FN_CYCLE,     /* the same, extra: elements of the cycled operand */
  CARD_FN_BITINDEX,  /* the same, result as bits */
  CARD_FN_PRODUCT,   /* result twice as wide */
  CARD_FN_FUSION,    /* op: mluFusionOpCode */
  CARD_FN_CONVERT,   /* op: rounding */
  CARD_FN_FILL,
  CARD_FN_IOTA,
  CARD_FN_RANDOM,
  CARD_FN_FILTER, /* elements kept: bytes_out */
  CARD_FN_FILTER_BITS,
  CARD_FN_LUT, /* extra: elements of the table */
  CARD_FN_SUM,
  CARD_FN_REDUCE_SUM,
  CARD_FN_ARGMAX,
  CARD_FN_ARGMIN,
  CARD_FN_COUNT,
  CARD_FN_COUNT_BITS,
  CARD_FN_FINDFIRST1,
  CARD_FN_FINDLAST1,
  CARD_FN_MASKMOVE,
  CARD_FN_POOL, /* op: BANG_POOL_*; extra: elements of a window */
  CARD_FN_POOL_INDEX,
  CARD_FN_POOL_BACK, /* avgpool_bp, maxpool_bp, unpool */
  CARD_FN_TRANSPOSE, /* op: bytes of an element; extra: the smaller side */
  CARD_FN_ROTATE,
  CARD_FN_MIRROR,
  CARD_FN_PAD,
  CARD_FN_EXTENSION,
  CARD_FN_RESHAPE_FILTER,
  CARD_FN_MOVE,   /* elements are bytes */
  CARD_FN_GATHER, /* by the compute unit; extra: bytes of an element */
  CARD_FN_SCATTER,
  CARD_FN_REGISTER, /* a function of vector registers (__vv_*) */
  CARD_FN_LIBRARY,  /* any other function of libdevice */
  CARD_FN_MATMUL,
  CARD_FN_CONV,
  CARD_FN_COUNT_OF
};

struct card_scalar {
  uint32_t cycles; /* static schedule of the blocks that ran, waits included */
  uint32_t waits;  /* of these, waits for loads, at CARD_LOAD_TO_USE cycles per load */
  uint32_t nram;   /* loads and stores by memory; the stack is in NRAM */
  uint32_t wram;
  uint32_t sram;
  uint32_t ldram;
  uint32_t gdram_reads;
  uint32_t gdram_writes;
};

/* Load latency of the static schedule. A board with another latency scales `waits`. */
enum { CARD_LOAD_TO_USE = 20 };

struct card_vector {
  uint16_t function; /* enum card_function */
  uint8_t op;
  uint8_t type_in, type_out; /* codes of bang/table.h */
  uint32_t calls;            /* segments, each with its own start; 1 without strides */
  uint64_t elements;         /* of the result, of all segments; of the source for reductions */
  uint64_t bytes_in, bytes_out;
  uint64_t extra; /* see enum card_function */
};

struct card_tensor {
  uint16_t function; /* CARD_FN_MATMUL or CARD_FN_CONV */
  uint8_t type_out, type_in, type_weight;
  uint32_t m, k,
      n; /* m * k * n multiplications; conv: places, elements of a window, channels out */
  uint64_t bytes_in, bytes_out;
};

/* A run is a contiguous piece of memory. Granules are the aligned 64-byte blocks of GDRAM or LDRAM
 * that the runs touch, counted per run. */
struct card_copy {
  uint8_t direction; /* mluMemcpyDirection_t, as the kernel named it */
  uint8_t source;    /* enum card_memory, by the address */
  uint8_t destination;
  uint32_t source_runs, destination_runs;
  uint32_t read_granules;
  uint32_t whole_granules, partial_granules; /* written */
  uint64_t bytes;
};

struct card_atomic {
  uint8_t op;   /* bang/atomic_codes.h */
  uint8_t type; /* bang/table.h */
  uint8_t memory;
  uint32_t elements;
  uint32_t granules;
  uint64_t place; /* first granule; equal for equal addresses of one launch */
};

struct card_sync {
  uint32_t pipes; /* BANG_PIPE_*: a mask */
};

struct card_barrier {
  uint32_t which; /* bangBarrier */
};

struct card_lock {
  uint32_t id;
};

struct card_repeat {
  uint32_t length; /* number of records; a nested repeat counts as one */
  uint64_t count;  /* additional repetitions */
};

struct card_record {
  uint8_t kind;
  uint8_t pipe;
  uint16_t flags;
  uint32_t site; /* index in the launch's sites, 0: not known */
  union {
    struct card_scalar scalar;
    struct card_vector vector;
    struct card_tensor tensor;
    struct card_copy copy;
    struct card_atomic atomic;
    struct card_sync sync;
    struct card_barrier barrier;
    struct card_lock lock;
    struct card_repeat repeat;
  };
};

struct card_log {
  struct card_record *records;
  size_t count;
};

/* Reads a log and expands its repeats. The log must not change while it is read. */
enum { CARD_REPEAT_DEPTH = 8 };
struct card_reader {
  const struct card_log *log;
  size_t next;
  unsigned depth;
  struct {
    size_t repeat; /* index of the repeat record */
    uint64_t left;
  } level[CARD_REPEAT_DEPTH];
};

void card_reader_init(struct card_reader *reader, const struct card_log *log);
/* The next record; NULL at the end. */
const struct card_record *card_reader_next(struct card_reader *reader);

/* A place in a source file. */
struct card_site {
  const char *file;
  const char *function; /* in the kernel's source, not a function of the language */
  uint32_t line;
};

/* The cost of a line's scalar code, over all tasks of a launch. */
struct card_line {
  uint32_t site;
  uint64_t cycles, waits, instructions;
  uint64_t loads, stores; /* of any memory */
  uint64_t gdram_reads, gdram_writes;
};

struct card_task {
  uint32_t x, y, z;
  uint32_t group;   /* tasks of a union share a number, each block task has its own */
  uint32_t cluster; /* in the group */
  uint32_t core;    /* BANG_MPU_CORE_ID: the memory core of its cluster */
  struct card_log log;
};

struct card_launch {
  const char *kernel;
  uint32_t dim[3];
  uint32_t union_clusters; /* 0: block tasks */
  const struct card_task *tasks;
  size_t task_count; /* including memory cores that run the kernel */
  const struct card_site *sites;
  size_t site_count;
  const struct card_line *lines; /* most expensive first */
  size_t line_count;
};

/* An operation of a queue. */
enum card_operation_kind {
  CARD_OP_LAUNCH,
  CARD_OP_COPY,   /* by the host */
  CARD_OP_MEMSET, /* of device memory, by the host */
  CARD_OP_HOST,   /* a host function: takes no time on the card */
};

enum card_host_copy { CARD_HOST_TO_DEVICE, CARD_DEVICE_TO_HOST, CARD_DEVICE_TO_DEVICE, CARD_PEER };

struct card_operation {
  enum card_operation_kind kind;
  unsigned device;
  uint64_t queue; /* number of the queue in the process, by first operation */
  uint64_t start; /* ps, of the queue's clock */
  union {
    const struct card_launch *launch;
    struct {
      enum card_host_copy kind;
      uint64_t bytes;
    } copy;
    uint64_t memset_bytes;
  };
};

/* Returns how long the operation takes on the board, in ps. Called once per operation, in the order
 * of its queue, by the thread that completes it; several threads may call it at once. What the
 * operation points to is valid only during the call. */
uint64_t card_clock_play(const struct card_operation *operation);

#endif /* CARD_EVENTS_H_ */

/* SPDX-License-Identifier: MIT
 *
 * The copy engine of a core. An asynchronous copy is only recorded, and its source is fetched
 * ahead; the next sync of its pipe does the recorded copies. Loads and stores that a ping-pong
 * kernel has in flight together are done together, a few lines of the one and a few of the other,
 * so that reading and writing memory overlap as the DMA of the card overlaps them. A kernel that
 * forgets the sync reads what was there before, here as on the card. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "bang_runtime.h"
#include "cn_api.h"
#include "copy/ahead.h"
#include "copy/direct.h"
#include "copy/directions.h"
#include "copy/engine.h"
#include "copy/engine_state.h"
#include "copy/execute.h"
#include "copy/prefetch.h"
#include "copy/traced.h"
#include "runtime/cluster_copies.h"
#include "runtime/trace.h"

/* As every copy reads it: found without a call. */
extern __thread int __bang_coreId __attribute__((tls_model("initial-exec")));

#define EXPORT __attribute__((visibility("default")))

/* Segments of a strided copy from this size on are recorded one by one and can be interleaved. */
#define LONG_SEGMENT_BYTES 256

/* A copy is issued every few dozen nanoseconds, so finding the thread's engine must not take a
 * call. thread_engine() aligns it to a cache line: thread-local variables of a library that is
 * loaded later cannot get that alignment from the linker. */
static __thread char engine_space[sizeof(Engine) + MOVER_LINE - 8]
    __attribute__((tls_model("initial-exec"), aligned(8)));

static inline Engine *thread_engine(void) {
  return (Engine *)(((uintptr_t)engine_space + MOVER_LINE - 1) & ~(uintptr_t)(MOVER_LINE - 1));
}

/* A thread's records are freed when it ends. */
static pthread_key_t engine_key;
static pthread_once_t engine_key_once = PTHREAD_ONCE_INIT;

static void free_records(void *engine_of_thread) {
  Engine *engine = engine_of_thread;
  free(engine->operations);
  free(engine->details);
}

static void make_engine_key(void) {
  pthread_key_create(&engine_key, free_records);
}

static inline void make_ready(Engine *engine) {
  if (engine->mover) return;
  engine->mover = bang_mover();
  engine->is_ready = !engine->traced;
  ahead_begin(engine);
}

static inline int direction_is_known(int dir) {
  if (__builtin_expect(dir >= 0 && dir < DIRECTION_COUNT, 1)) return 1;
  __bang_fault(CN_INVOKE_ERROR_ILLEGAL_OPERAND, "copy direction: wanted 0..%d, got %d",
               DIRECTION_COUNT - 1, dir);
  return 0;
}

EXPORT int __bang_copy_pipe(int dir) {
  return direction_is_known(dir) ? (int)(directions[dir] & BANG_PIPE_ALL) : 0;
}

static inline void drain(Engine *engine, unsigned pipe_mask) {
  if (!(engine->tags & pipe_mask)) return;
  if (__builtin_expect(engine->traced, 0))
    traced_execute(engine, pipe_mask);
  else
    execute_batch(engine, pipe_mask);
}

/* Room for one more element of an array of the engine; 0 after a fault. Operations begin at cache
 * lines: reading one that two lines share, just after it was written, would wait. */
static int grow(Engine *engine, void **array, uint32_t count, uint32_t *capacity, size_t element) {
  if (count < *capacity) return 1;
  const uint32_t larger = *capacity ? 2 * *capacity : 64;
  void *grown = larger > *capacity ? aligned_alloc(MOVER_LINE, larger * element) : NULL;
  if (!grown) {
    __bang_fault(CN_INVOKE_ERROR_OUT_OF_RESOURCES, "no memory to record an asynchronous operation");
    return 0;
  }
  pthread_once(&engine_key_once, make_engine_key);
  pthread_setspecific(engine_key, engine);
  if (count) memcpy(grown, *array, count * element);
  free(*array);
  *array = grown;
  *capacity = larger;
  return 1;
}

static int grow_operations(Engine *engine) {
  return grow(engine, (void **)&engine->operations, engine->capacity, &engine->capacity,
              sizeof(Operation));
}

/* For one more operation, and for the end after it. */
static inline int has_room(const Engine *engine) {
  return __builtin_expect(engine->count + 1 < engine->capacity, 1);
}

static Detail *record_detail(Engine *engine, unsigned tag) {
  if (!grow(engine, (void **)&engine->details, engine->detail_count, &engine->detail_capacity,
            sizeof(Detail)))
    return NULL;
  if (!has_room(engine) && !grow_operations(engine)) return NULL;
  engine->tags |= tag;
  write_operation(engine->operations + engine->count, NULL, NULL, 0, tag);
  engine->operations[engine->count++].detail = (unsigned)engine->detail_count;
  return &engine->details[engine->detail_count++];
}

/* The CPU follows consecutive loads by itself; elsewhere the first lines are on their way when the
 * batch is done. */
static inline void prefetch_load(Engine *engine, const char *src, size_t size) {
  const int is_computed = engine->is_computed;
  const size_t most = is_computed ? COMPUTED_PREFETCH_BYTES : PREFETCH_BYTES;
  size_t ahead = size < most ? size : most;
  if (!is_computed && engine->prefetch_left > ahead) {
    ahead = size < engine->prefetch_left ? size : engine->prefetch_left;
    engine->prefetch_left -= ahead;
  }
  mover_prefetch(src, ahead);
}

static inline void record_run(Engine *engine, char *dst, const char *src, size_t size,
                              unsigned tag);

/* Not inlined: a call here would make every copy save registers. */
static __attribute__((noinline)) void record_run_after_growing(Engine *engine, char *dst,
                                                               const char *src, size_t size,
                                                               unsigned tag) {
  if (grow_operations(engine)) record_run(engine, dst, src, size, tag);
}

/* A load that goes on where the last one ended, in memory and on chip, makes that one longer. A
 * trace shows it by itself. */
static inline int join_load(Engine *engine, const char *dst, const char *src, size_t size,
                            unsigned tag) {
  if (engine->count == 0 || engine->traced) return 0;
  Operation *last = engine->operations + engine->count - 1;
  if (last->tag != (tag | KIND_RUN) || last->src + last->size != src ||
      last->dst + last->size != dst)
    return 0;
  write_operation(last, last->dst, last->src, last->size + size, last->tag);
  return 1;
}

static inline void record_run(Engine *engine, char *dst, const char *src, size_t size,
                              unsigned tag) {
  if (!has_room(engine)) {
    record_run_after_growing(engine, dst, src, size, tag);
    return;
  }
  if (tag & ROUTE_LOAD) {
    const int follows = src == engine->load_end;
    engine->load_end = src + size;
    if (JOINS_LOADS && follows && join_load(engine, dst, src, size, tag)) return;
    if (!follows && !(FOLLOWS_BATCHES && src == engine->last_load_end))
      prefetch_load(engine, src, size);
  } else if (tag & IN_MEMORY) {
    if (engine->direct_bytes < DIRECT_BYTES_RECORDED) direct_fetch(src, size);
    engine->direct_bytes += size;
  }
  engine->tags |= tag | KIND_RUN;
  write_operation(engine->operations + engine->count++, dst, src, size, tag | KIND_RUN);
}

/* The first rows are on their way when the gather is done; the one before fetched some of them. */
static void prefetch_gather(Engine *engine, const RowGather *gather, int64_t fetched) {
  const bangTransfer *t = &gather->transfer;
  const int is_whole = engine->prefetch_left > 0 || gather->rows_ahead > t->count;
  for (int64_t i = fetched, rows = is_whole ? t->count : gather->rows_ahead; i < rows; ++i)
    if (transfer_selects(t, i)) prefetch_load(engine, gather_row(gather, i), (size_t)t->bytes);
}

int bang_copy_engine_gather(const bangTransfer *t) {
  if (t->bytes < LONG_SEGMENT_BYTES || t->count <= 0) return 0;
  Engine *engine = thread_engine();
  make_ready(engine);
  if (__builtin_expect(engine->traced, 0) && !(engine->tags & ROUTE_LOAD))
    traced_issue(engine, ROUTE_LOAD);
  Detail *detail = record_detail(engine, BANG_PIPE_IO | ROUTE_LOAD | KIND_GATHER | CORE_RAM);
  if (!detail) return 1;
  RowGather *gather = &detail->gather;
  const int goes_on = engine->gather_end == t->offset;
  gather_record(gather, t, goes_on);
  prefetch_gather(engine, gather, goes_on ? engine->fetched : 0);
  engine->gather_end = t->offset + t->count;
  engine->fetched = gather->known - t->count;
  return 1;
}

static void record_strided(Engine *engine, const Copy *copy, unsigned tag) {
  if (__builtin_expect(engine->traced, 0) && !(engine->tags & tag & ROUTE_MASK))
    traced_issue(engine, tag);
  if (copy->size >= LONG_SEGMENT_BYTES) {
    for (CopyCursor c = copy_begin(copy); !copy_at_end(&c); copy_next(&c))
      record_run(engine, c.dst, c.src, copy->size, tag);
    return;
  }
  Detail *detail = record_detail(engine, tag | KIND_STRIDED);
  if (detail) detail->copy = *copy;
}

/* Returns 0 after a fault. */
static int make_copy(Copy *copy, void *dst, const void *src, size_t size,
                     const bangCopyShape *shape) {
  copy->dst = dst;
  copy->src = src;
  copy->size = size;
  copy->dst_side = (CopySide){shape->dst_stride0, shape->dst_stride1, shape->dst_segnum1 + 1};
  copy->src_side = (CopySide){shape->src_stride0, shape->src_stride1, shape->src_segnum1 + 1};
  copy->count = copy->dst_side.segments * (shape->dst_segnum2 + 1);
  size_t src_count = copy->src_side.segments * (shape->src_segnum2 + 1);
  if (copy->count == src_count) return 1;
  __bang_fault(CN_INVOKE_ERROR_ILLEGAL_OPERAND,
               "copy of %zu target segments from %zu source segments", copy->count, src_count);
  return 0;
}

/* Not inlined, because its registers would slow down the common copy. */
static __attribute__((noinline)) void copy_otherwise(void *dst, const void *src, size_t size,
                                                     unsigned tag, const bangCopyShape *shape,
                                                     int is_async) {
  Engine *engine = thread_engine();
  Copy copy;
  if (shape && !make_copy(&copy, dst, src, size, shape)) return;
  if (is_async) {
    record_strided(engine, &copy, tag);
    return;
  }
  drain(engine, tag & BANG_PIPE_ALL);
  engine->streamed |= tag & ROUTE_STORE;
  const uint64_t begin = __builtin_expect(engine->traced, 0) ? rt_now_ns() : 0;
  if (shape)
    execute_strided(engine, &copy, tag);
  else
    move_run(engine, dst, src, size, tag);
  if (__builtin_expect(engine->traced, 0))
    traced_copy(tag, begin, shape ? copy.size * copy.count : size);
}

static void record_or_copy(void *dst, const void *src, size_t size, unsigned tag,
                           const bangCopyShape *shape, int is_async) {
  Engine *engine = thread_engine();
  if (!is_async || shape) {
    copy_otherwise(dst, src, size, tag, shape, is_async);
    return;
  }
  if (engine->traced && !(engine->tags & tag & ROUTE_MASK)) traced_issue(engine, tag);
  record_run(engine, dst, src, size, tag);
}

/* All cores of a cluster may issue it; the first that does carries it out. */
static __attribute__((noinline)) void copy_of_cluster(void *dst, const void *src, size_t size,
                                                      int dir, const bangCopyShape *shape,
                                                      int is_async) {
  struct rt_copy_key key = {.dst = dst, .src = src, .size = size, .direction = (size_t)dir};
  if (shape) key.shape = *shape;
  const unsigned tag = directions[dir];
  switch (rt_cluster_copy_begin(&key)) {
    case RT_COPY_ISSUED:
      return;
    case RT_COPY_MINE:
      copy_otherwise(dst, src, size, tag, shape, 0);
      rt_cluster_copy_end();
      return;
    default:
      record_or_copy(dst, src, size, tag, shape, is_async);
  }
}

/* Every copy that is not a single run to be recorded. */
static __attribute__((noinline)) void copy_rarely(void *dst, const void *src, size_t size, int dir,
                                                  const bangCopyShape *shape, int is_async) {
  Engine *engine = thread_engine();
  make_ready(engine);
  const unsigned tag = directions[dir];
  if (tag & AT_ONCE) is_async = 0;
  if (tag & OF_CLUSTER) {
    copy_of_cluster(dst, src, size, dir, shape, is_async);
  } else {
    record_or_copy(dst, src, size, tag, shape, is_async);
  }
}

/* The common copy needs no call, and so saves no registers. */
EXPORT void __bang_copy(void *dst, const void *src, size_t size, int dir,
                        const bangCopyShape *shape, int is_async) {
  if (size == 0 || !direction_is_known(dir)) return;
  Engine *engine = thread_engine();
  const unsigned tag = directions[dir];
  /* A kernel need not ask where it runs before it touches NRAM: a memory core passes over it. */
  if ((tag & CORE_RAM) && __bang_coreId == BANG_MPU_CORE_ID) return;
  if (__builtin_expect(!is_async || shape || (tag & (AT_ONCE | OF_CLUSTER)) || !engine->is_ready,
                       0))
    copy_rarely(dst, src, size, dir, shape, is_async);
  else
    record_run(engine, dst, src, size, tag);
}

EXPORT void __bang_defer(int pipe, void (*fn)(const void *args), const void *args, size_t size) {
  if (size > DEFERRED_ARGS_BYTES) {
    __bang_fault(CN_INVOKE_ERROR_ILLEGAL_OPERAND,
                 "deferred operation: wanted at most %d bytes of arguments, got %zu",
                 DEFERRED_ARGS_BYTES, size);
    return;
  }
  Engine *engine = thread_engine();
  make_ready(engine);
  Detail *detail =
      record_detail(engine, (unsigned)(pipe & BANG_PIPE_ALL) | ROUTE_LOCAL | KIND_CALL);
  if (!detail) return;
  detail->call.fn = fn;
  memcpy(detail->call.args, args, size);
}

EXPORT void __bang_sync_pipes(int pipe_mask) {
  drain(thread_engine(), (unsigned)pipe_mask & BANG_PIPE_ALL);
}

EXPORT void __bang_copy_engine_reset(void) {
  forget_all(thread_engine());
}

void bang_copy_engine_trace(int traced) {
  Engine *engine = thread_engine();
  engine->traced = traced;
  engine->is_ready = engine->mover && !traced;
}

EXPORT void __bang_copy_engine_finish(void) {
  Engine *engine = thread_engine();
  drain(engine, BANG_PIPE_ALL);
  if (engine->streamed) {
    engine->mover->fence();
    engine->streamed = 0;
  }
}

/* SPDX-License-Identifier: MIT */
#include "copy/traced.h"

#include "copy/execute.h"
#include "runtime/trace.h"

/* What a traced batch holds, before it is forgotten. */
typedef struct Traffic {
  uint64_t bytes, count;
} Traffic;

static uint64_t bytes_of(const Engine *engine, const Operation *op) {
  if (op->tag & KIND_RUN) return op->size;
  const Detail *detail = &engine->details[op->detail];
  if (op->tag & KIND_STRIDED) return detail->copy.size * detail->copy.count;
  if (!(op->tag & KIND_GATHER)) return 0;
  uint64_t rows = 0;
  for (int64_t i = 0; i < detail->gather.transfer.count; ++i)
    rows += (uint64_t)transfer_selects(&detail->gather.transfer, i);
  return rows * (uint64_t)detail->gather.transfer.bytes;
}

static Traffic traffic_of(const Engine *engine, unsigned pipe_mask, unsigned route) {
  Traffic traffic = {0, 0};
  for (size_t i = 0; i < engine->count; ++i) {
    const Operation *op = &engine->operations[i];
    if (!(op->tag & pipe_mask) || !(op->tag & route)) continue;
    traffic.bytes += bytes_of(engine, op);
    ++traffic.count;
  }
  return traffic;
}

void traced_execute(Engine *engine, unsigned pipe_mask) {
  const Traffic load = traffic_of(engine, pipe_mask, ROUTE_LOAD);
  const Traffic store = traffic_of(engine, pipe_mask, ROUTE_STORE);
  const Traffic local = traffic_of(engine, pipe_mask, ROUTE_LOCAL);
  const uint64_t begin = rt_now_ns();
  execute_batch(engine, pipe_mask);
  const uint64_t end = rt_now_ns();
  rt_trace_span(RT_TRACE_WAIT, begin, end, load.bytes + store.bytes + local.bytes,
                load.count + store.count + local.count);
  if (load.count) rt_trace_span(RT_TRACE_LOAD, engine->load_issued_ns, end, load.bytes, load.count);
  if (store.count)
    rt_trace_span(RT_TRACE_STORE, engine->store_issued_ns, end, store.bytes, store.count);
  if (local.count) rt_trace_span(RT_TRACE_MOVE, begin, end, local.bytes, local.count);
}

void traced_issue(Engine *engine, unsigned tag) {
  if (tag & ROUTE_LOAD)
    engine->load_issued_ns = rt_now_ns();
  else
    engine->store_issued_ns = rt_now_ns();
}

void traced_copy(unsigned tag, uint64_t begin, uint64_t bytes) {
  const uint64_t end = rt_now_ns();
  rt_trace_span(RT_TRACE_WAIT, begin, end, bytes, 1);
  rt_trace_span(tag & ROUTE_LOAD    ? RT_TRACE_LOAD
                : tag & ROUTE_STORE ? RT_TRACE_STORE
                                    : RT_TRACE_MOVE,
                begin, end, bytes, 1);
}

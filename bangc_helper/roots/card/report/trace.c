/* SPDX-License-Identifier: MIT */
#include "report/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/text.h"

enum {
  MAX_SPANS = 400000, /* some 50 MB; viewers get slow with more */
  LANES_PER_CORE = 8, /* thread ids per core; each pipe is a thread of the trace */
  CORES_PER_DEVICE = 256,
};

struct trace {
  FILE *file;
  const struct card_board *board;
  unsigned device;
  int64_t offset;
  size_t spans, left_out;
  bool *known_cores; /* cores whose names have been written */
  bool is_first;
};

static void begin_event(struct trace *trace) {
  fputs(trace->is_first ? "\n" : ",\n", trace->file);
  trace->is_first = false;
}

/* Picoseconds as microseconds, not rounded. */
static void write_time(struct trace *trace, const char *name, int64_t ps) {
  fprintf(trace->file, ",\"%s\":%" PRId64 ".%06" PRId64, name, ps / 1000000, ps % 1000000);
}

static void write_name(struct trace *trace, unsigned process, int thread, const char *name) {
  begin_event(trace);
  fprintf(trace->file, "{\"ph\":\"M\",\"name\":\"%s\",\"pid\":%u",
          thread < 0 ? "process_name" : "thread_name", process);
  if (thread >= 0) fprintf(trace->file, ",\"tid\":%d", thread);
  fputs(",\"args\":{\"name\":", trace->file);
  text_json(trace->file, name);
  fputs("}}", trace->file);
}

struct trace *trace_open(const char *path, const struct card_board *board) {
  struct trace *trace = calloc(1, sizeof *trace);
  bool *known = calloc((size_t)64 * CORES_PER_DEVICE, sizeof *known);
  FILE *file = fopen(path, "w");
  if (trace == NULL || known == NULL || file == NULL) {
    free(trace);
    free(known);
    if (file != NULL) fclose(file);
    return NULL;
  }
  *trace = (struct trace){.file = file, .board = board, .known_cores = known, .is_first = true};
  fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", file);
  return trace;
}

void trace_begin(struct trace *trace, unsigned device, int64_t start) {
  if (trace == NULL) return;
  trace->device = device % 64;
  trace->offset = start;
}

static unsigned process_of(const struct trace *trace, uint32_t core) {
  return 1 + trace->device * CORES_PER_DEVICE + core % CORES_PER_DEVICE;
}

static void name_core(struct trace *trace, uint32_t core) {
  const unsigned process = process_of(trace, core);
  if (trace->known_cores[process - 1]) return;
  trace->known_cores[process - 1] = true;
  const uint32_t in_cluster = (uint32_t)trace->board->cores_per_cluster + 1;
  char name[64];
  if (core % in_cluster == in_cluster - 1) {
    snprintf(name, sizeof name, "device %u cluster %" PRIu32 " memory core", trace->device,
             core / in_cluster);
  } else {
    snprintf(name, sizeof name, "device %u cluster %" PRIu32 " core %" PRIu32, trace->device,
             core / in_cluster, core % in_cluster);
  }
  write_name(trace, process, -1, name);
  for (int i = 0; i < CARD_PIPE_COUNT; ++i) {
    write_name(trace, process, i, card_pipe_name((enum card_pipe)i));
  }
}

static const char *span_name(const struct card_record *record) {
  switch (record->kind) {
    case CARD_SCALAR:
      return "scalar code";
    case CARD_VECTOR:
      return "vector";
    case CARD_TENSOR:
      return "tensor";
    default:
      return "copy";
  }
}

static uint64_t span_bytes(const struct card_record *record) {
  switch (record->kind) {
    case CARD_VECTOR:
      return record->vector.bytes_out;
    case CARD_TENSOR:
      return record->tensor.bytes_out;
    case CARD_COPY:
      return record->copy.bytes;
    default:
      return 0;
  }
}

void trace_span(struct trace *trace, uint32_t core, enum card_pipe pipe, int64_t start, int64_t end,
                const struct card_record *record, const struct card_site *site) {
  if (trace == NULL) return;
  if (trace->spans == MAX_SPANS) {
    ++trace->left_out;
    return;
  }
  ++trace->spans;
  name_core(trace, core);
  begin_event(trace);
  fprintf(trace->file, "{\"ph\":\"X\",\"name\":\"%s\",\"pid\":%u,\"tid\":%d", span_name(record),
          process_of(trace, core), pipe);
  write_time(trace, "ts", trace->offset + start);
  write_time(trace, "dur", end - start);
  const char *slash = strrchr(site->file, '/');
  fputs(",\"args\":{\"file\":", trace->file);
  text_json(trace->file, slash != NULL ? slash + 1 : site->file);
  fprintf(trace->file, ",\"line\":%" PRIu32 ",\"bytes\":%" PRIu64 "}}", site->line,
          span_bytes(record));
}

void trace_rate(struct trace *trace, int64_t start, int64_t rate) {
  if (trace == NULL || trace->spans == MAX_SPANS) return;
  begin_event(trace);
  fprintf(trace->file, "{\"ph\":\"C\",\"name\":\"device memory, GB/s\",\"pid\":0");
  write_time(trace, "ts", trace->offset + start);
  fprintf(trace->file, ",\"args\":{\"rate\":%" PRId64 ".%06" PRId64 "}}", rate / 1000000,
          rate % 1000000);
}

void trace_operation(struct trace *trace, unsigned device, uint64_t queue, const char *name,
                     int64_t start, int64_t duration) {
  if (trace == NULL) return;
  begin_event(trace);
  fputs("{\"ph\":\"X\",\"name\":", trace->file);
  text_json(trace->file, name);
  fprintf(trace->file, ",\"pid\":0,\"tid\":%" PRIu64, 1000 * (uint64_t)device + queue);
  write_time(trace, "ts", start);
  write_time(trace, "dur", duration);
  fputs("}", trace->file);
}

void trace_close(struct trace *trace) {
  if (trace == NULL) return;
  write_name(trace, 0, -1, "queues");
  fprintf(trace->file, "\n],\"otherData\":{\"board\":");
  text_json(trace->file, trace->board->name);
  fprintf(trace->file, ",\"spans left out\":%zu}}\n", trace->left_out);
  fclose(trace->file);
  free(trace->known_cores);
  free(trace);
}

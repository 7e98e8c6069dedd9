/* SPDX-License-Identifier: MIT */
#include "record_text.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bang/table.h"
#include "bang_runtime.h"
#include "common.h"

static const char *const kinds[] = {
    [CARD_SCALAR] = "scalar",   [CARD_VECTOR] = "vector", [CARD_TENSOR] = "tensor",
    [CARD_COPY] = "copy",       [CARD_ATOMIC] = "atomic", [CARD_SYNC] = "sync",
    [CARD_BARRIER] = "barrier", [CARD_LOCK] = "lock",     [CARD_UNLOCK] = "unlock",
    [CARD_REPEAT] = "repeat"};
static const char *const pipes[] = {"scalar", "vector", "tensor", "io", "move"};
static const char *const memories[] = {"none",  "nram",  "wram",  "sram",
                                       "ldram", "gdram", "stack", "other"};
static const char *const functions[CARD_FN_COUNT_OF] = {
    [CARD_FN_UNARY] = "unary",
    [CARD_FN_BINARY] = "binary",
    [CARD_FN_CYCLE] = "cycle",
    [CARD_FN_BITINDEX] = "bitindex",
    [CARD_FN_PRODUCT] = "product",
    [CARD_FN_FUSION] = "fusion",
    [CARD_FN_CONVERT] = "convert",
    [CARD_FN_FILL] = "fill",
    [CARD_FN_IOTA] = "iota",
    [CARD_FN_RANDOM] = "random",
    [CARD_FN_FILTER] = "filter",
    [CARD_FN_FILTER_BITS] = "filter_bits",
    [CARD_FN_LUT] = "lut",
    [CARD_FN_SUM] = "sum",
    [CARD_FN_REDUCE_SUM] = "reduce_sum",
    [CARD_FN_ARGMAX] = "argmax",
    [CARD_FN_ARGMIN] = "argmin",
    [CARD_FN_COUNT] = "count",
    [CARD_FN_COUNT_BITS] = "count_bits",
    [CARD_FN_FINDFIRST1] = "findfirst1",
    [CARD_FN_FINDLAST1] = "findlast1",
    [CARD_FN_MASKMOVE] = "maskmove",
    [CARD_FN_POOL] = "pool",
    [CARD_FN_POOL_INDEX] = "pool_index",
    [CARD_FN_POOL_BACK] = "pool_back",
    [CARD_FN_TRANSPOSE] = "transpose",
    [CARD_FN_ROTATE] = "rotate",
    [CARD_FN_MIRROR] = "mirror",
    [CARD_FN_PAD] = "pad",
    [CARD_FN_EXTENSION] = "extension",
    [CARD_FN_RESHAPE_FILTER] = "reshape_filter",
    [CARD_FN_MOVE] = "move",
    [CARD_FN_GATHER] = "gather",
    [CARD_FN_SCATTER] = "scatter",
    [CARD_FN_REGISTER] = "register",
    [CARD_FN_LIBRARY] = "library",
    [CARD_FN_MATMUL] = "matmul",
    [CARD_FN_CONV] = "conv",
};
static const char *const types[] = {
#define TYPE_NAME(code, tag, type) #tag,
    BANG_TYPE_LIST(TYPE_NAME)
#undef TYPE_NAME
        "tf32"};
static const struct {
  unsigned flag;
  const char *name;
} flags[] = {{CARD_ASYNC, "async"},           {CARD_OTHER_CLUSTER, "other_cluster"},
             {CARD_BY_OFFSETS, "by_offsets"}, {CARD_FILL, "fill"},
             {CARD_SHARED, "shared"},         {CARD_RETURNS_OLD, "returns_old"},
             {CARD_SCALAR_OPERAND, "scalar"}, {CARD_TO_SCALAR, "to_scalar"}};

static void print_place(FILE *file, const struct card_launch *launch, uint32_t site) {
  if (site != 0 && site < launch->site_count) {
    const char *slash = strrchr(launch->sites[site].file, '/');
    fprintf(file, " @%s:%" PRIu32, slash != NULL ? slash + 1 : launch->sites[site].file,
            launch->sites[site].line);
  }
}

static void print_scalar(FILE *file, const struct card_scalar *s) {
  fprintf(file, " cycles=%" PRIu32 " waits=%" PRIu32, s->cycles, s->waits);
  const struct {
    const char *name;
    uint32_t value;
  } counts[] = {{"nram", s->nram},
                {"wram", s->wram},
                {"sram", s->sram},
                {"ldram", s->ldram},
                {"gdram_reads", s->gdram_reads},
                {"gdram_writes", s->gdram_writes}};
  for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); ++i) {
    if (counts[i].value != 0) {
      fprintf(file, " %s=%" PRIu32, counts[i].name, counts[i].value);
    }
  }
}

static void print_copy(FILE *file, const struct card_copy *c) {
  fprintf(file,
          " %s>%s bytes=%" PRIu64 " runs=%" PRIu32 ">%" PRIu32 " read=%" PRIu32 " whole=%" PRIu32
          " partial=%" PRIu32,
          memories[c->source], memories[c->destination], c->bytes, c->source_runs,
          c->destination_runs, c->read_granules, c->whole_granules, c->partial_granules);
}

static void print_record(FILE *file, const struct card_launch *launch,
                         const struct card_record *r) {
  fprintf(file, "  %s", kinds[r->kind]);
  switch (r->kind) {
    case CARD_SCALAR:
      print_scalar(file, &r->scalar);
      break;
    case CARD_VECTOR:
      fprintf(file,
              " %s op=%u %s>%s n=%" PRIu64 " in=%" PRIu64 " out=%" PRIu64 " extra=%" PRIu64
              " calls=%" PRIu32,
              functions[r->vector.function], r->vector.op, types[r->vector.type_in],
              types[r->vector.type_out], r->vector.elements, r->vector.bytes_in,
              r->vector.bytes_out, r->vector.extra, r->vector.calls);
      break;
    case CARD_TENSOR:
      fprintf(file, " %s %s*%s>%s m=%" PRIu32 " k=%" PRIu32 " n=%" PRIu32,
              functions[r->tensor.function], types[r->tensor.type_in], types[r->tensor.type_weight],
              types[r->tensor.type_out], r->tensor.m, r->tensor.k, r->tensor.n);
      break;
    case CARD_COPY:
      fprintf(file, " %s", pipes[r->pipe]);
      print_copy(file, &r->copy);
      break;
    case CARD_ATOMIC:
      fprintf(file, " op=%u %s %s n=%" PRIu32 " granules=%" PRIu32, r->atomic.op,
              types[r->atomic.type], memories[r->atomic.memory], r->atomic.elements,
              r->atomic.granules);
      break;
    case CARD_SYNC:
      fprintf(file, " pipes=%" PRIu32, r->sync.pipes);
      break;
    case CARD_BARRIER:
      fprintf(file, " which=%" PRIu32, r->barrier.which);
      break;
    case CARD_REPEAT:
      fprintf(file, " length=%" PRIu32 " count=%" PRIu64, r->repeat.length, r->repeat.count);
      break;
    default:
      fprintf(file, " id=%" PRIu32, r->lock.id);
  }
  for (size_t i = 0; i < sizeof(flags) / sizeof(*flags); ++i) {
    if ((r->flags & flags[i].flag) != 0) {
      fprintf(file, " %s", flags[i].name);
    }
  }
  print_place(file, launch, r->site);
  fputc('\n', file);
}

static void print_launch(FILE *file, const struct card_launch *launch, uint64_t duration) {
  fprintf(file,
          "launch %s dim=%" PRIu32 ",%" PRIu32 ",%" PRIu32 " union=%" PRIu32 " ps=%" PRIu64 "\n",
          launch->kernel, launch->dim[0], launch->dim[1], launch->dim[2], launch->union_clusters,
          duration);
  for (size_t t = 0; t < launch->task_count; ++t) {
    const struct card_task *task = &launch->tasks[t];
    fprintf(file,
            " task %" PRIu32 ",%" PRIu32 ",%" PRIu32 " group=%" PRIu32 " cluster=%" PRIu32
            " core=%" PRIu32 "\n",
            task->x, task->y, task->z, task->group, task->cluster, task->core);
    for (size_t i = 0; i < task->log.count; ++i) {
      print_record(file, launch, &task->log.records[i]);
    }
  }
  for (size_t i = 0; i < launch->line_count; ++i) {
    const struct card_line *line = &launch->lines[i];
    fprintf(file,
            " line cycles=%" PRIu64 " waits=%" PRIu64 " instructions=%" PRIu64 " loads=%" PRIu64
            " stores=%" PRIu64,
            line->cycles, line->waits, line->instructions, line->loads, line->stores);
    print_place(file, launch, line->site);
    fputc('\n', file);
  }
}

void card_write_records(const struct card_launch *launch, uint64_t duration) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  const char *path = getenv("MLUOP_CARD_RECORDS");
  if (path == NULL || *path == 0) {
    return;
  }
  pthread_mutex_lock(&lock);
  FILE *file = fopen(path, "ae");
  if (file == NULL) {
    rt_warn("MLUOP_CARD_RECORDS: cannot write '%s'", path);
  } else {
    print_launch(file, launch, duration);
    fclose(file);
  }
  pthread_mutex_unlock(&lock);
}

/* SPDX-License-Identifier: MIT
 *
 * top_k_top_p_sample for logits of several shapes, compared with one streaming read of the logits
 * and with a sampler that uses a partial sort, in one interleaved run per kind of logits.
 *
 * Before that, the gain from sharing one row between two cores: the same calls alternate on devices
 * with one and with two cores, timed from the call to the end of the wait and from notifier to
 * notifier, together with the gain of a second core for a loop that never waits. Exits with 1 if a
 * result differs from the reference. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "bench_library.h"
#include "bench_turns.h"
#include "test/common/ref_float.h"
#include "top_k_top_p_sample_ref.h"

typedef struct Options {
  int batch, vocab, rounds, rivals, shared;
  int peer; /* vocab of the rows of a peer process; 0: this is not a peer */
} Options;

static int parse_options(int argc, char **argv, Options *o) {
  const BenchOption options[] = {{"batch", &o->batch, 1},   {"vocab", &o->vocab, 1},
                                 {"rounds", &o->rounds, 1}, {"rivals", &o->rivals, 0},
                                 {"shared", &o->shared, 0}, {"peer", &o->peer, 0}};
  return bench_parse(argc, argv, options, sizeof options / sizeof options[0], "");
}

/* ---- logits ---- */

typedef struct Logits {
  const char *name;
  double mean, deviation;
} Logits;

static const Logits kinds[] = {{"normal, std 1", 0, 1},
                               {"normal, std 2.5", 0, 2.5},
                               {"normal, std 5", 0, 5},
                               {"flat, std 0.001", 10, 0.001},
                               {"flat, all equal", 1.5, 0}};

static double uniform(uint64_t *state) {
  return ((double)(bench_random(state) >> 11) + 0.5) * 0x1p-53;
}

static double normal(uint64_t *state) {
  double radius = sqrt(-2 * log(uniform(state)));
  return radius * cos(6.283185307179586 * uniform(state));
}

/* One table of Gaussian numbers serves all kinds. */
static void fill_logits(void *logits, mluOpDataType_t dtype, const float *normals, size_t n,
                        const Logits *kind) {
  for (size_t i = 0; i < n; ++i) {
    float x = (float)(kind->mean + kind->deviation * normals[i]);
    if (dtype == MLUOP_DTYPE_FLOAT)
      ((float *)logits)[i] = x;
    else
      ((uint16_t *)logits)[i] = ref_float_to_bfloat16(x);
  }
}

/* ---- contenders ---- */

typedef struct Data {
  mluOpDataType_t dtype;
  int64_t batch, vocab;
  size_t logits_bytes;
  void *logits;
  float *q;
  void *device_logits, *device_q;
} Data;

static volatile uint64_t read_result;

static void read_part(int index, int threads, void *arg) {
  const Data *data = arg;
  int64_t begin, end;
  bench_range((int64_t)(data->logits_bytes / 64), index, threads, &begin, &end);
  const uint64_t *words = (const uint64_t *)data->logits;
  uint64_t sum[8] = {0};
  for (int64_t i = begin * 8; i < end * 8; i += 8)
    for (int j = 0; j < 8; ++j) sum[j] += words[i + j];
  uint64_t total = 0;
  for (int j = 0; j < 8; ++j) total += sum[j];
  read_result = total;
}

static void run_read(void *arg) {
  bench_parallel(read_part, arg);
}

typedef struct OurCall {
  const char *name;
  int k;
  float p;
  int has_noise, has_logits;
  BenchLibrary *library;
  const Data *data;
  mluOpTensorDescriptor_t logits_desc, matrix_desc, k_desc, p_desc, index_desc;
  int32_t *top_k; /* host memory, for the reference */
  void *top_p;
  void *device_top_k, *device_top_p, *workspace;
  size_t workspace_size;
  void *index, *filtered; /* device memory */
} OurCall;

static mluOpStatus_t call_ours(const OurCall *c) {
  const Data *d = c->data;
  return mluOpTopKTopPSample(
      c->library->handle, c->logits_desc, d->device_logits, c->k_desc, c->device_top_k, c->p_desc,
      c->device_top_p, c->has_noise ? c->matrix_desc : NULL, c->has_noise ? d->device_q : NULL,
      1e-8f, c->has_logits, 32, c->workspace, c->workspace_size, c->index_desc, c->index,
      c->has_logits ? c->matrix_desc : NULL, c->has_logits ? c->filtered : NULL);
}

static void run_ours(void *arg) {
  OurCall *c = arg;
  bench_library_finish(c->library, call_ours(c));
}

/* A sampler as one would write it with std::partial_sort: softmax, then longer and longer partial
 * sorts until they hold the mass. */
typedef struct Token {
  float weight;
  int32_t id;
} Token;

typedef struct PartialSortCall {
  const Data *data;
  float p;
  int64_t *index;
  Token *tokens; /* vocab tokens per thread */
} PartialSortCall;

static int is_before(Token a, Token b) {
  return a.weight > b.weight || (a.weight == b.weight && a.id < b.id);
}

/* A heap with the worst of its tokens on top. */
static void sift_down(Token *heap, int64_t n, int64_t i) {
  Token token = heap[i];
  for (int64_t child; (child = 2 * i + 1) < n; i = child) {
    if (child + 1 < n && is_before(heap[child], heap[child + 1])) ++child;
    if (!is_before(token, heap[child])) break;
    heap[i] = heap[child];
  }
  heap[i] = token;
}

static void partial_sort(Token *tokens, int64_t middle, int64_t n) {
  for (int64_t i = middle / 2 - 1; i >= 0; --i) sift_down(tokens, middle, i);
  for (int64_t i = middle; i < n; ++i) {
    if (!is_before(tokens[i], tokens[0])) continue;
    Token token = tokens[0];
    tokens[0] = tokens[i];
    tokens[i] = token;
    sift_down(tokens, middle, 0);
  }
  for (int64_t end = middle - 1; end > 0; --end) {
    Token token = tokens[0];
    tokens[0] = tokens[end];
    tokens[end] = token;
    sift_down(tokens, end, 0);
  }
}

static float logit(const Data *data, int64_t i) {
  return data->dtype == MLUOP_DTYPE_FLOAT
             ? ((const float *)data->logits)[i]
             : ref_bfloat16_to_float(((const uint16_t *)data->logits)[i]);
}

static void partial_sort_part(int index, int threads, void *arg) {
  const PartialSortCall *c = arg;
  const Data *d = c->data;
  Token *tokens = c->tokens + index * d->vocab;
  int64_t begin, end;
  bench_range(d->batch, index, threads, &begin, &end);
  for (int64_t b = begin; b < end; ++b) {
    float largest = -INFINITY;
    double total = 0;
    for (int64_t v = 0; v < d->vocab; ++v) {
      const float x = logit(d, b * d->vocab + v);
      if (x > largest) largest = x;
    }
    for (int64_t v = 0; v < d->vocab; ++v) {
      tokens[v] = (Token){expf(logit(d, b * d->vocab + v) - largest), (int32_t)v};
      total += tokens[v].weight;
    }
    int64_t sorted = 0, kept = 0;
    double before = 0;
    while (kept < d->vocab && before < c->p * total) {
      if (kept == sorted) {
        int64_t more = sorted ? 2 * sorted : 256;
        if (sorted + more > d->vocab) more = d->vocab - sorted;
        partial_sort(tokens + sorted, more, d->vocab - sorted);
        sorted += more;
      }
      before += tokens[kept++].weight;
    }
    float best = -1;
    for (int64_t i = 0; i < kept; ++i) {
      float score = tokens[i].weight / (fabsf(d->q[b * d->vocab + i]) + 1e-8f);
      if (score <= best) continue;
      best = score;
      c->index[b] = tokens[i].id;
    }
  }
}

static void run_partial_sort(void *arg) {
  bench_parallel(partial_sort_part, arg);
}

/* ---- set-up ---- */

static void prepare(OurCall *c, BenchLibrary *library, const Data *data, void *filtered) {
  const int64_t shape[2] = {data->batch, data->vocab};
  c->library = library;
  c->data = data;
  c->logits_desc = bench_describe(library, data->dtype, 2, shape);
  c->matrix_desc = bench_describe(library, MLUOP_DTYPE_FLOAT, 2, shape);
  c->k_desc = bench_describe(library, MLUOP_DTYPE_INT32, 1, shape);
  c->p_desc = bench_describe(library, data->dtype, 1, shape);
  c->index_desc = bench_describe(library, MLUOP_DTYPE_INT64, 1, shape);
  c->top_k = bench_alloc((size_t)data->batch * sizeof(int32_t));
  c->top_p = bench_alloc((size_t)data->batch * sizeof(float));
  c->index = bench_device_alloc(library, (size_t)data->batch * sizeof(int64_t));
  c->filtered = filtered;
  for (int64_t b = 0; b < data->batch; ++b) {
    c->top_k[b] = c->k;
    if (data->dtype == MLUOP_DTYPE_FLOAT)
      ((float *)c->top_p)[b] = c->p;
    else
      ((uint16_t *)c->top_p)[b] = ref_float_to_bfloat16(c->p);
  }
  c->device_top_k = bench_to_device(library, c->top_k, (size_t)data->batch * sizeof(int32_t));
  c->device_top_p = bench_to_device(library, c->top_p, (size_t)data->batch * sizeof(float));
  bench_library_finish(library, mluOpGetTopKTopPSampleWorkspaceSize(library->handle, c->logits_desc,
                                                                    &c->workspace_size));
  c->workspace = bench_device_alloc(library, c->workspace_size);
}

/* Counts rows that differ from the reference although the answer is unambiguous. */
static int wrong_rows(const OurCall *c) {
  enum { ROWS = 2 }; /* the reference sorts, so two rows are enough */
  const Data *d = c->data;
  int64_t index[ROWS], found[ROWS];
  double margins[ROWS];
  int64_t rows = d->batch < ROWS ? d->batch : ROWS;
  TopKTopPSampleCall reference = {.dtype = d->dtype,
                                  .batch = rows,
                                  .vocab = d->vocab,
                                  .logits = d->logits,
                                  .top_k = c->top_k,
                                  .top_p = c->top_p,
                                  .q = c->has_noise ? d->q : NULL,
                                  .eps = 1e-8f,
                                  .index = index,
                                  .margins = margins};
  if (top_k_top_p_sample_ref(&reference) != 0 ||
      cnrtMemcpy(found, c->index, (size_t)rows * sizeof *found, cnrtMemcpyDevToHost) != cnrtSuccess)
    return (int)rows;
  int wrong = 0;
  for (int64_t b = 0; b < rows; ++b) wrong += index[b] != found[b] && margins[b] > 1e-5;
  return wrong;
}

/* ---- the run for one kind of logits ---- */

static int run_kind(Data *data, const Options *o, const Logits *kind, const float *normals,
                    void *filtered, Token *tokens) {
  OurCall calls[] = {
      {.name = "k 50, p 0.9, noise", .k = 50, .p = 0.9f, .has_noise = 1},
      {.name = "k 50, p 0.9", .k = 50, .p = 0.9f},
      {.name = "k 1024, p 0.9, noise", .k = 1024, .p = 0.9f, .has_noise = 1},
      {.name = "p 0.9, noise", .k = 0, .p = 0.9f, .has_noise = 1},
      {.name = "p 0.9", .k = 0, .p = 0.9f},
      {.name = "noise only", .k = 0, .p = 1, .has_noise = 1},
      {.name = "p 0.9, noise, logits", .k = 0, .p = 0.9f, .has_noise = 1, .has_logits = 1}};
  enum { CALLS = sizeof calls / sizeof calls[0] };
  BenchContender contenders[CALLS + 2] = {{"one streaming read", run_read, data}};
  BenchTime times[CALLS + 2];
  BenchLibrary library; /* for this kind of logits; its calls are released with it */
  bench_library_open(&library);
  fill_logits(data->logits, data->dtype, normals, (size_t)(data->batch * data->vocab), kind);
  cnrtMemcpy(data->device_logits, data->logits, data->logits_bytes, cnrtMemcpyHostToDev);
  for (int i = 0; i < CALLS; ++i) {
    prepare(&calls[i], &library, data, filtered);
    contenders[1 + i] = (BenchContender){calls[i].name, run_ours, &calls[i]};
  }
  bench_interleaved(contenders, CALLS + 1, 2, o->rounds, times);
  printf("%s, %s: one streaming read %.0f us\n",
         data->dtype == MLUOP_DTYPE_FLOAT ? "float" : "bfloat16", kind->name, times[0].median_us);
  int wrong = library.status != MLUOP_STATUS_SUCCESS;
  for (int i = 0; i < CALLS; ++i) {
    wrong += wrong_rows(&calls[i]);
    printf("  %-24s %9.0f us  [%9.0f .. %9.0f]  %5.2f reads\n", calls[i].name,
           times[1 + i].median_us, times[1 + i].p10_us, times[1 + i].p90_us,
           times[1 + i].median_us / times[0].median_us);
  }
  if (o->rivals) {
    PartialSortCall rival = {data, 0.9f, bench_alloc((size_t)data->batch * sizeof(int64_t)),
                             tokens};
    BenchContender pair[2] = {{"partial sort", run_partial_sort, &rival}, contenders[4]};
    bench_interleaved(pair, 2, 0, 1, times);
    printf("  %-24s %9.0f us  %26s %5.1f times as long as p 0.9, noise\n", pair[0].name,
           times[0].median_us, "", times[0].median_us / times[1].median_us);
    free(rival.index);
  }
  for (int i = 0; i < CALLS; ++i) {
    free(calls[i].top_k);
    free(calls[i].top_p);
  }
  bench_library_close(&library);
  return wrong;
}

/* ---- one row, shared by two cores ---- */

/* A request names a case; the second half of the numbers means timing by the device's clock. The
 * reply is the times of TURN_CALLS calls. */
enum { TURN_CALLS = 20, TURN_WARM_UP = 20 };
static const mluOpDataType_t dtypes[] = {MLUOP_DTYPE_BFLOAT16, MLUOP_DTYPE_FLOAT};
static const int shared_ks[] = {50, 0};
enum { SHARED_KINDS = 3, SHARED_CASES = 2 * 2 * SHARED_KINDS };

static double time_call(OurCall *call) {
  double start = bench_now_us();
  run_ours(call);
  return bench_now_us() - start;
}

static double time_on_device(OurCall *call, cnrtNotifier_t *notifiers) {
  BenchLibrary *library = call->library;
  cnrtPlaceNotifier(notifiers[0], library->queue);
  mluOpStatus_t status = call_ours(call);
  cnrtPlaceNotifier(notifiers[1], library->queue);
  bench_library_finish(library, status);
  float ms = 0;
  cnrtNotifierElapsedTime(notifiers[0], notifiers[1], &ms);
  return ms * 1e3;
}

static int serve(int vocab) {
  BenchLibrary library;
  bench_library_open(&library);
  size_t n = (size_t)vocab;
  float *normals = bench_alloc(n * sizeof(float)), *q = bench_alloc(n * sizeof(float));
  void *logits = bench_alloc(n * sizeof(float));
  uint64_t state = 151936;
  for (size_t i = 0; i < n; ++i) normals[i] = (float)normal(&state);
  for (size_t i = 0; i < n; ++i) q[i] = (float)-log(uniform(&state));
  Data data[SHARED_CASES];
  OurCall calls[SHARED_CASES];
  void *device_q = bench_to_device(&library, q, n * sizeof(float));
  for (int i = 0; i < SHARED_CASES; ++i) {
    mluOpDataType_t dtype = dtypes[i % 2];
    fill_logits(logits, dtype, normals, n, &kinds[i / 4]);
    data[i] = (Data){dtype,  1, vocab, n * (dtype == MLUOP_DTYPE_FLOAT ? 4 : 2),
                     logits, q, NULL,  device_q};
    data[i].device_logits = bench_to_device(&library, logits, data[i].logits_bytes);
    calls[i] = (OurCall){.k = shared_ks[i / 2 % 2], .p = 0.9f, .has_noise = 1};
    prepare(&calls[i], &library, &data[i], NULL);
  }
  cnrtNotifier_t notifiers[2];
  if (cnrtNotifierCreate(&notifiers[0]) != cnrtSuccess ||
      cnrtNotifierCreate(&notifiers[1]) != cnrtSuccess)
    return 1;
  double times[TURN_CALLS];
  for (int question; (question = bench_peer_question()) >= 0;) {
    if (question >= 2 * SHARED_CASES) return 1;
    OurCall *call = &calls[question % SHARED_CASES];
    for (int i = -TURN_WARM_UP; i < TURN_CALLS; ++i) {
      double time = question < SHARED_CASES ? time_call(call) : time_on_device(call, notifiers);
      if (i >= 0) times[i] = time;
    }
    bench_peer_answer(times, TURN_CALLS);
  }
  return 0;
}

static int compare_times(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* The largest possible gain of a second core, measured by a loop that shares nothing, never waits,
 * and leaves few resources of a core for another hardware thread: two virtual CPUs may be the two
 * threads of one core. It finds the maximum of 16-bit elements in LOOP_LANES lanes; each thread has
 * its own data. */
enum { LOOP_ROUNDS = 65536, LOOP_ELEMENTS = 1 << 13, LOOP_LANES = 64 };
typedef struct LoopPart {
  _Alignas(4096) int16_t elements[LOOP_ELEMENTS];
  volatile int16_t largest[LOOP_LANES]; /* volatile, so that each round reads them again */
} LoopPart;
static LoopPart loop_parts[2];

static void loop_part(int index, int threads, void *arg) {
  const int used = *(const int *)arg;
  (void)threads;
  if (index >= used) return;
  LoopPart *part = &loop_parts[index];
  for (int round = 0; round < LOOP_ROUNDS / used; ++round) {
    int16_t largest[LOOP_LANES];
    for (int j = 0; j < LOOP_LANES; ++j) largest[j] = part->largest[j];
    for (int i = 0; i < LOOP_ELEMENTS; i += LOOP_LANES)
      for (int j = 0; j < LOOP_LANES; ++j)
        largest[j] = part->elements[i + j] > largest[j] ? part->elements[i + j] : largest[j];
    for (int j = 0; j < LOOP_LANES; ++j) part->largest[j] = largest[j];
  }
}

static double time_loop(int threads) {
  double start = bench_now_us();
  bench_parallel(loop_part, &threads);
  return bench_now_us() - start;
}

/* The mean of sorted times without the slowest tenth. Other programs on the cores' second hardware
 * threads make a machine alternately fast and slow; a median would show only the more frequent of
 * the two, a mean shows what many calls take. */
static double usual_mean(const double *times, int n) {
  const int used = n - n / 10;
  double sum = 0;
  for (int i = 0; i < used; ++i) sum += times[i];
  return sum / used;
}

static void compare_cores(const Options *o) {
  char argument[32];
  snprintf(argument, sizeof argument, "--peer=%d", o->vocab);
  BenchPeer peers[2] = {bench_peer_start(argument, "MLUOP_CPU_TOPOLOGY", "1x1"),
                        bench_peer_start(argument, "MLUOP_CPU_TOPOLOGY", "1x2")};
  /* Every turn includes all cases, because a machine may be slow for a while. Each case has four
   * rows of samples: 2 * clock + cores - 1. */
  const int turns = 2 * o->rounds, samples = turns * TURN_CALLS;
  double *times = bench_alloc((size_t)SHARED_CASES * 4 * (size_t)samples * sizeof(double));
  double *gains = bench_alloc((size_t)SHARED_CASES * (size_t)turns * sizeof(double));
  for (int turn = 0; turn < turns; ++turn) {
    for (int i = 0; i < 4 * SHARED_CASES; ++i) {
      bench_peer_ask(&peers[i % 2], i / 4 + i / 2 % 2 * SHARED_CASES, TURN_CALLS,
                     times + i * samples + turn * TURN_CALLS);
      if (i % 4 != 3) continue;
      const double alone = time_loop(1);
      gains[i / 4 * turns + turn] = alone / time_loop(2);
    }
  }
  printf(
      "1 x %d with noise on devices of one core and of two: calls, on the device; medians, gain "
      "by\n"
      "medians and by means without the slowest tenth; what a loop that waits for nothing gains\n",
      o->vocab);
  for (int c = 0; c < SHARED_CASES; ++c) {
    double median[4], mean[4], *gain = gains + c * turns;
    qsort(gain, (size_t)turns, sizeof(double), compare_times);
    for (int i = 0; i < 4; ++i) {
      double *row = times + (4 * c + i) * samples;
      qsort(row, (size_t)samples, sizeof(double), compare_times);
      median[i] = row[samples / 2];
      mean[i] = usual_mean(row, samples);
    }
    printf("  %-8s %-15s %-11s", c % 2 ? "float" : "bfloat16", kinds[c / 4].name,
           shared_ks[c / 2 % 2] ? "k 50, p 0.9" : "p 0.9");
    for (int i = 0; i < 4; i += 2)
      printf(" %5.1f us %5.1f us %4.2f x %4.2f x  ", median[i], median[i + 1],
             median[i] / median[i + 1], mean[i] / mean[i + 1]);
    printf(" %4.2f x\n", gain[turns / 2]);
  }
  free(gains);
  for (int i = 0; i < 2; ++i) bench_peer_end(&peers[i]);
  free(times);
}

int main(int argc, char **argv) {
  Options o = {64, 151936, 11, 1, 1, 0};
  if (!parse_options(argc, argv, &o)) return 2;
  if (o.peer > 0) return serve(o.peer);
  if (o.shared) compare_cores(&o);
  BenchLibrary library;
  bench_library_open(&library);
  size_t n = (size_t)o.batch * (size_t)o.vocab;
  float *normals = bench_alloc(n * sizeof(float));
  Token *tokens = bench_alloc((size_t)bench_threads() * (size_t)o.vocab * sizeof(Token));
  void *logits = bench_alloc(n * sizeof(float));
  float *q = bench_alloc(n * sizeof(float));
  uint64_t state = 151936;
  for (size_t i = 0; i < n; ++i) normals[i] = (float)normal(&state);
  for (size_t i = 0; i < n; ++i) q[i] = (float)-log(uniform(&state));

  void *device_logits = bench_device_alloc(&library, n * sizeof(float));
  void *filtered = bench_device_alloc(&library, n * sizeof(float));
  void *device_q = bench_to_device(&library, q, n * sizeof(float));

  printf("top_k_top_p_sample, %d x %d, %d threads\n", o.batch, o.vocab, bench_threads());
  int wrong = 0;
  for (int d = 0; d < 2; ++d) {
    Data data = {dtypes[d], o.batch, o.vocab,       n * (dtypes[d] == MLUOP_DTYPE_FLOAT ? 4 : 2),
                 logits,    q,       device_logits, device_q};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; ++k)
      wrong += run_kind(&data, &o, &kinds[k], normals, filtered, tokens);
  }
  printf(wrong ? "WRONG: %d rows differ from the reference\n" : "results match the reference\n",
         wrong);
  free(logits);
  free(q);
  free(normals);
  free(tokens);
  bench_library_close(&library);
  return wrong != 0;
}

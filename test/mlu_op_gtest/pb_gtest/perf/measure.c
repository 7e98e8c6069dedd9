/* SPDX-License-Identifier: MIT */
#include "perf/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "perf/cpu_use.h"
#include "perf/opened_case.h"
#include "perf/run_delay.h"
#include "run/estimate.h"
#include "run/theory.h"

/* Larger copies are as fast as one of this size. */
static const size_t copy_bytes_max = (size_t)128 << 20, device_copy_bytes_max = (size_t)1 << 30;

static const LimitCopyMethod device_methods[] = {{"device to device", NULL}};
static const LimitCopyMethod board_methods[] = {{"the board's bandwidth", NULL}};

enum {
  LINE = 64,
  MIN_ROUNDS = 9,
  MAX_ROUNDS = 61,
  ROUNDS_NEAR_A_LINE = 3, /* this many times more rounds */
  WARMUP_ROUNDS = 2,
  MATH_LOOPS = 200000,  /* about 1 ms, so that waking the threads does not matter */
  MIN_CLEAN_ROUNDS = 5, /* undisturbed rounds needed for a verdict */
  SELDOM = 4,           /* rounds between two measurements of a limit that hardly varies */
};
/* Largest part of a case's time that the reference may take. */
static const double reference_share_of_time = 0.35;

/* One measured call. */
typedef struct Call {
  double us, cpu_us;
  double waited; /* for a CPU that was not ours, as a share of the time */
} Call;

static double cpu_now_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec * 1e-3;
}

static Call time_call(void (*run)(void *arg), void *arg) {
  const double delay = mluop_perf_run_delay_us(), cpu = cpu_now_us(), start = bench_now_us();
  run(arg);
  const double us = bench_now_us() - start, cpu_us = cpu_now_us() - cpu;
  const double waited = (mluop_perf_run_delay_us() - delay) / us;
  /* Threads that outnumber the CPUs wait for each other; others took at most what was left. */
  const double left = fmax(0, bench_threads() - cpu_us / us);
  return (Call){us, cpu_us, fmin(waited, left)};
}

static void add_gflops(mluopPerfBench *bench, double gflops, double waited) {
  mluop_perf_samples_add(&bench->gflops, gflops);
  mluop_perf_samples_add(&bench->gflops_waited, waited);
}

/* The limits of a device. Reads are taken to be as fast as copies. */
static void measure_device(mluopPerfBench *bench) {
  enum { ROUNDS = 5 };
  const size_t bytes = bench->device_copy.capacity;
  bench->copy_method = device_methods[0].name;
  for (int i = 0; i < ROUNDS; ++i) {
    const double us = mluop_device_copy_us(&bench->device_copy, bytes);
    if (us > 0) {
      mluop_perf_samples_add(&bench->copy_gbps, 2.0 * (double)bytes / us * 1e-3);
      mluop_perf_samples_add(&bench->read_gbps, 2.0 * (double)bytes / us * 1e-3);
    }
  }
  add_gflops(bench, mluop_theory_compute_force(false) * 1e-9, 0);
}

/* The limits of a simulated board, which are constants. */
static void ask_board(mluopPerfBench *bench) {
  bench->copy_method = board_methods[0].name;
  mluop_perf_samples_add(&bench->copy_gbps, bench->board_gbps);
  mluop_perf_samples_add(&bench->read_gbps, bench->board_gbps);
  add_gflops(bench, mluop_theory_compute_force(false) * 1e-9, 0);
}

/* First measurement of the machine's limits; large cases add to it later. */
static void measure_machine(mluopPerfBench *bench) {
  enum { ROUNDS = 3 };
  const LimitCopyMethod *methods;
  const int n = limit_copy_methods(&methods);
  BenchCopy copy = bench->copy;
  LimitRead read = {copy.dst, copy.src, copy_bytes_max / 2};
  copy.bytes = copy_bytes_max / 2;
  for (int i = 0; i < ROUNDS; ++i) {
    double best_us = 0;
    for (int k = 0; k < n; ++k) {
      limit_evict(copy.dst, copy.bytes);
      limit_evict(copy.src, copy.bytes);
      const double us = time_call(methods[k].run, &copy).us;
      if (k == 0 || us < best_us) {
        best_us = us;
        bench->copy_method = methods[k].name;
      }
    }
    mluop_perf_samples_add(&bench->copy_gbps, 2.0 * (double)copy.bytes / best_us * 1e-3);
    limit_evict(copy.dst, copy.bytes);
    limit_evict(copy.src, copy.bytes);
    mluop_perf_samples_add(&bench->read_gbps,
                           2.0 * (double)read.bytes / time_call(limit_read, &read).us * 1e-3);
  }
}

int mluop_perf_bench_open(mluopPerfBench *bench, const mluopTestOptions *options,
                          const volatile sig_atomic_t *interrupted, mluopTestText *errors) {
  *bench = (mluopPerfBench){.options = *options, .interrupted = interrupted, .copy_method = ""};
  bench->options.io_bandwidth = 1; /* the limits are measured here */
  bench->on_host = mluop_device_is_host();
  bench->evicts = bench->on_host && limit_evict("", 0);
  mluopEstimate estimate;
  bench->board_gbps = mluop_estimate_ask(&estimate) ? estimate.bandwidth_gbps : 0;
  bench->options.test_llc = !bench->evicts && bench->board_gbps <= 0;
  if (mluop_session_open(&bench->session, &bench->options, errors)) {
    return -1;
  }
  if (bench->on_host) {
    bench->copy = (BenchCopy){bench_alloc(copy_bytes_max), bench_alloc(copy_bytes_max), 0};
    measure_machine(bench);
    return 0;
  }
  if (bench->board_gbps > 0) {
    ask_board(bench);
    return 0;
  }
  if (!mluop_device_copy_open(&bench->device_copy, device_copy_bytes_max)) {
    mluop_text_add(errors, "two blocks of %zu bytes of the device's memory cannot be had",
                   device_copy_bytes_max);
    mluop_session_close(&bench->session);
    return -1;
  }
  measure_device(bench);
  return 0;
}

void mluop_perf_bench_close(mluopPerfBench *bench) {
  mluop_session_close(&bench->session);
  if (bench->on_host) {
    free(bench->copy.dst);
    free((void *)bench->copy.src);
  } else {
    mluop_device_copy_close(&bench->device_copy);
  }
}

/* The measurements of a case so far. */
typedef struct Rounds {
  mluopPerfBench *bench;
  mluopPerfOpenedCase *opened;
  double bytes;
  BenchCopy copy; /* of this case's size */
  LimitRead read;
  const LimitCopyMethod *methods;
  int n_methods;
  mluopPerfSamples ours, warm, reference, read_time, cpu[MLUOP_PERF_CONTENDERS];
  mluopPerfSamples copies[MLUOP_PERF_COPY_METHODS_MAX];
  mluopPerfSamples ours_waited, read_waited, copies_waited[MLUOP_PERF_COPY_METHODS_MAX];
  bool dropped[MLUOP_PERF_COPY_METHODS_MAX]; /* too slow to be the best */
  double reference_us, spent_us;
  mluopPerfCpuUse cpu_use_before; /* the first round that counts */
} Rounds;

static void evict_copy(const Rounds *rounds) {
  limit_evict(rounds->copy.dst, rounds->copy.bytes);
  limit_evict(rounds->copy.src, rounds->copy.bytes);
}

static int best_method(const Rounds *rounds) {
  int best = 0;
  for (int i = 1; i < rounds->n_methods; ++i) {
    if (!rounds->dropped[i] &&
        (rounds->dropped[best] || mluop_perf_quantile(&rounds->copies[i], 0.5) <
                                      mluop_perf_quantile(&rounds->copies[best], 0.5))) {
      best = i;
    }
  }
  return best;
}

static void drop_slow_methods(Rounds *rounds) {
  const double best = mluop_perf_quantile(&rounds->copies[best_method(rounds)], 0.5);
  for (int i = 0; i < rounds->n_methods; ++i) {
    rounds->dropped[i] |= mluop_perf_quantile(&rounds->copies[i], 0.5) > 1.1 * best;
  }
}

static int run_ours(Rounds *rounds, bool cold, Call *call) {
  if (cold) {
    mluop_perf_case_evict_device(rounds->opened);
  }
  if (!rounds->bench->on_host) {
    *call = (Call){.us = mluop_perf_case_device_us(rounds->opened)};
    return call->us > 0 ? 0 : -1;
  }
  *call = time_call(mluop_perf_case_call, rounds->opened);
  return mluop_perf_case_failed(rounds->opened) ? -1 : 0;
}

static void run_reference(Rounds *rounds, bool counted) {
  mluop_perf_case_evict_host(rounds->opened);
  const Call call = time_call(mluop_perf_case_reference, rounds->opened);
  rounds->reference_us += call.us;
  if (counted) {
    mluop_perf_samples_add(&rounds->reference, call.us);
    mluop_perf_samples_add(&rounds->cpu[MLUOP_PERF_REFERENCE], call.cpu_us);
  }
}

/* Time of a copy of the case's size on the device; also stands for a read. */
static double device_limit_us(Rounds *rounds) {
  const double board_gbps = rounds->bench->board_gbps;
  if (board_gbps > 0) {
    return 2.0 * (double)rounds->copy.bytes / board_gbps * 1e-3;
  }
  mluop_session_flush_cache(&rounds->bench->session);
  return mluop_device_copy_us(&rounds->bench->device_copy, rounds->copy.bytes);
}

static void run_device_limit(Rounds *rounds, bool counted) {
  const double us = device_limit_us(rounds);
  if (counted) {
    mluop_perf_samples_add(&rounds->copies[0], us);
    mluop_perf_samples_add(&rounds->copies_waited[0], 0);
    mluop_perf_samples_add(&rounds->read_time, us);
    mluop_perf_samples_add(&rounds->read_waited, 0);
  }
}

static void run_limits(Rounds *rounds, int round, bool counted) {
  mluopPerfBench *bench = rounds->bench;
  if (!bench->on_host) {
    run_device_limit(rounds, counted);
    return;
  }
  for (int i = 0; i < rounds->n_methods; ++i) {
    if (rounds->dropped[i]) {
      continue;
    }
    evict_copy(rounds);
    const Call call = time_call(rounds->methods[i].run, &rounds->copy);
    if (counted) {
      mluop_perf_samples_add(&rounds->copies[i], call.us);
      mluop_perf_samples_add(&rounds->copies_waited[i], call.waited);
      mluop_perf_samples_add(&rounds->cpu[MLUOP_PERF_COPY], call.cpu_us);
    }
  }
  if (mluop_perf_case_reads_mostly(rounds->opened) || round % SELDOM == 0) {
    evict_copy(rounds);
    const Call call = time_call(limit_read, &rounds->read);
    if (counted) {
      mluop_perf_samples_add(&rounds->read_time, call.us);
      mluop_perf_samples_add(&rounds->read_waited, call.waited);
      mluop_perf_samples_add(&rounds->cpu[MLUOP_PERF_READ], call.cpu_us);
    }
  }
  if (counted && round % SELDOM == 0) {
    LimitMath math = {.loops = MATH_LOOPS};
    const Call call = time_call(limit_vector_math, &math);
    add_gflops(bench, math.operations / call.us * 1e-3, call.waited);
  }
}

/* A negative round is a warm-up. */
static int run_round(Rounds *rounds, int round) {
  const double start = bench_now_us();
  const bool counted = round >= 0;
  Call cold, warm;
  if (run_ours(rounds, true, &cold)) {
    return -1;
  }
  run_limits(rounds, round, counted);
  warm = cold;
  if (rounds->bench->board_gbps <= 0 &&
      (run_ours(rounds, false, &warm) || run_ours(rounds, false, &warm))) {
    return -1;
  }
  if (counted) {
    mluop_perf_samples_add(&rounds->ours, cold.us);
    mluop_perf_samples_add(&rounds->ours_waited, cold.waited);
    mluop_perf_samples_add(&rounds->cpu[MLUOP_PERF_OURS], cold.cpu_us);
    mluop_perf_samples_add(&rounds->warm, warm.us);
    mluop_perf_samples_add(&rounds->cpu[MLUOP_PERF_OURS_WARM], warm.cpu_us);
  }
  if (counted &&
      (!rounds->reference.n || rounds->reference_us < reference_share_of_time * rounds->spent_us)) {
    run_reference(rounds, true);
  }
  if (round == 2) {
    drop_slow_methods(rounds);
  }
  rounds->spent_us += bench_now_us() - start;
  return 0;
}

/* ---- from samples to numbers ---- */

static mluopPerfTime summary(const mluopPerfSamples *times, const mluopPerfSamples *cpu) {
  return (mluopPerfTime){.median_us = mluop_perf_quantile(times, 0.5),
                         .p10_us = mluop_perf_quantile(times, 0.1),
                         .p90_us = mluop_perf_quantile(times, 0.9),
                         .cpu_us = mluop_perf_quantile(cpu, 0.5),
                         .samples = times->n};
}

/* Scales times of a limit to the number of bytes of the case. */
static mluopPerfTime scaled(mluopPerfTime time, double factor) {
  time.median_us *= factor;
  time.p10_us *= factor;
  time.p90_us *= factor;
  time.cpu_us *= factor;
  return time;
}

static mluopPerfClean clean_rounds(const Rounds *rounds, const mluopPerfSamples *limit_us,
                                   const mluopPerfSamples *limit_waited) {
  const mluopPerfCpuUse now = mluop_perf_cpu_use();
  const double others = mluop_perf_cpus_of_others(&rounds->cpu_use_before, &now);
  const mluopPerfSamples ours =
      mluop_perf_waited_for_others(&rounds->ours_waited, &rounds->ours, others);
  const mluopPerfSamples limit = mluop_perf_waited_for_others(limit_waited, limit_us, others);
  mluopPerfSamples waited = {.n = 0};
  for (int i = 0; i < ours.n && i < limit.n; ++i) {
    mluop_perf_samples_add(&waited, fmax(ours.values[i], limit.values[i]));
  }
  return mluop_perf_clean(&waited, MIN_CLEAN_ROUNDS);
}

/* Computes the case's times and efficiencies from the rounds so far. */
static void conclude(Rounds *rounds, mluopPerfCase *item) {
  const int best = best_method(rounds);
  const bool reads = mluop_perf_case_reads_mostly(rounds->opened);
  const double copied = 2.0 * (double)rounds->copy.bytes, read = 2.0 * (double)rounds->read.bytes;
  const double copy_factor = rounds->bytes / copied, read_factor = rounds->bytes / read;
  const mluopPerfSamples *limit_us = reads ? &rounds->read_time : &rounds->copies[best];
  const mluopPerfClean clean =
      clean_rounds(rounds, limit_us, reads ? &rounds->read_waited : &rounds->copies_waited[best]);
  item->waited = clean.waited;
  const mluopPerfSamples ours = mluop_perf_pick(&rounds->ours, &clean);
  mluopPerfSamples ratios = mluop_perf_pick(limit_us, &clean);
  mluopPerfTime *times = item->times;
  times[MLUOP_PERF_OURS] = summary(&ours, &rounds->cpu[MLUOP_PERF_OURS]);
  times[MLUOP_PERF_OURS_WARM] = summary(&rounds->warm, &rounds->cpu[MLUOP_PERF_OURS_WARM]);
  times[MLUOP_PERF_REFERENCE] = summary(&rounds->reference, &rounds->cpu[MLUOP_PERF_REFERENCE]);
  times[MLUOP_PERF_COPY] = scaled(
      summary(reads ? &rounds->copies[best] : &ratios, &rounds->cpu[MLUOP_PERF_COPY]), copy_factor);
  times[MLUOP_PERF_READ] = scaled(
      summary(reads ? &ratios : &rounds->read_time, &rounds->cpu[MLUOP_PERF_READ]), read_factor);
  /* From here on: the share of the limit each round reached. */
  for (int i = 0; i < ratios.n; ++i) {
    ratios.values[i] *= (reads ? read_factor : copy_factor) / ours.values[i];
  }
  item->io_efficiency = mluop_perf_quantile(&ratios, 0.5);
  const double us = times[MLUOP_PERF_OURS].median_us;
  const mluopPerfSteady math =
      mluop_perf_steady(&rounds->bench->gflops, &rounds->bench->gflops_waited);
  const double peak = math.median * 1e3; /* per us */
  item->compute_efficiency = peak > 0 && us > 0 ? item->theory_ops / us / peak : 0;
  if (item->compute_efficiency > item->io_efficiency) {
    for (int i = 0; i < ratios.n; ++i) {
      ratios.values[i] = item->theory_ops / ours.values[i] / peak;
    }
    item->waited = fmax(item->waited, math.waited);
    mluop_perf_set_text(&item->bottleneck, "vector math");
  } else {
    mluop_perf_set_text(&item->bottleneck, reads ? "read rate" : "copy rate");
  }
  item->limit_gbps =
      rounds->bytes / times[reads ? MLUOP_PERF_READ : MLUOP_PERF_COPY].median_us * 1e-3;
  item->efficiency = mluop_perf_quantile(&ratios, 0.5);
  item->efficiency_p10 = mluop_perf_quantile(&ratios, 0.1);
  item->efficiency_p90 = mluop_perf_quantile(&ratios, 0.9);
  const mluopPerfRange range = mluop_perf_median_range(&ratios);
  item->efficiency_low = range.low;
  item->efficiency_high = range.high;
  item->looks[0] = (mluopPerfLook){item->efficiency, range.low, range.high, item->waited};
  item->n_looks = 1;
}

static bool near_a_line(const mluopPerfCase *item, const mluopPerfLines *lines) {
  for (int i = 0; i < lines->n; ++i) {
    if (item->efficiency_low <= lines->at[i] && lines->at[i] <= item->efficiency_high) {
      return true;
    }
  }
  return false;
}

static int run_rounds(Rounds *rounds, double seconds, mluopPerfLinesOf lines_of, void *lines_arg,
                      mluopPerfCase *item) {
  const volatile sig_atomic_t *interrupted = rounds->bench->interrupted;
  const bool is_certain = rounds->bench->board_gbps > 0; /* times never vary, one round is enough */
  for (int i = 0; i < WARMUP_ROUNDS && !is_certain && !*interrupted; ++i) {
    if (run_round(rounds, i - WARMUP_ROUNDS)) {
      return -1;
    }
  }
  rounds->spent_us = rounds->reference_us = 0;
  rounds->cpu_use_before = mluop_perf_cpu_use();
  /* A slow reference is not run again: its time is that of the run that checked the result. */
  const double first_us = mluop_perf_case_first_reference_us(rounds->opened);
  if (first_us > reference_share_of_time * seconds * 1e6) {
    mluop_perf_samples_add(&rounds->reference, first_us);
    rounds->reference_us = first_us;
  }
  double allowed_us = seconds * 1e6;
  int least = MIN_ROUNDS, most = is_certain ? 1 : MAX_ROUNDS;
  for (bool extended = is_certain;; extended = true) {
    for (int round = rounds->ours.n; round < most && !*interrupted; ++round) {
      if (round >= least && rounds->spent_us > allowed_us) {
        break;
      }
      if (run_round(rounds, round)) {
        return -1;
      }
    }
    if (!rounds->ours.n) {
      return -1;
    }
    conclude(rounds, item);
    const mluopPerfLines lines = lines_of(item, lines_arg);
    if (extended || *interrupted || !near_a_line(item, &lines)) {
      return 0;
    }
    allowed_us *= ROUNDS_NEAR_A_LINE;
    least *= ROUNDS_NEAR_A_LINE;
    most *= ROUNDS_NEAR_A_LINE;
  }
}

/* Sizes the copies as the case, rounded to cache lines and limited by the buffers. */
static void size_limits(Rounds *rounds) {
  mluopPerfBench *bench = rounds->bench;
  size_t half = (size_t)(rounds->bytes / 2) / LINE * LINE;
  const size_t most = bench->on_host ? copy_bytes_max : device_copy_bytes_max;
  half = half < LINE ? LINE : half > most ? most : half;
  rounds->copy = (BenchCopy){bench->copy.dst, bench->copy.src, half};
  rounds->read = (LimitRead){bench->copy.dst, bench->copy.src, half};
  rounds->methods = bench->board_gbps > 0 ? board_methods : device_methods;
  rounds->n_methods = bench->on_host ? limit_copy_methods(&rounds->methods) : 1;
  if (rounds->n_methods > MLUOP_PERF_COPY_METHODS_MAX) {
    rounds->n_methods = MLUOP_PERF_COPY_METHODS_MAX;
  }
}

/* Only cases larger than a core's caches say something about the machine's limits. */
static void note_limits(Rounds *rounds, const mluopPerfCase *item) {
  static const double large = 8e6;
  mluopPerfBench *bench = rounds->bench;
  if (rounds->bytes < large) {
    return;
  }
  mluop_perf_samples_add(&bench->copy_gbps,
                         rounds->bytes / item->times[MLUOP_PERF_COPY].median_us * 1e-3);
  mluop_perf_samples_add(&bench->read_gbps,
                         rounds->bytes / item->times[MLUOP_PERF_READ].median_us * 1e-3);
  bench->copy_method = rounds->methods[best_method(rounds)].name;
}

int mluop_perf_measure(mluopPerfBench *bench, const mluopCaseEntry *entry, double seconds,
                       mluopPerfLinesOf lines_of, void *lines_arg, mluopPerfCase *item,
                       mluopTestText *failure) {
  mluopPerfOpenedCase *opened = mluop_perf_case_open(bench, entry, item, failure);
  if (!opened) {
    return -1;
  }
  Rounds *rounds = calloc(1, sizeof(*rounds));
  int failed = -1;
  if (rounds) {
    rounds->bench = bench;
    rounds->opened = opened;
    rounds->bytes = item->theory_bytes;
    size_limits(rounds);
    failed = run_rounds(rounds, seconds, lines_of, lines_arg, item);
    if (!failed) {
      note_limits(rounds, item);
      mluop_perf_case_device_times(opened, item);
    }
  } else {
    mluop_text_add(failure, "out of memory");
  }
  if (failed && mluop_perf_case_failed(opened)) {
    mluop_text_add(failure, "%s", mluop_perf_case_failed(opened));
  }
  free(rounds);
  mluop_perf_case_close(opened);
  return failed;
}

/* SPDX-License-Identifier: MIT */
#include "core.h"

#include <pthread.h>
#include <stdlib.h>

#include "checks/check.h"
#include "hook.h"

/* A fixed TLS offset makes this fast: every hook reads it. */
static __thread struct card_core *self __attribute__((tls_model("initial-exec")));

static pthread_key_t key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

static void free_core(void *pointer) {
  struct card_core *core = pointer;
  while (core->uses != NULL) {
    struct card_use *use = core->uses;
    core->uses = use->next;
    free(use);
  }
  card_writer_free(&core->writer);
  card_check_core_free(core);
  free(core);
  self = NULL;
}

static void create_key(void) {
  pthread_key_create(&key, free_core);
}

struct card_core *card_core(void) {
  if (self == NULL) {
    pthread_once(&key_once, create_key);
    self = calloc(1, sizeof(*self));
    if (self != NULL) {
      pthread_setspecific(key, self);
    }
  }
  return self;
}

struct card_core *card_recording(void) {
  return self != NULL && self->run != NULL ? self : NULL;
}

/* ---- Modules ---- */

/* Dummy counters for threads that cannot allocate their own. */
static struct {
  struct card_counters counters;
  uint64_t stretches[1 << 20];
} wasted;

/* Number of counters: one per stretch, and reads and writes of device memory per site. */
static size_t words_of(const struct card_module *module) {
  return module->stretch_count + 2 * (size_t)module->site_count;
}

static struct card_use *create_use(struct card_core *core, struct card_module *module) {
  const size_t words = words_of(module);
  struct card_use *use = calloc(1, sizeof(*use) + words * sizeof(uint64_t));
  if (use == NULL) {
    return NULL;
  }
  use->module = module;
  use->counters.stretches = (uint64_t *)(use + 1);
  use->gdram_reads = use->counters.stretches + module->stretch_count;
  use->gdram_writes = use->gdram_reads + module->site_count;
  use->next = core->uses;
  core->uses = use;
  return use;
}

static struct card_use *find_use(struct card_core *core, struct card_module *module) {
  for (struct card_use *use = core->uses; use != NULL; use = use->next) {
    if (use->module == module) {
      return use;
    }
  }
  return create_use(core, module);
}

CARD_HOOK struct card_counters *__bang_card_enter(struct card_module *module) {
  struct card_core *core = card_core();
  if (core == NULL) {
    wasted.counters.stretches = wasted.stretches;
    return &wasted.counters;
  }
  if (core->last == NULL || core->last->module != module) {
    core->last = find_use(core, module);
    if (core->last == NULL) {
      wasted.counters.stretches = wasted.stretches;
      return &wasted.counters;
    }
    if (core->run != NULL) {
      card_run_meet_module(core->run, core->last);
    }
  }
  if (core->watch != NULL) {
    card_check_entered(core);
  }
  return &core->last->counters;
}

/* ---- Records ---- */

static uint32_t fit(uint64_t value) {
  return value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

/* Converts half cycles to cycles and keeps the remainder. */
static uint32_t take_half(uint64_t *halves) {
  const uint64_t whole = *halves / 2;
  *halves %= 2;
  return fit(whole);
}

void card_put_scalar(struct card_core *core) {
  uint64_t accesses = 0;
  for (struct card_use *use = core->uses; use != NULL; use = use->next) {
    core->half_cycles += use->counters.cycles;
    core->half_waits += use->counters.waits;
    accesses += use->counters.accesses;
    use->counters.cycles = use->counters.waits = use->counters.accesses = 0;
  }
  struct card_scalar scalar = core->outside;
  const uint64_t outside =
      (uint64_t)scalar.wram + scalar.sram + scalar.ldram + scalar.gdram_reads + scalar.gdram_writes;
  scalar.cycles = take_half(&core->half_cycles);
  scalar.waits = take_half(&core->half_waits);
  scalar.nram = accesses > outside ? fit(accesses - outside) : 0;
  core->outside = (struct card_scalar){0};
  if (scalar.cycles != 0 || outside != 0) {
    struct card_record record = card_record(CARD_SCALAR, CARD_PIPE_SCALAR, 0);
    record.scalar = scalar;
    card_writer_put(&core->writer, &record);
  }
}

void card_put(struct card_core *core, uint32_t site, struct card_record *record) {
  if ((site & CARD_PART_OF_FUNCTION) != 0) {
    return;
  }
  card_put_scalar(core);
  const uint32_t place = core->last != NULL ? card_module_site(core->last->module, site) : 0;
  record->site = place != 0 ? core->last->first_site + place : 0;
  card_writer_put(&core->writer, record);
}

/* ---- Tasks ---- */

void card_core_begin(struct card_core *core, struct card_run *run) {
  core->run = run;
  core->last = NULL;
  core->outside = (struct card_scalar){0};
  core->half_cycles = core->half_waits = 0;
  core->device_start = core->device_end = 0;
  for (struct card_use *use = core->uses; use != NULL; use = use->next) {
    use->counters.cycles = use->counters.waits = use->counters.accesses = 0;
    /* Counts since the end of the thread's last task belong to no task. */
    memset(use->counters.stretches, 0, words_of(use->module) * sizeof(uint64_t));
  }
}

void card_core_end(struct card_core *core) {
  card_put_scalar(core);
  for (struct card_use *use = core->uses; use != NULL; use = use->next) {
    card_run_add_counts(core->run, use);
  }
  core->run = NULL;
}

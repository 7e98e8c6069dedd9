/* SPDX-License-Identifier: MIT */
#include "run.h"

#include <stdlib.h>

struct card_run *card_run_create(void) {
  struct card_run *run = calloc(1, sizeof(*run));
  if (run != NULL) {
    pthread_mutex_init(&run->lock, NULL);
    run->site_count = 1; /* the unknown place */
    run->is_whole = true;
  }
  return run;
}

void card_run_destroy(struct card_run *run) {
  for (size_t i = 0; i < run->task_count; ++i) {
    free(run->tasks[i].log.records);
  }
  free(run->tasks);
  while (run->modules != NULL) {
    struct card_run_module *module = run->modules;
    run->modules = module->next;
    free(module);
  }
  pthread_mutex_destroy(&run->lock);
  free(run);
}

/* ---- Modules ---- */

static struct card_run_module *find_module(struct card_run *run, const struct card_module *module) {
  struct card_run_module *known = run->modules;
  while (known != NULL && known->module != module) {
    known = known->next;
  }
  return known;
}

static struct card_run_module *add_module(struct card_run *run, const struct card_module *module) {
  const size_t words = module->stretch_count + 2 * (size_t)module->site_count;
  struct card_run_module *added = calloc(1, sizeof(*added) + words * sizeof(uint64_t));
  if (added == NULL) {
    run->is_whole = false;
    return NULL;
  }
  added->module = module;
  added->first_site = run->site_count - 1; /* site 0 of a module is not used */
  added->stretches = (uint64_t *)(added + 1);
  added->gdram_reads = added->stretches + module->stretch_count;
  added->gdram_writes = added->gdram_reads + module->site_count;
  added->next = run->modules;
  run->site_count += module->site_count - 1;
  run->modules = added;
  return added;
}

void card_run_meet_module(struct card_run *run, struct card_use *use) {
  pthread_mutex_lock(&run->lock);
  const struct card_run_module *known = find_module(run, use->module);
  if (known == NULL) {
    known = add_module(run, use->module);
  }
  use->first_site = known != NULL ? known->first_site : 0;
  pthread_mutex_unlock(&run->lock);
}

static void move_counts(uint64_t *to, uint64_t *from, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    to[i] += from[i];
    from[i] = 0;
  }
}

void card_run_add_counts(struct card_run *run, struct card_use *use) {
  pthread_mutex_lock(&run->lock);
  struct card_run_module *known = find_module(run, use->module);
  if (known != NULL) {
    move_counts(known->stretches, use->counters.stretches, use->module->stretch_count);
    move_counts(known->gdram_reads, use->gdram_reads, use->module->site_count);
    move_counts(known->gdram_writes, use->gdram_writes, use->module->site_count);
  }
  pthread_mutex_unlock(&run->lock);
}

/* ---- Tasks ---- */

void card_run_add_task(struct card_run *run, const struct card_task *task) {
  pthread_mutex_lock(&run->lock);
  if (run->task_count == run->task_room) {
    const size_t room = run->task_room != 0 ? 2 * run->task_room : 32;
    struct card_task *tasks = realloc(run->tasks, room * sizeof(*tasks));
    if (tasks == NULL) {
      run->is_whole = false;
      pthread_mutex_unlock(&run->lock);
      free(task->log.records);
      return;
    }
    run->tasks = tasks;
    run->task_room = room;
  }
  run->tasks[run->task_count++] = *task;
  pthread_mutex_unlock(&run->lock);
}

static int compare_tasks(const void *a, const void *b) {
  const struct card_task *x = a;
  const struct card_task *y = b;
  if (x->group != y->group) {
    return x->group < y->group ? -1 : 1;
  }
  if (x->cluster != y->cluster) {
    return x->cluster < y->cluster ? -1 : 1;
  }
  return x->core < y->core ? -1 : x->core > y->core;
}

/* ---- Lines ---- */

static int compare_lines(const void *a, const void *b) {
  const struct card_line *x = a;
  const struct card_line *y = b;
  if (x->cycles != y->cycles) {
    return x->cycles > y->cycles ? -1 : 1;
  }
  return x->site < y->site ? -1 : x->site > y->site;
}

static void add_lines(const struct card_run_module *module, struct card_line *lines) {
  const struct card_module *m = module->module;
  for (uint32_t i = 0; i < m->part_count; ++i) {
    const struct card_part *part = &m->parts[i];
    const uint64_t times = module->stretches[part->stretch];
    struct card_line *line = &lines[part->site != 0 ? module->first_site + part->site : 0];
    line->cycles += times * part->cycles;
    line->waits += times * part->waits;
    line->instructions += times * part->instructions;
    line->loads += times * part->loads;
    line->stores += times * part->stores;
  }
  for (uint32_t site = 0; site < m->site_count; ++site) {
    struct card_line *line = &lines[site != 0 ? module->first_site + site : 0];
    line->gdram_reads += module->gdram_reads[site];
    line->gdram_writes += module->gdram_writes[site];
  }
}

/* Collects the lines with costs, in whole cycles. */
static size_t keep_lines(struct card_line *lines, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; ++i) {
    struct card_line line = lines[i];
    line.site = (uint32_t)i;
    line.cycles /= 2;
    line.waits /= 2;
    if (line.instructions != 0 || line.gdram_reads != 0 || line.gdram_writes != 0) {
      lines[kept++] = line;
    }
  }
  qsort(lines, kept, sizeof(*lines), compare_lines);
  return kept;
}

bool card_run_describe(struct card_run *run, struct card_launch *launch) {
  struct card_site *sites = calloc(run->site_count, sizeof(*sites));
  struct card_line *lines = calloc(run->site_count, sizeof(*lines));
  if (sites == NULL || lines == NULL || !run->is_whole) {
    free(sites);
    free(lines);
    return false;
  }
  sites[0] = (struct card_site){"", "", 0};
  for (const struct card_run_module *m = run->modules; m != NULL; m = m->next) {
    for (uint32_t i = 1; i < m->module->site_count; ++i) {
      sites[m->first_site + i] = m->module->sites[i];
    }
    add_lines(m, lines);
  }
  if (run->task_count != 0) {
    qsort(run->tasks, run->task_count, sizeof(*run->tasks), compare_tasks);
  }
  launch->tasks = run->tasks;
  launch->task_count = run->task_count;
  launch->sites = sites;
  launch->site_count = run->site_count;
  launch->lines = lines;
  launch->line_count = keep_lines(lines, run->site_count);
  return true;
}

void card_run_release(struct card_launch *launch) {
  free((void *)(uintptr_t)launch->sites);
  free((void *)(uintptr_t)launch->lines);
}

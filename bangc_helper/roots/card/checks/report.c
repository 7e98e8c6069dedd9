/* SPDX-License-Identifier: MIT */
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"
#include "json.h"
#include "runtime/group.h"
#include "runtime/launch.h"
#include "settings.h"

/* ---- Places ---- */

static const struct card_site nowhere = {"?", "?", 0};

struct card_site card_report_site(const struct card_core *core, uint32_t site) {
  const uint32_t place = core->last != NULL ? card_module_site(core->last->module, site) : 0;
  return place != 0 ? core->last->module->sites[place] : nowhere;
}

void card_report_callers(const struct card_core *core, uint32_t site,
                         struct card_site callers[CARD_CALLERS]) {
  const struct card_module *module = core->last != NULL ? core->last->module : NULL;
  site &= ~CARD_PART_OF_FUNCTION;
  for (int i = 0; i < CARD_CALLERS; ++i) {
    callers[i] = (struct card_site){NULL, NULL, 0};
    if (module == NULL || (site & CARD_SITE_IS_CALL) == 0) {
      continue;
    }
    site = module->calls[site & ~CARD_SITE_IS_CALL].caller;
    callers[i] = module->sites[card_module_site(module, site)];
  }
}

uint32_t card_report_number(const struct card_core *core, uint32_t site) {
  const uint32_t place = core->last != NULL ? card_module_site(core->last->module, site) : 0;
  return place != 0 ? core->last->first_site + place : 0;
}

struct card_site card_report_launch_site(struct card_run *run, uint32_t site) {
  struct card_site found = nowhere;
  pthread_mutex_lock(&run->lock);
  for (const struct card_run_module *m = run->modules; m != NULL; m = m->next) {
    if (site > m->first_site && site - m->first_site < m->module->site_count) {
      found = m->module->sites[site - m->first_site];
    }
  }
  pthread_mutex_unlock(&run->lock);
  return found;
}

/* ---- Findings ---- */

static bool is_same_place(const struct card_finding *a, const struct card_finding *b) {
  return a->check == b->check && a->site.line == b->site.line &&
         strcmp(a->site.file, b->site.file) == 0 && strcmp(a->what, b->what) == 0 &&
         strcmp(a->kernel, b->kernel) == 0;
}

bool card_report_add_to(struct card_run *run, const struct card_finding *finding) {
  if (card_is_suppressed(finding)) {
    return false;
  }
  struct card_finding *added = malloc(sizeof(*added));
  pthread_mutex_lock(&run->lock);
  struct card_finding **link = &run->findings;
  while (*link != NULL && !is_same_place(*link, finding)) {
    link = &(*link)->next;
  }
  if (*link != NULL) {
    ++(*link)->count;
    free(added);
  } else if (added != NULL) {
    *added = *finding;
    added->count = 1;
    added->next = NULL;
    *link = added;
  }
  pthread_mutex_unlock(&run->lock);
  return true;
}

bool card_report_add(struct card_core *core, struct card_finding *finding) {
  const struct rt_core *self = rt_core_self();
  snprintf(finding->kernel, sizeof(finding->kernel), "%s", self->launch->kernel->name);
  finding->task = (uint32_t)__bang_taskId;
  finding->task_count = (uint32_t)__bang_taskDim;
  finding->core = (uint32_t)__bang_coreId;
  finding->cluster = (uint32_t)__bang_clusterId;
  return card_report_add_to(core->run, finding);
}

void card_report_free(struct card_run *run) {
  while (run->findings != NULL) {
    struct card_finding *finding = run->findings;
    run->findings = finding->next;
    free(finding);
  }
}

/* ---- Text ---- */

static void print_command(FILE *out) {
  FILE *file = fopen("/proc/self/cmdline", "re");
  int c = 0;
  bool is_first = true;
  while (file != NULL && (c = fgetc(file)) != EOF) {
    if (is_first) {
      fputc(' ', out);
    }
    is_first = c == 0;
    if (c != 0) {
      fputc(c, out);
    }
  }
  if (file != NULL) {
    fclose(file);
  }
  fputc('\n', out);
}

static void print_address(FILE *out, const struct card_finding *f) {
  fprintf(out, "  address %s + %" PRId64, f->object, f->offset);
  if (f->past > 0) {
    fprintf(out, ", %" PRId64 " bytes past its end\n", f->past);
  } else if (f->past < 0) {
    fprintf(out, ", %" PRId64 " bytes before its beginning\n", -f->past);
  } else {
    fputs(", inside\n", out);
  }
}

static void print_finding(FILE *out, const struct card_finding *f) {
  fprintf(out, "cncheck: %s: %s in kernel %s\n", card_check_name(f->check), f->what, f->kernel);
  fprintf(out, "  at %s:%" PRIu32 " in %s\n", f->site.file, f->site.line, f->site.function);
  if (f->other.line != 0) {
    fprintf(out, "  other %s:%" PRIu32 " (%s)\n", f->other.file, f->other.line, f->other_what);
  }
  if (f->core == BANG_MPU_CORE_ID) {
    fprintf(out, "  task %" PRIu32 " of %" PRIu32 ", memory core of cluster %" PRIu32 "\n", f->task,
            f->task_count, f->cluster);
  } else {
    fprintf(out, "  task %" PRIu32 " of %" PRIu32 ", core %" PRIu32 " of cluster %" PRIu32 "\n",
            f->task, f->task_count, f->core, f->cluster);
  }
  if (f->has_address) {
    print_address(out, f);
  }
  for (int i = 0; i < CARD_CALLERS && f->callers[i].line != 0; ++i) {
    fprintf(out, "  called from %s:%" PRIu32 "\n", f->callers[i].file, f->callers[i].line);
  }
  fprintf(out, "  times %" PRIu64 "\n", f->count);
  fprintf(out, "  repeat with: MLUOP_CHECK=%s", card_check_name(f->check));
  print_command(out);
}

/* ---- What a race explains ---- */

static bool is_place(const struct card_site *a, const struct card_site *b) {
  return a->line == b->line && a->line != 0 && strcmp(a->file, b->file) == 0;
}

static bool has_race_at(const struct card_finding *list, const struct card_site *site) {
  for (; list != NULL; list = list->next) {
    if (list->check == CARD_CHECK_RACE &&
        (is_place(&list->site, site) || is_place(&list->other, site))) {
      return true;
    }
  }
  return false;
}

/* A read before its sync is also a read of unwritten memory: report that defect once, as sync. */
static void drop_explained(struct card_run *run) {
  for (struct card_finding **link = &run->findings; *link != NULL;) {
    struct card_finding *finding = *link;
    if (finding->check == CARD_CHECK_INIT && has_race_at(run->findings, &finding->site)) {
      *link = finding->next;
      free(finding);
    } else {
      link = &finding->next;
    }
  }
}

void card_report_print(struct card_run *run, const char *kernel, uint32_t tasks) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  if (run->findings == NULL) {
    return;
  }
  pthread_mutex_lock(&lock);
  drop_explained(run);
  for (struct card_finding *f = run->findings; f != NULL; f = f->next) {
    snprintf(f->kernel, sizeof(f->kernel), "%s", kernel);
    f->task_count = tasks;
    print_finding(stderr, f);
  }
  card_json_add(run->findings);
  pthread_mutex_unlock(&lock);
}

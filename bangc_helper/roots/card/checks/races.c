/* SPDX-License-Identifier: MIT
 *
 * Reports unordered accesses of two tasks to the same bytes.
 */
#include <stdio.h>

#include "device.h"
#include "locate.h"
#include "parts.h"
#include "segments.h"

struct touch {
  const struct card_act *act;
  uint32_t segment, site;
  bool writes;
  struct card_race race;
  uintptr_t address;
};

static bool touch(struct card_cell *cell, uintptr_t address, uint32_t mask, void *argument) {
  struct touch *t = argument;
  t->address = address;
  return card_race_touch(cell, t->segment, mask, t->site, t->writes, t->act->is_atomic, &t->race);
}

static void report(struct card_core *core, const struct touch *t) {
  const struct card_segment *other = t->race.other;
  struct card_finding finding = {0};
  const bool is_here = other->run == core->run->number;
  if (is_here) {
    finding.other = card_report_launch_site(core->run, t->race.other_site);
  }
  snprintf(finding.what, sizeof(finding.what), "%s %s what %s has %s, and nothing orders them",
           t->act->name, t->writes ? "writes" : "reads",
           other->run == 0 ? "the host"
           : is_here       ? "another task"
                           : "another launch",
           t->race.other_writes ? "written" : "read");
  if (other->is_memory_core) {
    snprintf(finding.other_what, sizeof(finding.other_what), "%s for cluster %u",
             t->race.other_writes ? "write" : "read", (unsigned)other->cluster);
  } else {
    snprintf(finding.other_what, sizeof(finding.other_what), "%s by task %u",
             t->race.other_writes ? "write" : "read", (unsigned)other->actor);
  }
  card_find(core, t->act, CARD_CHECK_RACE, &finding, t->address + t->race.byte, 1);
}

void card_check_race(struct card_core *core, const struct card_act *act,
                     const struct card_operand *operand) {
  struct card_segments segments = card_segments(&operand->side);
  struct touch t = {
      .act = act, .site = card_report_number(core, act->site), .writes = operand->writes};
  uintptr_t start = 0;
  while (card_next_segment(&segments, &start)) {
    const struct card_spot spot = card_locate(core, start);
    if (!spot.is_shared) {
      continue;
    }
    if (t.segment == 0) {
      t.segment = card_race_segment(&core->watch->races, act->is_shared);
    }
    if (card_device_touch(start, segments.side.bytes, touch, &t)) {
      report(core, &t);
      return;
    }
  }
}

/* ---- The host ---- */

/* The host writes memory that a running task has accessed: the finding belongs to that task's
 * launch. */
static bool touch_by_host(struct card_cell *cell, uintptr_t address, uint32_t mask,
                          void *argument) {
  struct touch *t = argument;
  t->address = address;
  return card_race_touch(cell, t->segment, mask, 0, true, false, &t->race);
}

void card_check_host_write(uintptr_t start, size_t bytes) {
  struct touch t = {.segment = card_checks(CARD_CHECK_RACE) ? card_race_host_segment() : 0};
  if (t.segment == 0 || !card_device_touch(start, bytes, touch_by_host, &t)) {
    return;
  }
  struct card_run *run = card_race_running(t.race.other->run);
  if (run == NULL) {
    return;
  }
  struct card_finding finding = {.check = CARD_CHECK_RACE,
                                 .site = card_report_launch_site(run, t.race.other_site),
                                 .task = t.race.other->actor};
  snprintf(finding.what, sizeof(finding.what),
           "a task %s what the host writes, and nothing orders them",
           t.race.other_writes ? "writes" : "reads");
  if (card_report_add_to(run, &finding)) {
    atomic_store(&run->host_found, true);
  }
}

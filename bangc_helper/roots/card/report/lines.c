/* SPDX-License-Identifier: MIT
 *
 * The cost of each source line: its scalar code, as the instrumentation counted it, and the waits
 * of its calls.
 */
#include <stdlib.h>
#include <string.h>

#include "clock/cost.h"
#include "report/collect.h"

static struct report_line *find(struct report_kernel *kernel, uint32_t site) {
  const struct card_site *place = &kernel->sites[site];
  for (size_t i = 0; i < kernel->line_count; ++i) {
    struct report_line *line = &kernel->lines[i];
    if (line->line == place->line && strcmp(line->file, place->file) == 0) return line;
  }
  struct report_line *line = &kernel->lines[kernel->line_count++];
  *line = (struct report_line){.file = place->file, .line = place->line};
  return line;
}

/* The same formula as in card_scalar_cost, so that the lines add up to the cores' scalar time. */
static void add_scalar(const struct card_board *board, struct report_kernel *kernel,
                       const struct card_line *from) {
  struct report_line *line = find(kernel, from->site);
  line->loads += from->loads;
  line->stores += from->stores;
  line->gdram_reads += from->gdram_reads;
  line->gdram_writes += from->gdram_writes;
  const int64_t cycles = (int64_t)from->cycles - (int64_t)from->waits +
                         (int64_t)from->waits * board->scalar_onchip_load_cycles / CARD_LOAD_TO_USE;
  line->spent[CARD_SPENT_SCALAR] +=
      card_cycles(board, cycles) + 1000 * ((int64_t)from->gdram_reads * board->scalar_read_ns +
                                           (int64_t)from->gdram_writes * board->scalar_write_ns);
}

static int compare(const void *a, const void *b) {
  const struct report_line *x = a, *y = b;
  if (x->total != y->total) return x->total > y->total ? -1 : 1;
  const int files = strcmp(x->file, y->file);
  if (files != 0) return files;
  return x->line < y->line ? -1 : x->line > y->line;
}

bool report_make_lines(const struct card_board *board, struct report_kernel *kernel,
                       const struct card_launch *launch) {
  kernel->lines = calloc(kernel->site_count + launch->line_count, sizeof *kernel->lines);
  if (kernel->lines == NULL) return false;
  for (size_t i = 0; i < launch->line_count; ++i) add_scalar(board, kernel, &launch->lines[i]);
  for (uint32_t site = 0; site < kernel->site_count; ++site) {
    const struct card_site_time *time = &kernel->site_times[site];
    int64_t any = time->calls;
    for (int i = 0; i < CARD_SPENT_COUNT; ++i) any += i != CARD_SPENT_SCALAR ? time->spent[i] : 0;
    if (any == 0) continue;
    struct report_line *line = find(kernel, site);
    line->calls += time->calls;
    for (int i = 0; i < CARD_SPENT_COUNT; ++i) {
      /* add_scalar has added the scalar time if the launch has lines. */
      if (i != CARD_SPENT_SCALAR || launch->line_count == 0) line->spent[i] += time->spent[i];
    }
  }
  for (size_t i = 0; i < kernel->line_count; ++i) {
    for (int k = 0; k < CARD_SPENT_COUNT; ++k) {
      kernel->lines[i].total += kernel->lines[i].spent[k];
    }
  }
  qsort(kernel->lines, kernel->line_count, sizeof *kernel->lines, compare);
  return true;
}

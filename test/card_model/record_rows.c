/* SPDX-License-Identifier: MIT
 *
 * usage: card_record_rows ROW
 * Launches one row of the calibration on the card root and prints its time in us; MLUOP_CARD_LOG
 * gets its log.
 */
#include <stdio.h>
#include <string.h>

#include "kernels/kernels.h"

static const struct {
  const char *name;
  void (*run)(cnrtQueue_t queue, void *memory);
} rows[] = {
#define CARD_ROW(name) {#name, row_##name},
#include "kernels/row_names.def"
#undef CARD_ROW
};

/* The largest row needs 7.5 GB, none of which is touched when no_work.c is preloaded. */
static const size_t MEMORY = (size_t)9 << 30;

static int run(void (*row)(cnrtQueue_t queue, void *memory)) {
  cnrtQueue_t queue;
  cnrtNotifier_t start, end;
  void *memory = NULL;
  float us = 0;
  if (cnrtSetDevice(0) != cnrtSuccess || cnrtQueueCreate(&queue) != cnrtSuccess ||
      cnrtNotifierCreate(&start) != cnrtSuccess || cnrtNotifierCreate(&end) != cnrtSuccess ||
      cnrtMalloc(&memory, MEMORY) != cnrtSuccess) {
    return 1;
  }
  cnrtPlaceNotifier(start, queue);
  row(queue, memory);
  cnrtPlaceNotifier(end, queue);
  if (cnrtQueueSync(queue) != cnrtSuccess || cnrtNotifierDuration(start, end, &us) != cnrtSuccess) {
    return 1;
  }
  printf("%.3f\n", us);
  return 0;
}

int main(int argc, char **argv) {
  for (size_t i = 0; argc == 2 && i < sizeof rows / sizeof *rows; ++i) {
    if (strcmp(rows[i].name, argv[1]) == 0) return run(rows[i].run);
  }
  fprintf(stderr, "usage: %s ROW\n", argv[0]);
  return 2;
}

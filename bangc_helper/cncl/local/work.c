/* SPDX-License-Identifier: MIT */
#include "local/work.h"

#include <stdlib.h>
#include <string.h>

#include "cnrt_external.h"
#include "reduce.h"

enum {
  /* Below this, handing a piece to another thread costs more than it saves. */
  SERIAL_BYTES = 256 << 10,
  COPY_PIECE = 1 << 20,
  REDUCE_PIECE = 256 << 10,
  /* Larger copies do not fit in the caches, so they bypass them. */
  STREAM_BYTES = 8 << 20,
};

struct item {
  uint64_t first_piece;
  char *target;
  const char *source;
  size_t bytes; /* of one buffer */
  /* Reductions: the addresses stand in the list of the work, targets first. */
  size_t addresses;
  int target_count;
  int source_count; /* 0: a copy */
  uint32_t type;
  uint32_t op;
};

struct cncl_work {
  void (*finished)(void *argument);
  void *argument;
  struct item *items;
  size_t item_count, item_capacity;
  char **addresses;
  size_t address_count, address_capacity;
  uint64_t pieces;
  size_t total_bytes;
};

struct cncl_work *cncl_work_create(void (*finished)(void *argument), void *argument) {
  struct cncl_work *work = calloc(1, sizeof(*work));
  if (work != NULL) {
    work->finished = finished;
    work->argument = argument;
  }
  return work;
}

void cncl_work_discard(struct cncl_work *work) {
  free(work->items);
  free(work->addresses);
  free(work);
}

static bool grow(void **list, size_t *capacity, size_t wanted, size_t element) {
  if (wanted <= *capacity) {
    return true;
  }
  const size_t larger = wanted < 16 ? 16 : 2 * wanted;
  void *moved = realloc(*list, larger * element);
  if (moved != NULL) {
    *list = moved;
    *capacity = larger;
  }
  return moved != NULL;
}

static size_t piece_bytes(const struct item *item) {
  return item->source_count != 0 ? REDUCE_PIECE : COPY_PIECE;
}

/* Of the piece at an offset; the last one may be shorter. */
static size_t bytes_at(const struct item *item, size_t offset) {
  const size_t left = item->bytes - offset, piece = piece_bytes(item);
  return left < piece ? left : piece;
}

static struct item *add_item(struct cncl_work *work, const struct item *wanted) {
  if (!grow((void **)&work->items, &work->item_capacity, work->item_count + 1,
            sizeof(work->items[0]))) {
    return NULL;
  }
  struct item *item = &work->items[work->item_count++];
  *item = *wanted;
  item->first_piece = work->pieces;
  const size_t piece = piece_bytes(item);
  work->pieces += (item->bytes + piece - 1) / piece;
  work->total_bytes += item->bytes * (size_t)(item->source_count == 0 ? 1 : item->source_count);
  return item;
}

bool cncl_work_add_copy(struct cncl_work *work, char *target, const char *source, size_t bytes) {
  const struct item item = {.target = target, .source = source, .bytes = bytes};
  return bytes == 0 || target == source || add_item(work, &item) != NULL;
}

bool cncl_work_add_reduction(struct cncl_work *work, char *const *targets, int target_count,
                             const char *const *sources, int source_count, size_t count,
                             uint32_t type, uint32_t op) {
  if (count == 0) {
    return true;
  }
  const size_t more = (size_t)target_count + (size_t)source_count;
  if (!grow((void **)&work->addresses, &work->address_capacity, work->address_count + more,
            sizeof(work->addresses[0]))) {
    return false;
  }
  const struct item item = {.bytes = count * cncl_type_size(type),
                            .addresses = work->address_count,
                            .target_count = target_count,
                            .source_count = source_count,
                            .type = type,
                            .op = op};
  memcpy(work->addresses + work->address_count, targets,
         (size_t)target_count * sizeof(work->addresses[0]));
  memcpy(work->addresses + work->address_count + target_count, sources,
         (size_t)source_count * sizeof(work->addresses[0]));
  work->address_count += more;
  return add_item(work, &item) != NULL;
}

/* ---- Doing it ---- */

static void reduce_piece(const struct cncl_work *work, const struct item *item, size_t offset,
                         size_t bytes) {
  const size_t size = cncl_type_size(item->type);
  char *const *targets = work->addresses + item->addresses;
  const char *const *sources = (const char *const *)(targets + item->target_count);
  cncl_reduce(targets, item->target_count, sources, item->source_count, offset / size, bytes / size,
              item->type, item->op);
}

static void run_item_piece(const struct cncl_work *work, const struct item *item, size_t index) {
  const size_t offset = index * piece_bytes(item);
  const size_t bytes = bytes_at(item, offset);
  if (item->source_count != 0) {
    reduce_piece(work, item, offset, bytes);
  } else if (work->total_bytes >= STREAM_BYTES) {
    cnrtxStream(item->target + offset, item->source + offset, bytes);
  } else {
    memcpy(item->target + offset, item->source + offset, bytes);
  }
}

static void run_piece(void *argument, uint64_t index) {
  const struct cncl_work *work = argument;
  size_t low = 0;
  size_t high = work->item_count;
  while (high - low > 1) { /* the last item that starts at or before the piece */
    const size_t middle = low + (high - low) / 2;
    if (work->items[middle].first_piece <= index) {
      low = middle;
    } else {
      high = middle;
    }
  }
  run_item_piece(work, &work->items[low], (size_t)(index - work->items[low].first_piece));
}

static void finish(void *argument) {
  struct cncl_work *work = argument;
  work->finished(work->argument);
  cncl_work_discard(work);
}

/* ---- The same where the host cannot reach the buffers ---- */

/* Through memory of the host. */
static void reduce_apart(const struct cncl_work *work, const struct item *item, size_t offset,
                         size_t bytes) {
  char *const *targets = work->addresses + item->addresses;
  char *const *sources = targets + item->target_count;
  const size_t size = cncl_type_size(item->type);
  char *copies = malloc(bytes * (size_t)item->source_count);
  const char **list = malloc((size_t)item->source_count * sizeof(*list));
  if (copies != NULL && list != NULL) {
    for (int i = 0; i < item->source_count; ++i) {
      list[i] = copies + bytes * (size_t)i;
      cnrtxStream(copies + bytes * (size_t)i, sources[i] + offset, bytes);
    }
    cncl_reduce(&copies, 1, list, item->source_count, 0, bytes / size, item->type, item->op);
    for (int i = 0; i < item->target_count; ++i) {
      cnrtxStream(targets[i] + offset, copies, bytes);
    }
  }
  free(list);
  free(copies);
}

/* The device does all copies together: waiting takes longer than a copy of a few bytes. */
static void copy_apart(const struct cncl_work *work) {
  size_t count = 0;
  void **targets = malloc(work->item_count * sizeof(*targets));
  const void **sources = malloc(work->item_count * sizeof(*sources));
  size_t *bytes = malloc(work->item_count * sizeof(*bytes));
  const bool is_listed = targets != NULL && sources != NULL && bytes != NULL;
  for (size_t i = 0; i < work->item_count; ++i) {
    const struct item *item = &work->items[i];
    if (item->source_count != 0) {
      continue;
    }
    if (is_listed) {
      targets[count] = item->target;
      sources[count] = item->source;
      bytes[count++] = item->bytes;
    } else {
      cnrtxStream(item->target, item->source, item->bytes);
    }
  }
  cnrtxStreamAll(targets, sources, bytes, count);
  free(bytes);
  free(sources);
  free(targets);
}

static void run_apart(const struct cncl_work *work) {
  copy_apart(work);
  for (size_t i = 0; i < work->item_count; ++i) {
    const struct item *item = &work->items[i];
    for (size_t offset = 0; item->source_count != 0 && offset < item->bytes;
         offset += piece_bytes(item)) {
      reduce_apart(work, item, offset, bytes_at(item, offset));
    }
  }
}

void cncl_work_run(struct cncl_work *work, bool leave) {
  if (!cnrtxHostReaches()) {
    run_apart(work);
    finish(work);
    return;
  }
  if (work->total_bytes >= SERIAL_BYTES) {
    cnrtxShare(work->pieces, run_piece, finish, work, leave ? CNRTX_SHARE_LEAVE : CNRTX_SHARE_HELP);
    return;
  }
  for (uint64_t piece = 0; piece < work->pieces; ++piece) {
    run_piece(work, piece);
  }
  finish(work);
}

/* SPDX-License-Identifier: MIT */
#include "clock/link.h"

#include <stdlib.h>

/* Units of 1e-9 bytes: 1 byte/ms times 1 ps. */
#define UNITS_PER_BYTE INT64_C(1000000000)

bool card_link_init(struct card_link *link, int64_t mb_per_s, size_t size) {
  *link = (struct card_link){.capacity = mb_per_s * 1000, .size = size};
  link->flows = calloc(size, sizeof *link->flows);
  return link->flows != NULL;
}

void card_link_destroy(struct card_link *link) {
  free(link->flows);
  link->flows = NULL;
}

static void advance(struct card_link *link, int64_t now) {
  const int64_t passed = now - link->updated;
  for (size_t i = 0; i < link->count && passed > 0; ++i) {
    const int64_t moved = link->flows[i].rate * passed;
    link->flows[i].remaining -= moved < link->flows[i].remaining ? moved : link->flows[i].remaining;
  }
  link->updated = now;
}

/* A flow whose limit is below an equal share gets its limit; the others divide the rest equally. */
static void share(struct card_link *link) {
  int64_t left = link->capacity;
  size_t sharing = link->count;
  for (size_t i = 0; i < link->count; ++i) link->flows[i].rate = 0;
  bool limited = true;
  while (limited && sharing > 0) {
    limited = false;
    const int64_t part = left / (int64_t)sharing;
    for (size_t i = 0; i < link->count; ++i) {
      struct card_flow *flow = &link->flows[i];
      if (flow->rate == 0 && flow->limit <= part) {
        flow->rate = flow->limit;
        left -= flow->limit;
        --sharing;
        limited = true;
      }
    }
  }
  const int64_t part = sharing > 0 ? left / (int64_t)sharing : 0;
  link->total = 0;
  for (size_t i = 0; i < link->count; ++i) {
    if (link->flows[i].rate == 0) link->flows[i].rate = part > 0 ? part : 1;
    link->total += link->flows[i].rate;
  }
}

void card_link_begin(struct card_link *link, int64_t now, uint32_t owner, int64_t bytes,
                     int64_t limit) {
  advance(link, now);
  link->flows[link->count++] = (struct card_flow){
      .owner = owner, .remaining = bytes * UNITS_PER_BYTE, .limit = limit > 0 ? limit : 1};
  share(link);
}

int64_t card_link_next(const struct card_link *link) {
  int64_t next = INT64_MAX;
  for (size_t i = 0; i < link->count; ++i) {
    const struct card_flow *flow = &link->flows[i];
    const int64_t end = link->updated + (flow->remaining + flow->rate - 1) / flow->rate;
    if (end < next) next = end;
  }
  return next;
}

bool card_link_end(struct card_link *link, int64_t now, uint32_t *owner) {
  advance(link, now);
  for (size_t i = 0; i < link->count; ++i) {
    if (link->flows[i].remaining == 0) {
      *owner = link->flows[i].owner;
      link->flows[i] = link->flows[--link->count];
      share(link);
      return true;
    }
  }
  return false;
}

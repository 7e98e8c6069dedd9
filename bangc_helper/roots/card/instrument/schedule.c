/* SPDX-License-Identifier: MIT
 *
 * List scheduling: each cycle issues the first ready instruction of a window in program order. This
 * models a compiler that moves code within a block and hardware that waits for operands.
 */
#include "schedule.h"

#include <stdlib.h>
#include <string.h>

#include "cost.h"
#include "events.h"
#include "map.h"
#include "support.h"

struct node {
  struct cost cost;
  uint32_t ready;  /* when its operands are ready */
  uint32_t finish; /* when its result is ready; valid once it is issued */
  bool waits_for_load;
  bool issued;
};

/* Finds when a step's operands are ready. `numbers` maps instructions of this stretch to their step
 * + 1. */
static void find_ready(struct node *nodes, const struct step *steps, size_t index,
                       const struct map *numbers, bool *known) {
  struct node *node = &nodes[index];
  LLVMValueRef instruction = steps[index].instruction;
  const int count = LLVMGetNumOperands(instruction);
  node->ready = 0;
  node->waits_for_load = false;
  *known = true;
  if (LLVMIsAPHINode(instruction) != NULL) { /* its values come from other blocks */
    return;
  }
  for (int i = 0; i < count; ++i) {
    const uint64_t *number =
        map_find(numbers, (uint64_t)(uintptr_t)LLVMGetOperand(instruction, (unsigned)i));
    if (number == NULL || *number > index) {
      continue;
    }
    const struct node *from = &nodes[*number - 1];
    if (!from->issued) {
      *known = false;
    } else if (from->finish > node->ready) {
      node->ready = from->finish;
      node->waits_for_load = from->cost.loads || (from->cost.slots == 0 && from->waits_for_load);
    }
  }
}

/* Chooses the step to issue next: the first of the window that is ready at `now`, else the one that
 * is ready first. */
static size_t choose(struct node *nodes, const struct step *steps, size_t count, size_t first,
                     uint32_t now, const struct map *numbers) {
  const unsigned window = cost_window();
  size_t best = count;
  for (size_t i = first, seen = 0; i < count && seen < window; ++i) {
    if (nodes[i].issued) {
      continue;
    }
    ++seen;
    bool known = false;
    find_ready(nodes, steps, i, numbers, &known);
    if (!known) {
      continue;
    }
    if (nodes[i].ready <= now) {
      return i;
    }
    if (best == count || nodes[i].ready < nodes[best].ready) {
      best = i;
    }
  }
  return best;
}

/* The end of a stretch waits for loads in flight, since the next block may need them. */
static void drain(struct step *steps, const struct node *nodes, size_t count, uint32_t now) {
  size_t last = count;
  for (size_t i = 0; i < count; ++i) {
    if (nodes[i].cost.loads && nodes[i].finish > now) {
      now = nodes[i].finish;
      last = i;
    }
  }
  if (last == count) {
    return;
  }
  uint32_t before = 0;
  for (size_t i = 0; i < count; ++i) {
    before += steps[i].cycles;
  }
  steps[last].cycles += now - before;
  steps[last].waits += now - before;
}

void schedule(struct step *steps, size_t count) {
  struct node *nodes = allocate(count + 1, sizeof(*nodes));
  struct map numbers = {0};
  for (size_t i = 0; i < count; ++i) {
    nodes[i].cost = cost_of(steps[i].instruction, steps[i].layer);
    steps[i].slots = nodes[i].cost.slots;
    steps[i].loads = nodes[i].cost.loads;
    steps[i].stores = nodes[i].cost.stores;
    steps[i].cycles = steps[i].waits = 0;
    *map_put(&numbers, (uint64_t)(uintptr_t)steps[i].instruction, NULL) = i + 1;
  }
  uint32_t now = 0;
  size_t first = 0;
  for (size_t done = 0; done < count; ++done) {
    while (nodes[first].issued) {
      ++first;
    }
    const size_t index = choose(nodes, steps, count, first, now, &numbers);
    struct node *node = &nodes[index];
    const bool free_of_charge = node->cost.slots == 0;
    node->issued = true;
    if (free_of_charge) { /* its result is ready when its operands are */
      node->finish = node->ready + node->cost.latency;
      continue;
    }
    const uint32_t start = node->ready > now ? node->ready : now;
    const uint32_t wait = start - now;
    steps[index].cycles = wait + node->cost.slots;
    steps[index].waits = node->waits_for_load ? wait : 0;
    now = start + node->cost.slots;
    node->finish = start + node->cost.latency;
  }
  drain(steps, nodes, count, now);
  map_free(&numbers);
  free(nodes);
}

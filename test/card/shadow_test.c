/* SPDX-License-Identifier: MIT
 *
 * State per byte of on-chip memory and of device memory.
 */
#include "checks/shadow.h"

#include "check.h"
#include "checks/device.h"

static void test_shadow(void) {
  static char memory[1 << 12];
  struct card_shadow shadow;
  CHECK(card_shadow_open(&shadow, memory, sizeof(memory), true));
  CHECK(card_shadow_has(&shadow, (uintptr_t)memory + sizeof(memory) - 1));
  CHECK(!card_shadow_has(&shadow, (uintptr_t)memory + sizeof(memory)));
  card_shadow_set(&shadow, 100, 33, CARD_SHADOW_OBJECT);
  CHECK(card_shadow_find_without(&shadow, 100, 33, CARD_SHADOW_OBJECT) == 33);
  CHECK(card_shadow_find_without(&shadow, 100, 40, CARD_SHADOW_OBJECT) == 33);
  CHECK(card_shadow_find_without(&shadow, 99, 10, CARD_SHADOW_OBJECT) == 0);
  CHECK(card_shadow_find_without(&shadow, 100, 33, CARD_SHADOW_WRITTEN) == 0);
  card_shadow_unset(&shadow, 120, 1, CARD_SHADOW_OBJECT);
  CHECK(card_shadow_find_without(&shadow, 100, 33, CARD_SHADOW_OBJECT) == 20);
  card_shadow_clear(&shadow);
  CHECK(card_shadow_find_without(&shadow, 100, 1, CARD_SHADOW_OBJECT) == 0);
  card_shadow_close(&shadow);
}

/* Addresses need not exist: they are never dereferenced. */
static void test_device(void) {
  const uintptr_t start = ((uintptr_t)5 << 32) + (1 << 16) - 100;
  CHECK(card_device_find_unwritten(start, 10) == 0);
  card_device_set_written(start + 3, 190);
  CHECK(card_device_find_unwritten(start + 3, 190) == 190);
  CHECK(card_device_find_unwritten(start + 3, 200) == 190);
  CHECK(card_device_find_unwritten(start, 200) == 0);
  card_device_forget(start + 150, 1);
  CHECK(card_device_find_unwritten(start + 3, 190) == 147);
}

struct seen {
  unsigned cells;
  unsigned bytes;
};

static bool count(struct card_cell *cell, uintptr_t address, uint32_t mask, void *argument) {
  struct seen *seen = argument;
  CHECK(address % CARD_CELL_BYTES == 0);
  ++seen->cells;
  seen->bytes += (unsigned)__builtin_popcount(mask);
  return cell == NULL;
}

static void test_cells(void) {
  struct seen seen = {0, 0};
  CHECK(!card_device_touch(((uintptr_t)6 << 32) + (1 << 16) - 5, 70, count, &seen));
  CHECK(seen.cells == 4 && seen.bytes == 70);
}

int main(void) {
  test_shadow();
  test_device();
  test_cells();
  return check_result();
}

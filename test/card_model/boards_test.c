/* SPDX-License-Identifier: MIT
 *
 * Every board has every constant with a source, and is found by its name.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "board.h"

static int failures;

static void expect(bool ok, const char *what, const char *detail) {
  if (ok) return;
  ++failures;
  fprintf(stderr, "FAILED: %s (%s)\n", what, detail);
}

static void check_constants(const struct card_board *board) {
  struct card_constant constant;
  size_t count = 0;
  for (; card_board_constant(board, count, &constant); ++count) {
    char where[128];
    snprintf(where, sizeof where, "%s, %s", board->name, constant.name);
    expect(constant.source != 0 && constant.note != NULL && constant.note[0] != '\0',
           "a constant has a source", where);
    expect(constant.value > 0, "a constant has a value", where);
    struct card_board copy = *board;
    int64_t *place = card_board_value(&copy, constant.name);
    expect(place != NULL && *place == constant.value, "a constant is found by its name", where);
    expect(strcmp(card_source_name(constant.source), "unknown") != 0, "its source has a name",
           where);
    /* Constants are fitted to measurements on calibrated boards only. */
    expect(!board->extrapolated || constant.source != CARD_FITTED, "extrapolated, not fitted",
           where);
  }
  expect(count > 50, "there are constants", board->name);
}

static void check_relations(const struct card_board *board) {
  const char *name = board->name;
  expect(board->dram_mb_per_s <= board->peak_dram_mb_per_s, "less than the peak", name);
  expect(board->core_dram_mb_per_s < board->dram_mb_per_s, "a core has a part", name);
  expect(board->largest_union <= board->clusters, "a union fits", name);
  const int64_t bus = board->bus_bits * board->memory_clock_khz / 4000; /* two transfers a cycle */
  expect(bus * 10 > board->peak_dram_mb_per_s * 9 && bus * 9 < board->peak_dram_mb_per_s * 10,
         "bus and clock make the peak", name);
}

/* Constants inherited from another board: documented ones stay documented, fitted ones become
 * extrapolated with a note that names the board. */
static void check_taken_over(const char *name) {
  struct card_constant constant;
  bool documented = false;
  bool extrapolated = false;
  for (size_t i = 0; card_board_constant(card_board_find(name), i, &constant); ++i) {
    if (strcmp(constant.name, "vector_bytes_per_cycle") == 0) {
      documented = constant.value == 128 && constant.source == CARD_DOCUMENTED;
    } else if (strcmp(constant.name, "vector_start_cycles") == 0) {
      extrapolated =
          constant.source == CARD_EXTRAPOLATED && strcmp(constant.note, "as on an MLU370-X4") == 0;
    }
  }
  expect(documented, "a documented constant is taken over", name);
  expect(extrapolated, "a fitted constant is taken over", name);
}

/* Prints the table of all boards' constants in docs/card_model.md. */
static void print_markdown(void) {
  struct card_constant constant;
  fputs("| constant | unit | meaning |", stdout);
  for (size_t i = 0; card_board_at(i) != NULL; ++i) printf(" %s |", card_board_at(i)->name);
  fputs("\n|---|---|---|", stdout);
  for (size_t i = 0; card_board_at(i) != NULL; ++i) fputs("---|", stdout);
  putchar('\n');
  for (size_t k = 0; card_board_constant(card_board_at(0), k, &constant); ++k) {
    printf("| `%s` | %s | %s |", constant.name, constant.unit, constant.meaning);
    for (size_t i = 0; card_board_at(i) != NULL; ++i) {
      card_board_constant(card_board_at(i), k, &constant);
      printf(" %lld %.3s |", (long long)constant.value, card_source_name(constant.source));
    }
    putchar('\n');
  }
}

int main(int argc, char **argv) {
  static const char *const wanted[] = {"MLU370-X4", "MLU370-X8", "MLU370-M8", "MLU590-M9",
                                       "MLU590-H8", "MLU290",    "MLU270"};
  if (argc > 1 && strcmp(argv[1], "chosen") == 0) { /* the board that the environment names */
    const struct card_board *chosen = card_board_chosen();
    printf("%s\n", chosen != NULL ? chosen->name : card_board_names());
    return 0;
  }
  if (argc > 1 && strcmp(argv[1], "markdown") == 0) {
    print_markdown();
    return 0;
  }
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; ++i) {
    const struct card_board *board = card_board_find(wanted[i]);
    expect(board != NULL && board == card_board_at(i), "a board is known", wanted[i]);
    if (board == NULL) continue;
    expect(strstr(card_board_names(), wanted[i]) != NULL, "the list has it", wanted[i]);
    check_constants(board);
    check_relations(board);
  }
  check_taken_over("MLU370-X8");
  check_taken_over("MLU590-H8"); /* inherited through the MLU590-M9 */
  expect(card_board_find("mlu370-x4") == card_board_at(0), "in any case", "mlu370-x4");
  expect(card_board_find("MLU999") == NULL, "an unknown name", "MLU999");
  expect(card_board_at(sizeof wanted / sizeof *wanted) == NULL, "no more", "");
  return failures > 0;
}

/* SPDX-License-Identifier: MIT */
#include <stdio.h>

#include "model.h"

int main(void) {
  static int64_t tokens[STEPS][BATCH], expected[STEPS][BATCH];
  make_model();
  decode_with_library(tokens);
  decode_in_plain_c(expected);
  int wrong = 0;
  for (int b = 0; b < BATCH; ++b) {
    printf("sequence %d:", b);
    for (int step = 0; step < STEPS; ++step) {
      printf(" %lld", (long long)tokens[step][b]);
      wrong += tokens[step][b] != expected[step][b];
    }
    puts("");
  }
  printf("%d tokens differ from the loop in plain C\n%s\n", wrong, wrong ? "FAIL" : "PASS");
  return wrong != 0;
}

/* SPDX-License-Identifier: MIT
 *
 * The loop without the library, as reference. */
#include <math.h>
#include <string.h>

#include "model.h"

/* Sums over a token's experts in ascending order, as the library does. */
static void run_layer(Step *step) {
  for (int b = 0; b < BATCH; ++b) {
    float sum[HIDDEN] = {0};
    for (int e = 0; e < EXPERTS; ++e) {
      if (!step->map[b][e]) continue;
      float row[HIDDEN];
      memcpy(row, step->states[b], sizeof row);
      run_expert(e, row);
      for (int i = 0; i < HIDDEN; ++i) sum[i] += row[i] * step->probs[b][e];
    }
    memcpy(step->states[b], sum, sizeof sum);
  }
}

/* Top-k, then top-p, then the token with the largest probability divided by noise. Noise is indexed
 * by rank. */
static int64_t sample(const float *logits, const float *noise, int top_k) {
  int order[VOCAB], best = 0;
  for (int v = 0; v < VOCAB; ++v) {
    int place = v;
    for (; place > 0 && logits[order[place - 1]] < logits[v]; --place)
      order[place] = order[place - 1];
    order[place] = v;
  }
  double weight[VOCAB], total = 0, before = 0, greatest = -1;
  for (int i = 0; i < top_k; ++i) total += weight[i] = exp(logits[order[i]] - logits[order[0]]);
  for (int i = 0; i < top_k && before < TOP_P * total; ++i) {
    if (weight[i] / noise[i] > greatest) {
      greatest = weight[i] / noise[i];
      best = order[i];
    }
    before += weight[i];
  }
  return best;
}

void decode_in_plain_c(int64_t tokens[STEPS][BATCH]) {
  static Step step;
  static float history[BATCH][STEPS][HIDDEN];
  for (int number = 0; number < STEPS; ++number) {
    start_step(&step, number);
    run_layer(&step);
    for (int b = 0; b < BATCH; ++b) {
      float past[WINDOW][HIDDEN];
      int count = number + 1 < WINDOW ? number + 1 : WINDOW;
      memcpy(history[b][number], step.states[b], sizeof step.states[b]);
      for (int w = 0; w < count; ++w) memcpy(past[w], history[b][number - w], sizeof past[w]);
      make_logits(step.states[b], past[0], count, step.logits[b]);
      step.drawn[b] = sample(step.logits[b], step.noise[b], top_k_of(b));
    }
    memcpy(tokens[number], step.drawn, sizeof step.drawn);
  }
}

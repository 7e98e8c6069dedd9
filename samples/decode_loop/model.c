/* SPDX-License-Identifier: MIT
 *
 * The parts of the model in plain C, which both versions use. */
#include "model.h"

#include <math.h>
#include <string.h>

static float embedding[VOCAB][HIDDEN], head[VOCAB][HIDDEN], router[EXPERTS][HIDDEN],
    expert_gain[EXPERTS][HIDDEN];

static uint32_t next_random(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static float uniform(uint32_t *state) {
  return (float)next_random(state) / (float)(1 << 24);
}

static void fill(float (*matrix)[HIDDEN], int rows, float least, uint32_t *state) {
  for (int r = 0; r < rows; ++r)
    for (int i = 0; i < HIDDEN; ++i) matrix[r][i] = least + uniform(state);
}

void make_model(void) {
  uint32_t state = 7;
  fill(embedding, VOCAB, -0.5f, &state);
  fill(head, VOCAB, -0.5f, &state);
  fill(router, EXPERTS, -0.5f, &state);
  fill(expert_gain, EXPERTS, 0.5f, &state);
}

static float dot(const float *a, const float *b) {
  float sum = 0;
  for (int i = 0; i < HIDDEN; ++i) sum += a[i] * b[i];
  return sum;
}

/* The two experts with the highest scores, and softmax weights for them. */
static void route(const float *token, int8_t *map, float *probs) {
  float score[EXPERTS];
  int best = 0, second = -1;
  for (int e = 0; e < EXPERTS; ++e) {
    score[e] = dot(token, router[e]);
    if (score[e] > score[best]) best = e;
  }
  for (int e = 0; e < EXPERTS; ++e)
    if (e != best && (second < 0 || score[e] > score[second])) second = e;
  memset(map, 0, EXPERTS);
  memset(probs, 0, EXPERTS * sizeof *probs);
  map[best] = map[second] = 1;
  probs[best] = 1 / (1 + expf(score[second] - score[best]));
  probs[second] = 1 - probs[best];
}

void run_expert(int expert, float *row) {
  for (int i = 0; i < HIDDEN; ++i) row[i] = tanhf(row[i] * expert_gain[expert][i]);
}

void make_logits(const float *state, const float *past, int past_count, float *logits) {
  float mixed[HIDDEN];
  for (int i = 0; i < HIDDEN; ++i) {
    mixed[i] = state[i];
    for (int j = 0; j < past_count; ++j) mixed[i] += past[j * HIDDEN + i] / (float)past_count;
  }
  for (int v = 0; v < VOCAB; ++v) logits[v] = 4 * dot(mixed, head[v]);
}

void start_step(Step *step, int number) {
  uint32_t state = 1000u + (uint32_t)number;
  for (int b = 0; b < BATCH; ++b) {
    memcpy(step->states[b], embedding[step->drawn[b]], sizeof step->states[b]);
    route(step->states[b], step->map[b], step->probs[b]);
    for (int v = 0; v < VOCAB; ++v) step->noise[b][v] = -logf(uniform(&state) + 0x1p-25f);
  }
}

int top_k_of(int sequence) {
  return 8 + sequence;
}

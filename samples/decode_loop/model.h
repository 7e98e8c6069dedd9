/* SPDX-License-Identifier: MIT
 *
 * A toy language model that draws token by token: embedding, a mixture-of-experts layer, a paged
 * cache of past states, logits, sampling. Operators of the library move, sum and sample. The
 * router, the experts and the logits are plain C here; in a real model they are matrix products. A
 * second version without the library must draw the same tokens. */
#ifndef MODEL_H_
#define MODEL_H_

#include <stdint.h>

enum {
  BATCH = 4,   /* sequences decoded together */
  STEPS = 24,  /* tokens drawn per sequence */
  HIDDEN = 48, /* width of the model */
  VOCAB = 96,  /* tokens */
  EXPERTS = 6, /* experts of the layer */
  TOP_K = 2,   /* experts per token */
  WINDOW = 4,  /* past states that a step reads */
  PAGE = 8,    /* rows per page of the cache */
  PAGES = STEPS / PAGE,
  ROWS = BATCH * TOP_K
};

/* The data of one step of all sequences. */
typedef struct Step {
  float states[BATCH][HIDDEN];
  int8_t map[BATCH][EXPERTS];
  float probs[BATCH][EXPERTS];
  float logits[BATCH][VOCAB];
  float noise[BATCH][VOCAB];
  int64_t drawn[BATCH];
} Step;

void make_model(void);
/* Sets the states of the tokens drawn last, their routing, and this step's noise. */
void start_step(Step *step, int number);
void run_expert(int expert, float *row);
/* Logits of the state plus the mean of `past_count` past states. */
void make_logits(const float *state, const float *past, int past_count, float *logits);
int top_k_of(int sequence);
#define TOP_P 0.9f

/* The two versions; both fill tokens[step][sequence]. */
void decode_with_library(int64_t tokens[STEPS][BATCH]);
void decode_in_plain_c(int64_t tokens[STEPS][BATCH]);

#endif /* MODEL_H_ */

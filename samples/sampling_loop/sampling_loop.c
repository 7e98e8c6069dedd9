/* SPDX-License-Identifier: MIT
 *
 * Logits in, token out, in a loop: a million draws from one distribution, and a chi-square test of
 * whether their frequencies match the filtered softmax. The program generates the noise itself; the
 * operator adds no randomness. usage: sampling_loop [STEPS of 1000 draws each] */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mlu_op.h"

#define CHECK(call)                                                               \
  do {                                                                            \
    int status_ = (int)(call);                                                    \
    if (status_ != 0) {                                                           \
      fprintf(stderr, "%s:%d: %s gave %d\n", __FILE__, __LINE__, #call, status_); \
      return 1;                                                                   \
    }                                                                             \
  } while (0)

enum { BATCH = 1000, STEPS = 1000, VOCAB = 40, TOP_K = 20 };
#define TOP_P 0.9f

/* Device tensors of the loop. The host could write the memory of this Neuware's CPU device
 * directly; this program copies, so that it also runs on a card. */
typedef struct Tensor {
  mluOpTensorDescriptor_t desc;
  void *data;
  size_t bytes;
} Tensor;

static int make_tensor(Tensor *tensor, mluOpDataType_t dtype, size_t size, int rank) {
  const int dims[2] = {BATCH, VOCAB};
  tensor->bytes = size * BATCH * (rank == 2 ? VOCAB : 1);
  CHECK(mluOpCreateTensorDescriptor(&tensor->desc));
  CHECK(mluOpSetTensorDescriptor(tensor->desc, MLUOP_LAYOUT_ARRAY, dtype, rank, dims));
  CHECK(cnrtMalloc(&tensor->data, tensor->bytes));
  return 0;
}

static void free_tensor(Tensor *tensor) {
  mluOpDestroyTensorDescriptor(tensor->desc);
  cnrtFree(tensor->data);
}

static int send(const Tensor *tensor, const void *host) {
  CHECK(cnrtMemcpy(tensor->data, (void *)host, tensor->bytes, cnrtMemcpyHostToDev));
  return 0;
}

static uint64_t next_random(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* Exponential noise from 53 random bits, for a long tail. */
static float exponential(uint64_t *state) {
  return (float)-log(((double)(next_random(state) >> 11) + 0.5) * 0x1p-53);
}

/* The expected distribution: softmax over the tokens that top-k and top-p keep, 0 for others.
 * Returns how many are kept. */
static int expected_probabilities(const float *logits, double *probability) {
  int order[VOCAB];
  for (int i = 0; i < VOCAB; ++i) {
    int place = i;
    for (; place > 0 && logits[order[place - 1]] < logits[i]; --place)
      order[place] = order[place - 1];
    order[place] = i;
  }
  double total = 0, before = 0, kept_total = 0;
  for (int i = 0; i < TOP_K; ++i) total += exp(logits[order[i]]);
  int kept = 0;
  while (kept < TOP_K && before < TOP_P * total) before += exp(logits[order[kept++]]);
  memset(probability, 0, VOCAB * sizeof *probability);
  for (int i = 0; i < kept; ++i) kept_total += exp(logits[order[i]]);
  for (int i = 0; i < kept; ++i) probability[order[i]] = exp(logits[order[i]]) / kept_total;
  return kept;
}

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Prints the frequencies. Returns whether they fit: chi-square within five standard deviations of
 * its mean, and no filtered token drawn. */
static int report(const int64_t *drawn, const double *probability, int kept, int steps) {
  const double draws = (double)BATCH * steps;
  double chi_square = 0;
  int is_inside = 1;
  printf("token  expected   drawn\n");
  for (int v = 0; v < VOCAB; ++v) {
    if (probability[v] == 0) {
      is_inside = is_inside && drawn[v] == 0;
      continue;
    }
    double wanted = probability[v] * draws;
    chi_square += ((double)drawn[v] - wanted) * ((double)drawn[v] - wanted) / wanted;
    printf("%5d  %8.0f  %7lld\n", v, wanted, (long long)drawn[v]);
  }
  double freedom = kept - 1;
  double deviations = (chi_square - freedom) / sqrt(2 * freedom);
  printf("chi-square %.2f with %.0f degrees of freedom (%.2f standard deviations from the mean)\n",
         chi_square, freedom, deviations);
  return is_inside && fabs(deviations) < 5;
}

int main(int argc, char **argv) {
  const int steps = argc > 1 ? atoi(argv[1]) : STEPS;
  static float logits[BATCH][VOCAB], noise[BATCH][VOCAB], top_p[BATCH];
  static int32_t top_k[BATCH];
  static int64_t token[BATCH];
  uint64_t state = 2026;
  for (int v = 0; v < VOCAB; ++v) logits[0][v] = 2 * (exponential(&state) - 1);
  for (int b = 0; b < BATCH; ++b) {
    memcpy(logits[b], logits[0], sizeof logits[0]);
    top_k[b] = TOP_K;
    top_p[b] = TOP_P;
  }

  CHECK(cnrtSetDevice(0));
  cnrtQueue_t queue;
  CHECK(cnrtQueueCreate(&queue));
  mluOpHandle_t handle;
  CHECK(mluOpCreate(&handle));
  CHECK(mluOpSetQueue(handle, queue));
  Tensor logits_dev, k_dev, p_dev, noise_dev, token_dev;
  CHECK(make_tensor(&logits_dev, MLUOP_DTYPE_FLOAT, sizeof(float), 2));
  CHECK(make_tensor(&k_dev, MLUOP_DTYPE_INT32, sizeof(int32_t), 1));
  CHECK(make_tensor(&p_dev, MLUOP_DTYPE_FLOAT, sizeof(float), 1));
  CHECK(make_tensor(&noise_dev, MLUOP_DTYPE_FLOAT, sizeof(float), 2));
  CHECK(make_tensor(&token_dev, MLUOP_DTYPE_INT64, sizeof(int64_t), 1));
  CHECK(send(&logits_dev, logits));
  CHECK(send(&k_dev, top_k));
  CHECK(send(&p_dev, top_p));
  size_t workspace_size;
  void *workspace = NULL;
  CHECK(mluOpGetTopKTopPSampleWorkspaceSize(handle, logits_dev.desc, &workspace_size));
  if (workspace_size > 0) CHECK(cnrtMalloc(&workspace, workspace_size));

  int64_t drawn[VOCAB] = {0};
  double in_operator = 0;
  for (int step = 0; step < steps; ++step) {
    for (int b = 0; b < BATCH; ++b)
      for (int v = 0; v < VOCAB; ++v) noise[b][v] = exponential(&state);
    CHECK(send(&noise_dev, noise));
    double start = now_s();
    CHECK(mluOpTopKTopPSample(handle, logits_dev.desc, logits_dev.data, k_dev.desc, k_dev.data,
                              p_dev.desc, p_dev.data, noise_dev.desc, noise_dev.data, 1e-8f, false,
                              32, workspace, workspace_size, token_dev.desc, token_dev.data, NULL,
                              NULL));
    CHECK(cnrtQueueSync(queue));
    in_operator += now_s() - start;
    CHECK(cnrtMemcpy(token, token_dev.data, token_dev.bytes, cnrtMemcpyDevToHost));
    for (int b = 0; b < BATCH; ++b) {
      if (token[b] < 0 || token[b] >= VOCAB) {
        fprintf(stderr, "token %lld is none\n", (long long)token[b]);
        return 1;
      }
      ++drawn[token[b]];
    }
  }

  double probability[VOCAB];
  int kept = expected_probabilities(logits[0], probability);
  int is_good = report(drawn, probability, kept, steps);
  printf("%d draws, %.2f us each in the operator\n%s\n", BATCH * steps,
         in_operator * 1e6 / BATCH / steps, is_good ? "PASS" : "FAIL");

  if (workspace != NULL) cnrtFree(workspace);
  free_tensor(&logits_dev);
  free_tensor(&k_dev);
  free_tensor(&p_dev);
  free_tensor(&noise_dev);
  free_tensor(&token_dev);
  CHECK(mluOpDestroy(handle));
  CHECK(cnrtQueueDestroy(queue));
  return !is_good;
}

/* SPDX-License-Identifier: MIT
 *
 * Matrix products whose rows have whole 64 bytes, on every instruction set, some of which multiply
 * them by matrix instructions: bfloat16 sums are within the documented bound of the exact ones,
 * sums of 8-bit integers are exact, and a sum depends on its two rows alone.
 */
#include <math.h>
#include <string.h>

#include "bang/table.h"
#include "bang/vector_api.h"
#include "harness.h"

enum { LANES = 64, LANE_BYTES = 8 << 10, MAX_M = 49, MAX_N = 70, MAX_K = 1088 };
static long checked;
static const char *isa_name;

/* Instruction sets without matrix instructions give the bits of plain loops. */
static int has_matrix_unit(void) {
  return strstr(isa_name, "bf16") != NULL || strstr(isa_name, "amx") != NULL;
}

typedef struct Problem {
  int type, m, k, n;
  uint8_t src[MAX_M * MAX_K * 2], weight[LANES * LANE_BYTES];
} Problem;

/* Numbers from low to high by their bits, of both signs. */
static uint16_t random_bf16(uint16_t low, uint16_t high) {
  uint16_t sign = (uint16_t)(test_random() & 0x8000);
  return (uint16_t)((low + test_random() % (uint64_t)(high - low)) | sign);
}

static void fill_bf16(Problem *p, uint16_t low, uint16_t high) {
  uint16_t *src = (uint16_t *)(void *)p->src, *weight = (uint16_t *)(void *)p->weight;
  for (int i = 0; i < MAX_M * MAX_K; i++) src[i] = random_bf16(low, high);
  for (int i = 0; i < LANES * LANE_BYTES / 2; i++) weight[i] = random_bf16(low, high);
}

static void fill_s8(Problem *p, int bits) {
  for (size_t i = 0; i < sizeof p->src; i++) p->src[i] = (uint8_t)((int)test_random() | bits);
  for (size_t i = 0; i < sizeof p->weight; i++) p->weight[i] = (uint8_t)((int)test_random() | bits);
}

static float element(int type, const uint8_t *row, int i) {
  if (type == BANG_S8) return (float)(int8_t)row[i];
  uint32_t bits = (uint32_t)(row[2 * i] | row[2 * i + 1] << 8) << 16;
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static int row_bytes(const Problem *p) {
  return p->k * (p->type == BANG_S8 ? 1 : 2);
}

static const uint8_t *weight_row(const Problem *p, int j) {
  return p->weight + j % LANES * LANE_BYTES + j / LANES * row_bytes(p);
}

/* Returns the sums of rows from `first` on. */
static void multiply(const Problem *p, int first, int rows, float *sums) {
  __bang_vec_matmul(BANG_F32, sums, p->type, p->src + first * row_bytes(p), p->type, p->weight,
                    NULL, 0, rows, p->k, p->n, LANE_BYTES, 0);
}

static void check_sum(const Problem *p, int i, int j, float got) {
  float plain = 0.0f;
  double exact = 0.0, magnitude = 0.0;
  for (int k = 0; k < p->k; k++) {
    float x = element(p->type, p->src + i * row_bytes(p), k);
    float y = element(p->type, weight_row(p, j), k);
    volatile float product = x * y;
    plain += product;
    exact += (double)x * y;
    magnitude += fabs((double)x * y);
  }
  int is_exact = p->type == BANG_S8 || !has_matrix_unit();
  double bound = p->k * (0x1p-23 * magnitude + 2 * 0x1p-126);
  checked++;
  if (is_exact ? got != plain : !(fabs(got - exact) <= bound)) {
    test_fail("%s: product of type %d, m %d, k %d, n %d at %d, %d is %a, plain %a, exact %a",
              isa_name, p->type, p->m, p->k, p->n, i, j, got, plain, exact);
  }
}

static void check_product(const Problem *p) {
  static float sums[MAX_M * MAX_N + 1], single[MAX_N];
  sums[p->m * p->n] = 7.0f;
  multiply(p, 0, p->m, sums);
  if (sums[p->m * p->n] != 7.0f) test_fail("%s: a product writes past its end", isa_name);
  for (int i = 0; i < p->m; i++) {
    for (int j = 0; j < p->n; j++) check_sum(p, i, j, sums[i * p->n + j]);
    multiply(p, i, 1, single);
    if (memcmp(single, sums + i * p->n, (size_t)p->n * sizeof *single) != 0) {
      test_fail("%s: row %d of %d has other bits alone", isa_name, i, p->m);
    }
  }
}

static void check_shapes(Problem *p, int k_unit) {
  static const int ms[] = {1, 2, 4, 7, 16, 17, 33, MAX_M}, ns[] = {1, 2, 16, 19, MAX_N};
  for (size_t i = 0; i < sizeof ms / sizeof *ms; i++) {
    for (size_t j = 0; j < sizeof ns / sizeof *ns; j++) {
      p->m = ms[i];
      p->n = ns[j];
      p->k = k_unit * (1 + (int)(i + j) % 3);
      check_product(p);
    }
  }
}

/* Fills the operands with one number each; every sum must be `want`, or NaN. */
static void check_equal(Problem *p, uint16_t x, uint16_t y, float want) {
  float sums[4];
  p->m = p->n = 2;
  p->k = 32;
  for (int i = 0; i < 2 * p->k; i++) memcpy(p->src + 2 * i, &x, sizeof x);
  for (int i = 0; i < LANES * LANE_BYTES / 2; i++) memcpy(p->weight + 2 * i, &y, sizeof y);
  multiply(p, 0, 2, sums);
  for (int i = 0; i < 4; i++) {
    checked++;
    if (isnan(want) ? !isnan(sums[i]) : sums[i] != want) {
      test_fail("%s: products of %#x and %#x give %a, not %a", isa_name, x, y, sums[i], want);
    }
  }
}

static void run_all(const char *isa) {
  static Problem p;
  isa_name = isa;
  p.type = BANG_BF16;
  fill_bf16(&p, 0x3c00, 0x4400);
  check_shapes(&p, 32);
  fill_bf16(&p, 0x1b00, 0x1c00); /* products below the smallest normal number */
  check_shapes(&p, 32);
  fill_bf16(&p, 0x3f80, 0x4000);
  p.m = 5, p.n = 3, p.k = MAX_K;
  check_product(&p);
  check_equal(&p, 0x7f00, 0x7f00, INFINITY); /* products above the largest number */
  check_equal(&p, 0x7f80, 0xbf80, -INFINITY);
  check_equal(&p, 0x7f80, 0x0000, NAN);
  check_equal(&p, 0x7fc1, 0x3f80, NAN);
  p.type = BANG_S8;
  fill_s8(&p, 0);
  check_shapes(&p, 64);
  fill_s8(&p, 0x80); /* large negative numbers */
  p.m = 5, p.n = 3, p.k = 1024;
  check_product(&p);
  p.k = MAX_K; /* too long for exact sums in float */
  check_product(&p);
}

int main(void) {
  test_each_isa(run_all);
  return test_finish("products of the tensor unit", checked);
}

/* SPDX-License-Identifier: MIT */
#include "world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- The job ---- */

static int number_from(const char *variable, int otherwise) {
  const char *text = getenv(variable);
  return text != NULL ? atoi(text) : otherwise;
}

int job_size(void) {
  return number_from("OMPI_COMM_WORLD_SIZE", 1);
}

int job_index(void) {
  return number_from("OMPI_COMM_WORLD_RANK", 0);
}

void share_of_process(int ranks, int *first, int *local) {
  *first = ranks * job_index() / job_size();
  *local = ranks * (job_index() + 1) / job_size() - *first;
}

bool world_open(struct world *world, int ranks) {
  int devices[MAX_RANKS];
  int rank_list[MAX_RANKS];
  if (ranks < job_size()) {
    return false;
  }
  memset(world, 0, sizeof(*world));
  world->ranks = ranks;
  share_of_process(ranks, &world->first, &world->local);
  for (int i = 0; i < world->local; ++i) {
    devices[i] = i;
    rank_list[i] = world->first + i;
    CHECK_OK(cnrtSetDevice(i));
    CHECK_OK(cnrtQueueCreate(&world->queue[i]));
  }
  CHECK_OK(cnrtSetDevice(0));
  const cnclResult_t result =
      cnclInitComms(world->comm, world->local, devices, rank_list, ranks, NULL);
  CHECK_CNCL(result);
  return result == CNCL_RET_SUCCESS;
}

void world_close(struct world *world) {
  CHECK_CNCL(cnclDestroyComms(world->comm, world->local));
  for (int i = 0; i < world->local; ++i) {
    CHECK_OK(cnrtQueueDestroy(world->queue[i]));
  }
}

void world_sync(struct world *world, cnrtRet_t expected) {
  for (int i = 0; i < world->local; ++i) {
    CHECK_EQ(cnrtQueueSync(world->queue[i]), expected);
  }
}

void *device_alloc(size_t bytes) {
  void *address = NULL;
  CHECK_OK(cnrtMalloc(&address, bytes));
  return address;
}

void device_free(void *address) {
  CHECK_OK(cnrtFree(address));
}

void wait_at_gate(void *argument) {
  struct gate *gate = argument;
  pthread_mutex_lock(&gate->lock);
  while (!gate->open) {
    pthread_cond_wait(&gate->changed, &gate->lock);
  }
  pthread_mutex_unlock(&gate->lock);
}

void open_gate(struct gate *gate) {
  pthread_mutex_lock(&gate->lock);
  gate->open = true;
  pthread_cond_broadcast(&gate->changed);
  pthread_mutex_unlock(&gate->lock);
}

/* ---- Elements ---- */

const struct element_type element_types[TYPE_COUNT] = {
    {cnclHalf, "half", 2},     {cnclBfloat16, "bfloat16", 2}, {cnclFloat, "float", 4},
    {cnclInt8, "int8", 1},     {cnclInt16, "int16", 2},       {cnclInt32, "int32", 4},
    {cnclInt64, "int64", 8},   {cnclUint8, "uint8", 1},       {cnclUint16, "uint16", 2},
    {cnclUint32, "uint32", 4}, {cnclUint64, "uint64", 8},
};

static uint64_t scramble(int rank, size_t index) {
  uint64_t x = (uint64_t)index * 0x9e3779b97f4a7c15u + (uint64_t)(rank + 1) * 0xbf58476d1ce4e5b9u;
  x ^= x >> 31;
  x *= 0x94d049bb133111ebu;
  return x ^ x >> 29;
}

/* A float with a long fraction, so that the order of additions changes the sum. */
static float contribution(int rank, size_t index) {
  const uint64_t x = scramble(rank, index);
  return ldexpf((float)(int32_t)(x & 0xfffff) - 0x80000, (int)(x >> 60) - 22);
}

static bool is_float(const struct element_type *type) {
  return type->type == cnclHalf || type->type == cnclBfloat16 || type->type == cnclFloat;
}

/* Rounds to `digits` significant bits, and to fewer below 2^least (denormal numbers). */
static double rounded(double value, int digits, int least) {
  int exponent = 0;
  if (value == 0 || !isfinite(value)) {
    return value;
  }
  frexp(value, &exponent);
  const int unit = (exponent - 1 < least ? least : exponent - 1) - (digits - 1);
  return ldexp(nearbyint(ldexp(value, -unit)), unit);
}

static uint16_t half_bits(float value) {
  const double exact = rounded(value, 11, -14);
  const uint16_t sign = signbit(value) ? 0x8000 : 0;
  const double magnitude = fabs(exact);
  int exponent = 0;
  if (magnitude >= 65536) {
    return sign | 0x7c00;
  }
  if (magnitude < 0x1p-14) {
    return (uint16_t)(sign | (uint16_t)(magnitude * 0x1p24));
  }
  const double fraction = frexp(magnitude, &exponent); /* in [0.5, 1) */
  return (uint16_t)(sign | (exponent + 14) << 10 | ((int)(fraction * 2048) & 0x3ff));
}

static float half_value(uint16_t bits) {
  const int exponent = bits >> 10 & 31;
  const double fraction = bits & 0x3ff;
  const double magnitude = exponent == 0    ? fraction * 0x1p-24
                           : exponent == 31 ? INFINITY
                                            : ldexp(1024 + fraction, exponent - 25);
  return (float)(bits & 0x8000 ? -magnitude : magnitude);
}

static uint16_t bfloat_bits(float value) {
  const float exact = (float)rounded(value, 8, -126);
  uint32_t bits;
  memcpy(&bits, &exact, sizeof(bits));
  return (uint16_t)(bits >> 16);
}

static float bfloat_value(uint16_t half) {
  const uint32_t bits = (uint32_t)half << 16;
  float value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

static void put_float(void *address, const struct element_type *type, float value) {
  const uint16_t bits = type->type == cnclHalf ? half_bits(value) : bfloat_bits(value);
  if (type->type == cnclFloat) {
    memcpy(address, &value, sizeof(value));
  } else {
    memcpy(address, &bits, sizeof(bits));
  }
}

static float get_float(const void *address, const struct element_type *type) {
  uint16_t bits;
  float value;
  if (type->type == cnclFloat) {
    memcpy(&value, address, sizeof(value));
    return value;
  }
  memcpy(&bits, address, sizeof(bits));
  return type->type == cnclHalf ? half_value(bits) : bfloat_value(bits);
}

void put_element(void *buffer, size_t position, const struct element_type *type, int rank,
                 size_t index) {
  char *address = (char *)buffer + position * type->size;
  if (is_float(type)) {
    put_float(address, type, contribution(rank, index));
  } else {
    const uint64_t bits = scramble(rank, index); /* copies the low bytes (little endian) */
    memcpy(address, &bits, type->size);
  }
}

void fill_elements(void *buffer, const struct element_type *type, int rank, size_t first,
                   size_t count) {
  for (size_t i = 0; i < count; ++i) {
    put_element(buffer, i, type, rank, first + i);
  }
}

static float combine_floats(float a, float b, cnclReduceOp_t op) {
  return op == cnclSum ? a + b : op == cnclProd ? a * b : op == cnclMax ? fmaxf(a, b) : fminf(a, b);
}

static bool is_signed(const struct element_type *type) {
  return ((unsigned)type->type & 0xf0) == 0x20;
}

static int64_t widened(uint64_t bits, size_t size) {
  const int shift = 64 - 8 * (int)size;
  return (int64_t)(bits << shift) >> shift;
}

static uint64_t combine_integers(uint64_t a, uint64_t b, const struct element_type *type,
                                 cnclReduceOp_t op) {
  if (op == cnclSum || op == cnclProd) {
    return op == cnclSum ? a + b : a * b;
  }
  const uint64_t mask = type->size == 8 ? ~(uint64_t)0 : ((uint64_t)1 << 8 * type->size) - 1;
  const bool less =
      is_signed(type) ? widened(a, type->size) < widened(b, type->size) : (a & mask) < (b & mask);
  return less == (op == cnclMax) ? b : a;
}

void put_reduced(void *buffer, size_t position, const struct element_type *type, cnclReduceOp_t op,
                 int ranks, size_t index) {
  char *address = (char *)buffer + position * type->size;
  float sum = 0;
  uint64_t bits = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    put_element(address, 0, type, rank, index);
    if (is_float(type)) {
      const float value = get_float(address, type);
      sum = rank == 0 ? value : combine_floats(sum, value, op);
    } else {
      uint64_t value = 0;
      memcpy(&value, address, type->size);
      bits = rank == 0 ? value : combine_integers(bits, value, type, op);
    }
  }
  if (is_float(type)) {
    put_float(address, type, sum);
  } else {
    memcpy(address, &bits, type->size);
  }
}

/* SPDX-License-Identifier: MIT
 *
 * Memory that is kept between cases, and the host's access to it. */
#include <stdint.h>
#include <stdlib.h>

#include "run/block_pool.h"
#include "run/device_buffer.h"
#include "run/device_compare.h"
#include "run/host_access.h"
#include "selftest/check.h"

enum { MEGABYTE = 1 << 20, PAGE = 4096 };

/* A block is reused for a request of its kind and about its size, aligned to the end of the block.
 */
static void test_reuse(mluopBlockKind kind) {
  mluopBlockPool pool;
  bool used = true;
  mluop_block_pool_open(&pool, 1);
  char *first = mluop_block_take(&pool, kind, 16 * MEGABYTE, &used);
  CHECK(first && !used);
  mluop_block_give(&pool, first);
  char *other =
      mluop_block_take(&pool, kind == MLUOP_BLOCK_HOST ? MLUOP_BLOCK_DEVICE : MLUOP_BLOCK_HOST,
                       16 * MEGABYTE, &used);
  CHECK(other && !used);
  char *again = mluop_block_take(&pool, kind, 10 * MEGABYTE + 100, &used);
  CHECK(used && again >= first && again + 10 * MEGABYTE + 100 <= first + 16 * MEGABYTE);
  CHECK(first + 16 * MEGABYTE - (again + 10 * MEGABYTE + 100) < PAGE);
  CHECK((uintptr_t)again % 64 == (uintptr_t)first % 64);
  char *taken = mluop_block_take(&pool, kind, 10 * MEGABYTE, &used);
  CHECK(taken && !used); /* the first one is in use */
  mluop_block_give(&pool, taken);
  mluop_block_give(&pool, again);
  char *large = mluop_block_take(&pool, kind, 17 * MEGABYTE, &used);
  CHECK(large && !used);
  char *small = mluop_block_take(&pool, kind, 1000, &used);
  CHECK(small && !used); /* too small for a block of ten megabytes */
  mluop_block_give(&pool, small);
  mluop_block_give(&pool, large);
  mluop_block_give(&pool, other);
  mluop_block_give(&pool, NULL);
  mluop_block_pool_close(&pool);
}

static size_t device_bytes_free(void) {
  size_t bytes = 0, total = 0;
  CHECK(cnrtMemGetInfo(&bytes, &total) == cnrtSuccess);
  return bytes;
}

/* Unused memory stays below the limit, and closing the pool frees everything. */
static void test_limit(void) {
  const size_t before = device_bytes_free();
  mluopBlockPool pool;
  bool used = false;
  mluop_block_pool_open(&pool, 1);
  CHECK(pool.idle_max > 0);
  pool.idle_max = 20 * MEGABYTE;
  void *blocks[3];
  for (int i = 0; i < 3; ++i) {
    blocks[i] = mluop_block_take(&pool, MLUOP_BLOCK_DEVICE, 8 * MEGABYTE, &used);
    CHECK(blocks[i] && !used);
  }
  for (int i = 0; i < 3; ++i) {
    mluop_block_give(&pool, blocks[i]);
  }
  CHECK(before - device_bytes_free() == 16 * MEGABYTE);
  for (int i = 0; i < 3; ++i) {
    blocks[i] = mluop_block_take(&pool, MLUOP_BLOCK_DEVICE, 8 * MEGABYTE, &used);
    CHECK(used == (i < 2));
  }
  for (int i = 0; i < 3; ++i) {
    mluop_block_give(&pool, blocks[i]);
  }
  /* more than available: an error, and nothing is kept */
  CHECK(!mluop_block_take(&pool, MLUOP_BLOCK_DEVICE, (size_t)1 << 50, &used));
  CHECK(pool.error != cnrtSuccess);
  CHECK(device_bytes_free() == before);
  mluop_block_pool_close(&pool);
  CHECK(device_bytes_free() == before);
}

/* A buffer in reused memory is guarded, filled and compared like a new one. */
static void test_buffer(void) {
  enum { SIZE = 5 * MEGABYTE + 12 };
  mluopBlockPool pool;
  mluopTestText errors = {0};
  const mluopBufferOptions options = {.guarded = true, .offset = 4, .pattern = 0x7f800000};
  unsigned char *host = malloc(SIZE);
  mluop_block_pool_open(&pool, 1);
  CHECK(host != NULL);
  for (int round = 0; host && round < 2; ++round) {
    mluopDeviceBuffer buffer;
    CHECK(!mluop_device_buffer_create(&buffer, &pool, SIZE - (size_t)round * 4000, &options,
                                      &errors));
    CHECK(buffer.used == (round == 1));
    CHECK(!mluop_device_buffer_fill(&buffer));
    CHECK(!mluop_device_buffer_read(&buffer, host));
    size_t wrong = 0;
    for (size_t i = 0; i < buffer.size; ++i) {
      wrong += host[i] != (i % 4 == 2 ? 0x80 : i % 4 == 3 ? 0x7f : 0);
      host[i] = (unsigned char)(i * 7);
    }
    CHECK(!wrong);
    CHECK(!mluop_device_buffer_write(&buffer, host));
    mluopDeviceDifference difference = mluop_device_compare(&buffer, host);
    CHECK(difference.readable && difference.equal);
    CHECK(mluop_device_is_still(&buffer, difference.digest) == buffer.host_reaches);
    host[3333333] ^= 1;
    host[4444444] ^= 1;
    difference = mluop_device_compare(&buffer, host);
    CHECK(difference.readable && !difference.equal && difference.first == 3333333);
    const mluopGuardState guards = mluop_device_buffer_check(&buffer);
    CHECK(!guards.before && !guards.after);
    mluop_device_buffer_destroy(&buffer);
  }
  free(host);
  mluop_text_free(&errors);
  mluop_block_pool_close(&pool);
}

static void test_host_access(void) {
  int local = 1;
  void *device = NULL;
  CHECK(mluop_host_reaches(&local));
  CHECK(!mluop_host_reaches(NULL));
  CHECK(!mluop_host_reaches((const void *)(uintptr_t)PAGE));
  CHECK(cnrtMalloc(&device, PAGE) == cnrtSuccess);
  const char *setting = getenv("MLUOP_CPU_HOST_ACCESS");
  if (mluop_host_reaches(device)) {
    *(volatile char *)device = 1; /* must not end the test */
  } else {
    CHECK(!setting || !strcmp(setting, "0"));
  }
  cnrtFree(device);
}

int main(void) {
  test_reuse(MLUOP_BLOCK_HOST);
  test_reuse(MLUOP_BLOCK_DEVICE);
  test_limit();
  test_buffer();
  test_host_access();
  return check_result("blocks");
}

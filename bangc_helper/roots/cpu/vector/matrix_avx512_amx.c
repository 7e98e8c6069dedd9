/* SPDX-License-Identifier: MIT
 *
 * bfloat16 and 8-bit integer products by AMX tiles: 16 rows by 16 columns, 64 bytes of each.
 */
#include <immintrin.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "vector/vector.h"

enum { TILE_ROWS = 16, TILE_BYTES = 64, LINE_WORDS = TILE_BYTES / 4 };

/* Tile numbers; instructions need them as constants. Two tiles of sums hide some of the latency. */
#define SUMS_0 0
#define SUMS_1 1
#define ROWS_0 2
#define ROWS_1 3
#define WEIGHTS 4

/* The operand of LDTILECFG. */
typedef struct TileConfig {
  uint8_t palette, start_row, reserved[14];
  uint16_t row_bytes[16];
  uint8_t rows[16];
} TileConfig;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool is_permitted;

/* Linux gives the memory for tiles to processes that ask for it. They then need larger signal
 * stacks, so only those that multiply ask. */
static void ask_permission(void) {
  enum { ARCH_REQ_XCOMP_PERM = 0x1023, XFEATURE_XTILEDATA = 18 };
  is_permitted = syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) == 0;
}

static bool may_use_tiles(void) {
  pthread_once(&once, ask_permission);
  return is_permitted;
}

static void configure(int64_t rows_0, int64_t rows_1) {
  TileConfig config = {.palette = 1};
  for (int tile = SUMS_0; tile <= WEIGHTS; tile++) config.row_bytes[tile] = TILE_BYTES;
  config.rows[SUMS_0] = config.rows[ROWS_0] = (uint8_t)rows_0;
  config.rows[SUMS_1] = config.rows[ROWS_1] = (uint8_t)rows_1;
  config.rows[WEIGHTS] = LINE_WORDS;
  /* gcc's intrinsic reads only the first bytes of it, as far as the compiler knows. */
  __asm__ volatile("" : : "r"(&config) : "memory");
  _tile_loadconfig(&config);
}

static void store_sums(float *dst, int64_t stride, int64_t n, int64_t rows,
                       int32_t (*tile)[BANG_MATMUL_COLUMNS], bool is_integer) {
  int64_t columns = n < BANG_MATMUL_COLUMNS ? n : BANG_MATMUL_COLUMNS;
  for (int64_t r = 0; r < rows; r++) {
    float lanes[BANG_MATMUL_COLUMNS];
    memcpy(lanes, tile[r], sizeof lanes);
    for (int j = 0; j < BANG_MATMUL_COLUMNS && is_integer; j++) lanes[j] = (float)tile[r][j];
    memcpy(dst + r * stride, lanes, (size_t)columns * sizeof *lanes);
  }
}

static void multiply(float *sums, const char *src, const char *packed, int64_t m, int64_t row_bytes,
                     int64_t n, bool is_integer) {
  for (int64_t row = 0; row < m; row += 2 * TILE_ROWS) {
    int64_t left = m - row, rows_0 = left < TILE_ROWS ? left : TILE_ROWS, rest = left - rows_0;
    int64_t rows_1 = rest < TILE_ROWS ? rest : TILE_ROWS;
    const char *src_0 = src + row * row_bytes;
    /* Without a second tile of rows, the first one is multiplied twice. */
    const char *src_1 = rows_1 > 0 ? src_0 + TILE_ROWS * row_bytes : src_0;
    configure(rows_0, rows_1 > 0 ? rows_1 : rows_0);
    for (int64_t column = 0; column < n; column += BANG_MATMUL_COLUMNS) {
      const char *weights = packed + column * row_bytes;
      int32_t tile[TILE_ROWS][BANG_MATMUL_COLUMNS];
      _tile_zero(SUMS_0);
      _tile_zero(SUMS_1);
      for (int64_t i = 0; i < row_bytes; i += TILE_BYTES) {
        _tile_loadd(WEIGHTS, weights + i * BANG_MATMUL_COLUMNS, TILE_BYTES);
        _tile_loadd(ROWS_0, src_0 + i, row_bytes);
        _tile_loadd(ROWS_1, src_1 + i, row_bytes);
        if (is_integer) {
          _tile_dpbssd(SUMS_0, ROWS_0, WEIGHTS);
          _tile_dpbssd(SUMS_1, ROWS_1, WEIGHTS);
        } else {
          _tile_dpbf16ps(SUMS_0, ROWS_0, WEIGHTS);
          _tile_dpbf16ps(SUMS_1, ROWS_1, WEIGHTS);
        }
      }
      float *dst = sums + row * n + column;
      _tile_stored(SUMS_0, tile, TILE_BYTES);
      store_sums(dst, n, n - column, rows_0, tile, is_integer);
      _tile_stored(SUMS_1, tile, TILE_BYTES);
      store_sums(dst + TILE_ROWS * n, n, n - column, rows_1, tile, is_integer);
    }
  }
  _tile_release();
}

static void multiply_bf16(float *sums, const void *src, const void *packed, int64_t m,
                          int64_t row_bytes, int64_t n) {
  multiply(sums, src, packed, m, row_bytes, n, false);
}

static void multiply_s8(float *sums, const void *src, const void *packed, int64_t m,
                        int64_t row_bytes, int64_t n) {
  multiply(sums, src, packed, m, row_bytes, n, true);
}

void bang_fill_matrix_avx512_amx(bangIsaTable *table) {
  bangMatrixUnit unit = {2 * TILE_ROWS, may_use_tiles, table->pack_weights, NULL};
  table->matrix[BANG_BF16] = table->matrix[BANG_S8] = unit;
  table->matrix[BANG_BF16].multiply = multiply_bf16;
  table->matrix[BANG_S8].multiply = multiply_s8;
}

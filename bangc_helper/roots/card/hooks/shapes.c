/* SPDX-License-Identifier: MIT
 *
 * Hooks of functions on images and matrices: pooling, layouts, the tensor unit.
 */
#include "bang/table.h"
#include "bang/vector_api.h"
#include "bang_runtime.h"

#include "checked.h"
#include "core.h"
#include "hook.h"

static void put_shape(uint32_t site, enum card_function function, int op, int type, int64_t in,
                      int64_t out, int64_t width, int64_t extra) {
  struct card_core *core = card_recording();
  if (core == NULL) {
    return;
  }
  struct card_record record = card_record(CARD_VECTOR, CARD_PIPE_VECTOR, 0);
  record.vector = (struct card_vector){.function = (uint16_t)function,
                                       .op = (uint8_t)op,
                                       .type_in = (uint8_t)type,
                                       .type_out = (uint8_t)type,
                                       .calls = 1,
                                       .elements = (uint64_t)out,
                                       .bytes_in = (uint64_t)(in * width),
                                       .bytes_out = (uint64_t)(out * width),
                                       .extra = (uint64_t)extra};
  card_put(core, site, &record);
}

/* ---- Pooling ---- */

static int64_t positions(int64_t size, int64_t kernel, int64_t stride) {
  return stride > 0 && size >= kernel ? (size - kernel) / stride + 1 : 0;
}

static int64_t windows(const bangWindow *w) {
  return positions(w->height, w->kernel_height, w->stride_height) *
         positions(w->width, w->kernel_width, w->stride_width);
}

static int64_t image(const bangWindow *w) {
  return w->channel * w->height * w->width;
}

static void put_pool(uint32_t site, enum card_function function, int op, int type,
                     const bangWindow *w, bool back) {
  const int64_t pooled = w->channel * windows(w);
  put_shape(site, function, op, type, back ? pooled : image(w), back ? image(w) : pooled,
            card_type_bytes(type), w->kernel_height * w->kernel_width);
}

CARD_HOOK void __bang_card_vec_pool(uint32_t site, int kind, int type, void *dst, const void *src,
                                    const bangWindow *window) {
  put_pool(site, CARD_FN_POOL, kind, type, window, false);
  CARD_CHECK_VECTOR(site, card_reads(src, image(window) * card_type_bytes(type)),
                    card_writes(dst, window->channel * windows(window) * card_type_bytes(type)));
  __bang_vec_pool(kind, type, dst, src, window);
}

static int64_t index_bytes(int type) {
  return card_type_bytes(type) == 2 ? 2 : 4;
}

CARD_HOOK void __bang_card_vec_pool_index(uint32_t site, int kind, int type, void *values,
                                          void *indices, const void *src,
                                          const bangWindow *window) {
  put_pool(site, CARD_FN_POOL_INDEX, kind, type, window, false);
  const int64_t places = window->channel * windows(window);
  CARD_CHECK_VECTOR(site, card_reads(src, image(window) * card_type_bytes(type)),
                    card_writes(values, values != NULL ? places * card_type_bytes(type) : 0),
                    card_writes(indices, indices != NULL ? places * index_bytes(type) : 0));
  __bang_vec_pool_index(kind, type, values, indices, src, window);
}

CARD_HOOK void __bang_card_vec_avgpool_bp(uint32_t site, int type, void *dst, const void *src,
                                          const bangWindow *window) {
  put_pool(site, CARD_FN_POOL_BACK, BANG_POOL_AVG, type, window, true);
  CARD_CHECK_VECTOR(site,
                    card_reads(src, window->channel * windows(window) * card_type_bytes(type)),
                    card_writes(dst, image(window) * card_type_bytes(type)));
  __bang_vec_avgpool_bp(type, dst, src, window);
}

CARD_HOOK void __bang_card_vec_maxpool_bp(uint32_t site, int type, void *dst, const void *src,
                                          const void *index, const bangWindow *window, int covers) {
  put_pool(site, CARD_FN_POOL_BACK, BANG_POOL_MAX, type, window, true);
  CARD_CHECK_VECTOR(site,
                    card_reads(src, window->channel * windows(window) * card_type_bytes(type)),
                    card_reads(index, window->channel * windows(window) * index_bytes(type)),
                    card_writes(dst, image(window) * card_type_bytes(type)));
  __bang_vec_maxpool_bp(type, dst, src, index, window, covers);
}

CARD_HOOK void __bang_card_vec_unpool(uint32_t site, int type, void *dst, const void *src,
                                      const bangWindow *window, int64_t index) {
  const int64_t kernel = window->kernel_height * window->kernel_width;
  put_shape(site, CARD_FN_POOL_BACK, BANG_POOL_SUM, type, image(window), image(window) * kernel,
            card_type_bytes(type), kernel);
  const int64_t height = (window->height - 1) * window->stride_height + window->kernel_height;
  const int64_t width = (window->width - 1) * window->stride_width + window->kernel_width;
  CARD_CHECK_VECTOR(site, card_reads(src, image(window) * card_type_bytes(type)),
                    card_writes(dst, height * width * window->channel * card_type_bytes(type)));
  __bang_vec_unpool(type, dst, src, window, index);
}

/* ---- Layouts: `op` holds the bytes of an element ---- */

static const char in_place[] = "a function that cannot work in place, in place";

static int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

/* A matrix whose elements change places. */
static void put_turned(uint32_t site, enum card_function function, int size, const void *dst,
                       const void *src, int64_t height, int64_t width) {
  put_shape(site, function, size, BANG_S8, height * width, height * width, size,
            smaller(height, width));
  CARD_CHECK_VECTOR(site, card_reads(src, height * width * size),
                    card_writes(dst, height * width * size));
  card_check_rule(site, dst != src, in_place);
}

CARD_HOOK void __bang_card_vec_transpose(uint32_t site, int size, void *dst, const void *src,
                                         int64_t height, int64_t width) {
  put_turned(site, CARD_FN_TRANSPOSE, size, dst, src, height, width);
  __bang_vec_transpose(size, dst, src, height, width);
}

CARD_HOOK void __bang_card_vec_rotate(uint32_t site, int size, void *dst, const void *src,
                                      int64_t height, int64_t width, int quarters) {
  put_turned(site, CARD_FN_ROTATE, size, dst, src, height, width);
  __bang_vec_rotate(size, dst, src, height, width, quarters);
}

CARD_HOOK void __bang_card_vec_mirror(uint32_t site, int size, void *dst, const void *src,
                                      int64_t height, int64_t width) {
  put_turned(site, CARD_FN_MIRROR, size, dst, src, height, width);
  __bang_vec_mirror(size, dst, src, height, width);
}

CARD_HOOK void __bang_card_vec_pad(uint32_t site, int size, void *dst, const void *src,
                                   const void *value, int64_t channel, int64_t height,
                                   int64_t width, int64_t top, int64_t bottom, int64_t left,
                                   int64_t right) {
  put_shape(site, CARD_FN_PAD, size, BANG_S8, channel * height * width,
            channel * (height + top + bottom) * (width + left + right), size, 0);
  CARD_CHECK_VECTOR(
      site, card_reads(src, channel * height * width * size),
      card_writes(dst, channel * (height + top + bottom) * (width + left + right) * size));
  card_check_rule(site, dst != src, in_place);
  __bang_vec_pad(size, dst, src, value, channel, height, width, top, bottom, left, right);
}

CARD_HOOK void __bang_card_vec_extension(uint32_t site, void *dst, const void *src,
                                         const uint8_t *repeat, int64_t size, int64_t n) {
  int64_t out = 0;
  for (int64_t i = 0; i < n; ++i) {
    out += repeat[i];
  }
  CARD_CHECK_VECTOR(site, card_reads(src, n * size), card_reads(repeat, n),
                    card_writes(dst, out * size));
  put_shape(site, CARD_FN_EXTENSION, (int)size, BANG_S8, n, out, size, 0);
  __bang_vec_extension(dst, src, repeat, size, n);
}

CARD_HOOK void __bang_card_vec_reshape_filter(uint32_t site, void *dst, const void *src, int64_t n,
                                              int64_t row_bytes) {
  put_shape(site, CARD_FN_RESHAPE_FILTER, 1, BANG_S8, n * row_bytes, n * row_bytes, 1, row_bytes);
  CARD_CHECK_VECTOR(site, card_reads(src, n * row_bytes), card_writes(dst, n * row_bytes));
  card_check_rule(site, dst != src, in_place);
  __bang_vec_reshape_filter(dst, src, n, row_bytes);
}

/* ---- Tensor unit ---- */

struct product {
  enum card_function function;
  int type_out, type_in, type_weight;
  int64_t m, k, n, in, out; /* elements of the source and of the result */
};

/* Row i of a weight is in slot i / 64 of lane i % 64. All lanes have the whole slots; only the
 * first lanes have the last, partial one. */
struct weight {
  struct card_operand whole, rest;
};

static struct weight weight_rows(const void *start, int type, int64_t rows, int64_t k,
                                 int64_t lane_bytes) {
  enum { LANES = 64, SLOT = 64 };
  const char *place = __bang_wram_place(start, (size_t)lane_bytes);
  const int64_t row = k * card_type_bytes(type);
  const int64_t slot = (row + SLOT - 1) / SLOT * SLOT;
  const int64_t slots = rows / LANES;
  const int64_t lanes = rows % LANES;
  struct weight weight = {card_reads(place, slots > 0 ? (slots - 1) * slot + row : 0),
                          card_reads(place + slots * slot, lanes > 0 ? row : 0)};
  weight.whole.side.inner = LANES;
  weight.rest.side.inner = (uint64_t)lanes;
  weight.whole.side.stride = weight.rest.side.stride = lane_bytes;
  return weight;
}

static void check_product(uint32_t site, struct weight weight, struct card_operand source,
                          struct card_operand bias, struct card_operand result) {
  struct card_core *core = card_checking();
  if (core != NULL) {
    card_check_lanes(core, (size_t)weight.whole.side.stride);
    CARD_CHECK_VECTOR(site, source, weight.whole, weight.rest, bias, result);
  }
}

static void put_product(uint32_t site, const struct product *product) {
  struct card_core *core = card_recording();
  if (core == NULL) {
    return;
  }
  struct card_record record = card_record(CARD_TENSOR, CARD_PIPE_TENSOR, 0);
  record.tensor = (struct card_tensor){
      .function = (uint16_t)product->function,
      .type_out = (uint8_t)product->type_out,
      .type_in = (uint8_t)product->type_in,
      .type_weight = (uint8_t)product->type_weight,
      .m = (uint32_t)product->m,
      .k = (uint32_t)product->k,
      .n = (uint32_t)product->n,
      .bytes_in = (uint64_t)(product->in * card_type_bytes(product->type_in)),
      .bytes_out = (uint64_t)(product->out * card_type_bytes(product->type_out))};
  card_put(core, site, &record);
}

CARD_HOOK void __bang_card_vec_matmul(uint32_t site, int dst_type, void *dst, int src_type,
                                      const void *src, int weight_type, const void *weight,
                                      const void *bias, int64_t bias_n, int64_t m, int64_t k,
                                      int64_t n, int64_t lane_bytes, int shift) {
  put_product(site, &(struct product){CARD_FN_MATMUL, dst_type, src_type, weight_type, m, k, n,
                                      m * k, m * n});
  check_product(site, weight_rows(weight, weight_type, n, k, lane_bytes),
                card_reads(src, m * k * card_type_bytes(src_type)),
                card_reads(bias, bias != NULL ? bias_n * card_type_bytes(dst_type) : 0),
                card_writes(dst, m * n * card_type_bytes(dst_type)));
  __bang_vec_matmul(dst_type, dst, src_type, src, weight_type, weight, bias, bias_n, m, k, n,
                    lane_bytes, shift);
}

CARD_HOOK void __bang_card_vec_conv(uint32_t site, int dst_type, void *dst, int src_type,
                                    const void *src, int weight_type, const void *weight,
                                    const void *bias, const bangWindow *window, int64_t channel_out,
                                    int64_t lane_bytes, int shift, int64_t dilation_width,
                                    int64_t dilation_height) {
  const int64_t height = (window->kernel_height - 1) * dilation_height + 1;
  const int64_t width = (window->kernel_width - 1) * dilation_width + 1;
  const int64_t places = positions(window->height, height, window->stride_height) *
                         positions(window->width, width, window->stride_width);
  const int64_t k = window->kernel_height * window->kernel_width * window->channel;
  put_product(site, &(struct product){CARD_FN_CONV, dst_type, src_type, weight_type, places, k,
                                      channel_out, image(window), places * channel_out});
  check_product(site, weight_rows(weight, weight_type, channel_out, k, lane_bytes),
                card_reads(src, image(window) * card_type_bytes(src_type)),
                card_reads(bias, bias != NULL ? channel_out * card_type_bytes(dst_type) : 0),
                card_writes(dst, places * channel_out * card_type_bytes(dst_type)));
  __bang_vec_conv(dst_type, dst, src_type, src, weight_type, weight, bias, window, channel_out,
                  lane_bytes, shift, dilation_width, dilation_height);
}

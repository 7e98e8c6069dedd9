/* SPDX-License-Identifier: MIT */
#include "mesh_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const MeshShape mesh_small_shape = {.rows = 2,
                                    .cols = 2,
                                    .axis = 1,
                                    .shard_dim = 1,
                                    .batch = 4,
                                    .sequence = 4,
                                    .top_k = 2,
                                    .experts = 8,
                                    .hidden = 64,
                                    .dtype = MLUOP_DTYPE_FLOAT,
                                    .id_dtype = MLUOP_DTYPE_INT32,
                                    .map_dtype = MLUOP_DTYPE_INT32};

static uint64_t draw(uint64_t *state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static void *allocate(size_t bytes) {
  void *memory = malloc(bytes + 1);
  if (!memory) {
    fprintf(stderr, "no memory for %zu bytes\n", bytes);
    exit(1);
  }
  return memory;
}

static void *random_bytes(size_t bytes, uint64_t *state) {
  char *memory = allocate(bytes);
  for (size_t i = 0; i < bytes; i += sizeof(uint64_t)) {
    const uint64_t word = draw(state);
    memcpy(memory + i, &word, bytes - i < sizeof word ? bytes - i : sizeof word);
  }
  return memory;
}

static int integer_bytes(mluOpDataType_t dtype) {
  return dtype == MLUOP_DTYPE_UINT16 ? 2 : 4;
}

static void put(void *data, int bytes, int64_t index, int64_t value) {
  if (bytes == 2)
    ((uint16_t *)data)[index] = (uint16_t)value;
  else
    ((int32_t *)data)[index] = (int32_t)value;
}

static void *make_mapping(const MeshShape *s, uint64_t *state) {
  const int64_t ranks = (int64_t)s->rows * s->cols;
  const int bytes = integer_bytes(s->map_dtype);
  int64_t *rank_of = allocate((size_t)s->experts * sizeof(int64_t));
  for (int64_t e = 0; e < s->experts; ++e) rank_of[e] = e / (s->experts / ranks);
  for (int64_t e = s->experts - 1; s->mapping == MAPPING_RANDOM && e > 0; --e) {
    const int64_t other = (int64_t)(draw(state) % (uint64_t)(e + 1)), kept = rank_of[e];
    rank_of[e] = rank_of[other];
    rank_of[other] = kept;
  }
  void *mapping = allocate((size_t)(s->experts * ranks * bytes));
  /* Values other than 1 also mean "not here". */
  for (int64_t i = 0; i < s->experts * ranks; ++i)
    put(mapping, bytes, i, rank_of[i / ranks] == i % ranks ? 1 : i % 3 == 0 ? 2 : 0);
  free(rank_of);
  return mapping;
}

static int64_t make_id(const MeshShape *s, const int64_t *before, int64_t k, uint64_t *state) {
  const int64_t id = (int64_t)(draw(state) % (uint64_t)s->experts);
  if (s->ids == IDS_ONE_EXPERT) return s->experts - 1;
  if (s->ids == IDS_OUT_OF_RANGE && draw(state) % 2 == 0)
    return s->id_dtype == MLUOP_DTYPE_UINT16 ? (draw(state) % 2 ? 0xffff : s->experts)
                                             : (draw(state) % 2 ? -1 - id : s->experts + id);
  for (int64_t i = 0; s->ids == IDS_DISTINCT && i < k && k < s->experts; ++i)
    if (before[i] == id) return make_id(s, before, k, state);
  return id;
}

/* One slab [tokens, k] per group, copied to all its ranks in group order. */
static void make_ids(MeshCase *mesh, uint64_t *state) {
  const MeshShape *s = &mesh->shape;
  AllToAllDispatchCall *d = &mesh->dispatch;
  const int64_t ranks = (int64_t)s->rows * s->cols, group = all_to_all_dispatch_group(d);
  const int64_t tokens = s->batch * s->sequence, local = tokens / group;
  const int bytes = integer_bytes(s->id_dtype);
  void *metadata = allocate((size_t)(ranks * tokens * s->top_k * bytes));
  void *indices = allocate((size_t)(ranks * local * s->top_k * bytes));
  int64_t *ids = allocate((size_t)s->top_k * sizeof *ids);
  for (int64_t replica = 0; replica < ranks / group; ++replica) {
    for (int64_t t = 0; t < tokens; ++t) {
      const int64_t b = t / s->sequence, q = t % s->sequence;
      const int64_t g = s->shard_dim == 1 ? b / d->local_batch : q / d->local_sequence;
      const int64_t owner = s->axis == 0 ? g * s->cols + replica : replica * s->cols + g;
      const int64_t own = b % d->local_batch * d->local_sequence + q % d->local_sequence;
      for (int64_t k = 0; k < s->top_k; ++k) {
        ids[k] = make_id(s, ids, k, state);
        put(indices, bytes, (owner * local + own) * s->top_k + k, ids[k]);
        for (int64_t p = 0; p < group; ++p) {
          const int64_t rank = s->axis == 0 ? p * s->cols + replica : replica * s->cols + p;
          put(metadata, bytes, (rank * tokens + t) * s->top_k + k, ids[k]);
        }
      }
    }
  }
  free(ids);
  mesh->combine.metadata = metadata;
  d->indices = indices;
}

MeshCase *mesh_case_create(const MeshShape *shape, unsigned seed) {
  MeshCase *mesh = allocate(sizeof *mesh);
  uint64_t state = seed;
  mesh->shape = *shape;
  const MeshShape *s = &mesh->shape;
  const int64_t ranks = (int64_t)s->rows * s->cols, tokens = s->batch * s->sequence;
  const int64_t group = s->axis == 0 ? s->rows : s->cols;
  const int64_t row_bytes = s->hidden * (s->dtype == MLUOP_DTYPE_FLOAT ? 4 : 2);
  const int id_bytes = integer_bytes(s->id_dtype), map_bytes = integer_bytes(s->map_dtype);
  const int64_t slabs = s->local_reduce ? 1 : s->experts / ranks;
  void *mapping = make_mapping(s, &state);
  mesh->combine = (AllToAllCombineCall){
      .mesh_rows = s->rows,
      .mesh_cols = s->cols,
      .cluster_axis = s->axis,
      .shard_dim = s->shard_dim,
      .local_reduce = s->local_reduce,
      .batch = s->batch,
      .sequence = s->sequence,
      .top_k = s->top_k,
      .experts = s->experts,
      .row_bytes = row_bytes,
      .id_bytes = id_bytes,
      .map_bytes = map_bytes,
      .input = random_bytes((size_t)(ranks * slabs * tokens * row_bytes), &state),
      .mapping = mapping};
  mesh->combine.output =
      allocate((size_t)(ranks * all_to_all_combine_rows(&mesh->combine) * row_bytes));
  mesh->dispatch = (AllToAllDispatchCall){
      .mesh_rows = s->rows,
      .mesh_cols = s->cols,
      .cluster_axis = s->axis,
      .concat_dim = s->shard_dim,
      .local_batch = s->shard_dim == 1 ? s->batch / group : s->batch,
      .local_sequence = s->shard_dim == 2 ? s->sequence / group : s->sequence,
      .top_k = s->top_k,
      .experts = s->experts,
      .row_bytes = row_bytes,
      .id_bytes = id_bytes,
      .map_bytes = map_bytes,
      .input = random_bytes((size_t)(ranks * tokens / group * row_bytes), &state),
      .mapping = mapping,
      .output = allocate((size_t)(ranks * tokens * row_bytes)),
      .metadata = allocate((size_t)(ranks * tokens * s->top_k * id_bytes))};
  make_ids(mesh, &state);
  all_to_all_combine_ref(&mesh->combine);
  all_to_all_dispatch_ref(&mesh->dispatch);
  return mesh;
}

void mesh_case_free(MeshCase *mesh) {
  const void *blocks[] = {mesh->combine.input,   mesh->combine.metadata, mesh->combine.mapping,
                          mesh->combine.output,  mesh->dispatch.input,   mesh->dispatch.indices,
                          mesh->dispatch.output, mesh->dispatch.metadata};
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; ++i) free((void *)blocks[i]);
  free(mesh);
}

void mesh_case_describe(const MeshCase *mesh, char *text, size_t size) {
  const MeshShape *s = &mesh->shape;
  snprintf(text, size,
           "%dx%d axis %d shard %d%s B %lld S %lld K %lld E %lld H %lld dtype %d ids %d/%d "
           "mapping %d/%d",
           s->rows, s->cols, s->axis, s->shard_dim, s->local_reduce ? " local_reduce" : "",
           (long long)s->batch, (long long)s->sequence, (long long)s->top_k, (long long)s->experts,
           (long long)s->hidden, (int)s->dtype, (int)s->ids, (int)s->id_dtype, (int)s->mapping,
           (int)s->map_dtype);
}

/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_rank.h"

enum { POISON = 0xa5 };

/* A buffer of a rank: device address, size, and the host data for it. */
typedef struct Piece {
  void **memory;
  size_t bytes;
  const void *host; /* NULL: an output */
} Piece;

enum { PIECES = 9, OUTPUT = 3, SPARSE = 6, SPARSE_METADATA = 7 };

static size_t slice(const void **host, size_t bytes, int rank) {
  *host = (const char *)*host + (size_t)rank * bytes;
  return bytes;
}

static void list_pieces(const RankContext *rank, const MeshCase *mesh, MeshRank *m, Piece *pieces) {
  const AllToAllCombineCall *c = &mesh->combine;
  const AllToAllDispatchCall *d = &mesh->dispatch;
  const size_t row = (size_t)c->row_bytes, tokens = (size_t)(c->batch * c->sequence);
  const size_t local = tokens / (size_t)all_to_all_combine_group(c);
  const size_t slabs = c->local_reduce ? 1 : (size_t)c->experts / (size_t)rank->ranks;
  const size_t id_row = (size_t)(c->top_k * c->id_bytes);
  const Piece all[PIECES] = {
      {&m->input, slabs * tokens * row, c->input},
      {&m->metadata, tokens * id_row, c->metadata},
      {&m->mapping, (size_t)(c->experts * rank->ranks * c->map_bytes), c->mapping},
      {&m->output, (size_t)all_to_all_combine_rows(c) * row, NULL},
      {&m->tokens, local * row, d->input},
      {&m->indices, local * id_row, d->indices},
      {&m->sparse, tokens * row, NULL},
      {&m->sparse_metadata, tokens * id_row, NULL},
      {&m->workspace, m->allocated, NULL},
  };
  for (int i = 0; i < PIECES; ++i) {
    pieces[i] = all[i];
    if (all[i].host && all[i].host != c->mapping)
      slice(&pieces[i].host, pieces[i].bytes, rank->rank);
  }
}

static int describe_all(const RankContext *rank, const MeshShape *s, MeshRank *m) {
  const AllToAllDispatchCall *d = &m->mesh->dispatch;
  const int64_t lb = d->local_batch, ls = d->local_sequence;
  const struct {
    mluOpTensorDescriptor_t *desc;
    mluOpDataType_t dtype;
    int64_t dims[4];
  } all[] = {
      {&m->input_desc,
       s->dtype,
       {s->local_reduce ? 1 : s->experts / rank->ranks, s->batch, s->sequence, s->hidden}},
      {&m->metadata_desc, s->id_dtype, {1, s->batch, s->sequence, s->top_k}},
      {&m->mapping_desc, s->map_dtype, {1, 1, s->experts, rank->ranks}},
      {&m->output_desc, s->dtype, {s->top_k, lb, ls, s->hidden}},
      {&m->tokens_desc, s->dtype, {lb, 1, ls, s->hidden}},
      {&m->indices_desc, s->id_dtype, {lb, 1, ls, s->top_k}},
      {&m->sparse_desc, s->dtype, {1, s->batch, s->sequence, s->hidden}},
      {&m->sparse_metadata_desc, s->id_dtype, {1, s->batch, s->sequence, s->top_k}},
  };
  for (size_t i = 0; i < sizeof all / sizeof all[0]; ++i) {
    *all[i].desc = rank_threads_describe(all[i].dtype, 4, all[i].dims);
    if (!*all[i].desc) return -1;
  }
  return 0;
}

int mesh_rank_load(const RankContext *rank, MeshRank *memory, const MeshCase *mesh) {
  Piece pieces[PIECES];
  memory->mesh = mesh;
  list_pieces(rank, mesh, memory, pieces);
  for (int i = 0; i < PIECES; ++i) {
    if (pieces[i].host && pieces[i].bytes &&
        cnrtMemcpy(*pieces[i].memory, (void *)pieces[i].host, pieces[i].bytes,
                   cnrtMemcpyHostToDev) != cnrtSuccess)
      return -1;
  }
  return 0;
}

int mesh_rank_open(const RankContext *rank, const MeshCase *mesh, MeshRank *memory) {
  const MeshShape *s = &mesh->shape;
  *memory = (MeshRank){.mesh = mesh};
  if (describe_all(rank, s, memory) ||
      mluOpGetAllToAllCombineWorkspaceSize(
          rank->handle, rank->comm, memory->input_desc, memory->metadata_desc, memory->mapping_desc,
          s->local_reduce, s->rows, s->cols, s->axis, s->shard_dim, &memory->workspace_size) ||
      mluOpGetAllToAllDispatchWorkspaceSize(
          rank->handle, rank->comm, memory->tokens_desc, memory->indices_desc, memory->mapping_desc,
          s->rows, s->cols, s->axis, s->shard_dim, &memory->dispatch_workspace_size))
    return -1;
  memory->allocated = memory->workspace_size > memory->dispatch_workspace_size
                          ? memory->workspace_size
                          : memory->dispatch_workspace_size;
  Piece pieces[PIECES];
  list_pieces(rank, mesh, memory, pieces);
  for (int i = 0; i < PIECES; ++i) {
    if (pieces[i].bytes == 0) continue; /* operators accept NULL for empty tensors */
    if (cnrtMalloc(pieces[i].memory, pieces[i].bytes) != cnrtSuccess ||
        cnrtMemset(*pieces[i].memory, POISON, pieces[i].bytes) != cnrtSuccess)
      return -1;
  }
  return mesh_rank_load(rank, memory, mesh);
}

void mesh_rank_close(MeshRank *m) {
  void *memory[] = {m->input,   m->metadata, m->mapping,         m->output,   m->tokens,
                    m->indices, m->sparse,   m->sparse_metadata, m->workspace};
  mluOpTensorDescriptor_t descs[] = {m->input_desc,  m->metadata_desc,       m->mapping_desc,
                                     m->output_desc, m->tokens_desc,         m->indices_desc,
                                     m->sparse_desc, m->sparse_metadata_desc};
  for (size_t i = 0; i < sizeof memory / sizeof memory[0]; ++i)
    if (memory[i]) cnrtFree(memory[i]);
  for (size_t i = 0; i < sizeof descs / sizeof descs[0]; ++i)
    if (descs[i]) mluOpDestroyTensorDescriptor(descs[i]);
}

static void written_pieces(const MeshRank *m, Piece *pieces) {
  const RankContext any = {.ranks = m->mesh->shape.rows * m->mesh->shape.cols};
  Piece all[PIECES];
  list_pieces(&any, m->mesh, (MeshRank *)m, all);
  pieces[0] = all[OUTPUT];
  pieces[1] = all[SPARSE];
  pieces[2] = all[SPARSE_METADATA];
}

int mesh_rank_poison(MeshRank *memory) {
  Piece pieces[3];
  written_pieces(memory, pieces);
  for (int i = 0; i < 3; ++i)
    if (pieces[i].bytes && cnrtMemset(*pieces[i].memory, POISON, pieces[i].bytes) != cnrtSuccess)
      return -1;
  return 0;
}

mluOpStatus_t mesh_rank_combine(const RankContext *rank, const MeshRank *m) {
  const MeshShape *s = &m->mesh->shape;
  return mluOpAllToAllCombine(rank->handle, rank->comm, m->input_desc, m->input, m->metadata_desc,
                              m->metadata, m->mapping_desc, m->mapping, s->local_reduce, s->rows,
                              s->cols, s->axis, s->shard_dim, 1, MLUOP_COMM_TOPOLOGY_LINEAR,
                              m->workspace, m->workspace_size, m->output_desc, m->output);
}

mluOpStatus_t mesh_rank_dispatch(const RankContext *rank, const MeshRank *m) {
  const MeshShape *s = &m->mesh->shape;
  return mluOpAllToAllDispatch(rank->handle, rank->comm, m->tokens_desc, m->tokens, m->indices_desc,
                               m->indices, m->mapping_desc, m->mapping, s->rows, s->cols, s->axis,
                               s->shard_dim, 1, MLUOP_COMM_TOPOLOGY_RING, m->workspace,
                               m->dispatch_workspace_size, m->sparse_desc, m->sparse,
                               m->sparse_metadata_desc, m->sparse_metadata);
}

static bool is_equal(const RankContext *rank, const MeshRank *m, const char *what,
                     const void *memory, const void *host, size_t bytes) {
  uint8_t *got = malloc(bytes + 1);
  slice(&host, bytes, rank->rank);
  bool same = got && cnrtMemcpy(got, (void *)memory, bytes, cnrtMemcpyDevToHost) == cnrtSuccess;
  size_t i = 0;
  while (same && i < bytes && got[i] == ((const uint8_t *)host)[i]) ++i;
  if (same && i < bytes) {
    char text[256];
    mesh_case_describe(m->mesh, text, sizeof text);
    fprintf(stderr, "rank %d: byte %zu of %zu of %s: wanted %02x, got %02x (%s)\n", rank->rank, i,
            bytes, what, ((const uint8_t *)host)[i], got[i], text);
    same = false;
  }
  free(got);
  return same;
}

bool mesh_rank_has_combined(const RankContext *rank, const MeshRank *m) {
  Piece pieces[3];
  written_pieces(m, pieces);
  return is_equal(rank, m, "the combined rows", m->output, m->mesh->combine.output,
                  pieces[0].bytes);
}

bool mesh_rank_has_dispatched(const RankContext *rank, const MeshRank *m) {
  Piece pieces[3];
  written_pieces(m, pieces);
  return is_equal(rank, m, "the dispatched rows", m->sparse, m->mesh->dispatch.output,
                  pieces[1].bytes) &&
         is_equal(rank, m, "the metadata", m->sparse_metadata, m->mesh->dispatch.metadata,
                  pieces[2].bytes);
}

int mesh_rank_works(const RankContext *rank, void *mesh) {
  MeshRank memory;
  const int failed =
      mesh_rank_open(rank, mesh, &memory) || mesh_rank_dispatch(rank, &memory) ||
      mesh_rank_combine(rank, &memory) || cnrtQueueSync(rank->queue) != cnrtSuccess ||
      !mesh_rank_has_combined(rank, &memory) || !mesh_rank_has_dispatched(rank, &memory);
  mesh_rank_close(&memory);
  return failed;
}

bool mesh_rank_is_untouched(const MeshRank *m) {
  Piece pieces[3];
  written_pieces(m, pieces);
  for (int i = 0; i < 3; ++i) {
    if (pieces[i].bytes == 0) continue;
    uint8_t *got = malloc(pieces[i].bytes + 1);
    bool same = got && cnrtMemcpy(got, *pieces[i].memory, pieces[i].bytes, cnrtMemcpyDevToHost) ==
                           cnrtSuccess;
    for (size_t k = 0; same && k < pieces[i].bytes; ++k) same = got[k] == POISON;
    free(got);
    if (!same) return false;
  }
  return true;
}

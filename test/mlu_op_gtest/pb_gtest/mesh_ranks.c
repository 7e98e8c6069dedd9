/* SPDX-License-Identifier: MIT */
#include "mesh_ranks.h"

#include <stdlib.h>

enum { STACK_DIMS = 5, MAX_RANKS = 64 };

static int describe(const mluopTestTensor *tensor, mluopMeshTensor *part) {
  if (tensor->is_null) return 0;
  const bool is_stack = tensor->rank >= STACK_DIMS;
  const int dim_num = tensor->rank - is_stack;
  const mluOpDataType_t dtype = (mluOpDataType_t)tensor->info->library_number;
  if (is_stack && tensor->dims[0] > 0) {
    const size_t elements =
        tensor->strides ? (size_t)tensor->strides[0] : tensor->count / (size_t)tensor->dims[0];
    part->rank_bytes = elements * mluop_dtype_size(tensor->info);
  }
  if (mluOpCreateTensorDescriptor(&part->desc) != MLUOP_STATUS_SUCCESS) return -1;
  const mluOpStatus_t status =
      tensor->strides
          ? mluOpSetTensorDescriptorEx_v2(part->desc, MLUOP_LAYOUT_ARRAY, dtype, dim_num,
                                          tensor->dims + is_stack, tensor->strides + is_stack)
          : mluOpSetTensorDescriptor_v2(part->desc, MLUOP_LAYOUT_ARRAY, dtype, dim_num,
                                        tensor->dims + is_stack);
  return status == MLUOP_STATUS_SUCCESS ? 0 : -1;
}

static int describe_all(mluopTestContext *ctx, mluopMeshRanks *mesh) {
  mesh->inputs = calloc(ctx->n_inputs + 1, sizeof *mesh->inputs);
  mesh->outputs = calloc(ctx->n_outputs + 1, sizeof *mesh->outputs);
  if (!mesh->inputs || !mesh->outputs) return -1;
  for (size_t i = 0; i < ctx->n_inputs; ++i) {
    if (describe(&ctx->inputs[i], &mesh->inputs[i])) return -1;
  }
  for (size_t i = 0; i < ctx->n_outputs; ++i) {
    if (describe(&ctx->outputs[i], &mesh->outputs[i])) return -1;
  }
  return 0;
}

int mluop_mesh_prepare(mluopTestContext *ctx, int64_t ranks) {
  mluopMeshRanks *mesh = calloc(1, sizeof *mesh);
  ctx->prepared = mesh;
  if (!mesh) return -1;
  mesh->ranks = ranks < 1 ? 1 : ranks > MAX_RANKS ? MAX_RANKS : (int)ranks;
  mesh->threads = rank_threads_create(mesh->ranks);
  if (!mesh->threads || describe_all(ctx, mesh)) {
    mluop_text_add(ctx->message, "cannot make %d ranks with their tensors", mesh->ranks);
    mluop_mesh_release(ctx);
    return -1;
  }
  return 0;
}

static void release_tensors(mluopMeshTensor *tensors, size_t count) {
  for (size_t i = 0; tensors && i < count; ++i) {
    if (tensors[i].desc) mluOpDestroyTensorDescriptor(tensors[i].desc);
  }
  free(tensors);
}

void mluop_mesh_release(mluopTestContext *ctx) {
  mluopMeshRanks *mesh = ctx->prepared;
  if (!mesh) return;
  rank_threads_destroy(mesh->threads);
  release_tensors(mesh->inputs, ctx->n_inputs);
  release_tensors(mesh->outputs, ctx->n_outputs);
  free(mesh);
  ctx->prepared = NULL;
}

static void *part_of(void *data, const mluopMeshTensor *part, int rank) {
  return data ? (char *)data + (size_t)rank * part->rank_bytes : NULL;
}

void *mluop_mesh_input(const mluopTestContext *ctx, size_t index, int rank) {
  return part_of(ctx->inputs[index].data, &mluop_mesh(ctx)->inputs[index], rank);
}

void *mluop_mesh_output(const mluopTestContext *ctx, size_t index, int rank) {
  return part_of(ctx->outputs[index].data, &mluop_mesh(ctx)->outputs[index], rank);
}

void *mluop_mesh_workspace(const mluopTestContext *ctx, int rank) {
  return ctx->workspace ? (char *)ctx->workspace + (size_t)rank * mluop_mesh(ctx)->workspace_size
                        : NULL;
}

mluOpStatus_t mluop_mesh_workspace_size(mluopTestContext *ctx, size_t *size,
                                        mluOpStatus_t (*ask)(const mluopTestContext *ctx,
                                                             const RankContext *rank,
                                                             size_t *rank_size)) {
  mluopMeshRanks *mesh = mluop_mesh(ctx);
  const mluOpStatus_t status = ask(ctx, rank_threads_at(mesh->threads, 0), &mesh->workspace_size);
  *size = mesh->workspace_size * (size_t)mesh->ranks;
  return status;
}

typedef struct RankCall {
  const mluopTestContext *ctx;
  mluOpStatus_t (*call)(const mluopTestContext *ctx, const RankContext *rank);
  mluOpStatus_t status[MAX_RANKS];
} RankCall;

static int call_rank(const RankContext *rank, void *arg) {
  RankCall *call = arg;
  mluOpStatus_t status = call->call(call->ctx, rank);
  if (cnrtQueueSync(rank->queue) != cnrtSuccess) status = MLUOP_STATUS_EXECUTION_FAILED;
  call->status[rank->rank] = status;
  return 0;
}

mluOpStatus_t mluop_mesh_compute(mluopTestContext *ctx,
                                 mluOpStatus_t (*call)(const mluopTestContext *ctx,
                                                       const RankContext *rank)) {
  RankCall all = {.ctx = ctx, .call = call};
  rank_threads_run(mluop_mesh(ctx)->threads, call_rank, &all);
  for (int rank = 1; rank < mluop_mesh(ctx)->ranks; ++rank) {
    if (all.status[rank] != all.status[0]) return MLUOP_STATUS_INTERNAL_ERROR;
  }
  return all.status[0];
}

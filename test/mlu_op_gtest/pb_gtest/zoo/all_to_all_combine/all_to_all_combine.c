/* SPDX-License-Identifier: MIT */
#include "all_to_all_combine_draw.h"
#include "all_to_all_combine_ref.h"
#include "mesh_ranks.h"

/* input [D, E / D or 1, B, S, H], metadata [D, 1, B, S, K] or [1, B, S, K], mapping [1, 1, E, D];
 * output [D, K, B or part, S or part, H]. */
enum { INPUT, METADATA, MAPPING, N_INPUTS };

static int param_check(mluopTestContext *ctx) {
  return mluop_test_expect_tensors(ctx, N_INPUTS, 1) &&
                 mluop_test_expect_param(ctx, ctx->node->all_to_all_combine_param,
                                         "all_to_all_combine_param")
             ? 0
             : -1;
}

static int prepare(mluopTestContext *ctx) {
  const mluopTestTensor *mapping = &ctx->inputs[MAPPING];
  return mluop_mesh_prepare(ctx, mapping->rank == 4 ? mapping->dims[3] : 1);
}

static mluOpStatus_t ask_workspace(const mluopTestContext *ctx, const RankContext *rank,
                                   size_t *size) {
  const Mluoptest__AllToAllCombineParam *param = ctx->node->all_to_all_combine_param;
  const mluopMeshTensor *in = mluop_mesh(ctx)->inputs;
  return mluOpGetAllToAllCombineWorkspaceSize(
      rank->handle, rank->comm, in[INPUT].desc, in[METADATA].desc, in[MAPPING].desc,
      param->local_reduce, param->mesh_rows, param->mesh_cols, param->cluster_axis,
      param->output_shard_dim, size);
}

static mluOpStatus_t workspace(mluopTestContext *ctx, size_t *size) {
  return mluop_mesh_workspace_size(ctx, size, ask_workspace);
}

static mluOpStatus_t call_rank(const mluopTestContext *ctx, const RankContext *rank) {
  const Mluoptest__AllToAllCombineParam *param = ctx->node->all_to_all_combine_param;
  const mluopMeshRanks *mesh = mluop_mesh(ctx);
  const mluopMeshTensor *in = mesh->inputs;
  return mluOpAllToAllCombine(
      rank->handle, rank->comm, in[INPUT].desc, mluop_mesh_input(ctx, INPUT, rank->rank),
      in[METADATA].desc, mluop_mesh_input(ctx, METADATA, rank->rank), in[MAPPING].desc,
      mluop_mesh_input(ctx, MAPPING, rank->rank), param->local_reduce, param->mesh_rows,
      param->mesh_cols, param->cluster_axis, param->output_shard_dim, param->num_links,
      (mluOpCommTopology_t)param->topology, mluop_mesh_workspace(ctx, rank->rank),
      mesh->workspace_size, mesh->outputs[0].desc, mluop_mesh_output(ctx, 0, rank->rank));
}

static mluOpStatus_t compute(mluopTestContext *ctx) {
  return mluop_mesh_compute(ctx, call_rank);
}

static AllToAllCombineCall reference_call(const mluopTestContext *ctx) {
  const Mluoptest__AllToAllCombineParam *param = ctx->node->all_to_all_combine_param;
  const mluopTestTensor *in = ctx->inputs;
  const int64_t *ids = in[METADATA].dims + (in[METADATA].rank == 5);
  return (AllToAllCombineCall){
      .mesh_rows = param->mesh_rows,
      .mesh_cols = param->mesh_cols,
      .cluster_axis = param->cluster_axis,
      .shard_dim = param->output_shard_dim,
      .local_reduce = param->local_reduce,
      .batch = ids[1],
      .sequence = ids[2],
      .top_k = ids[3],
      .experts = in[MAPPING].dims[2],
      .row_bytes = in[INPUT].dims[4] * (int64_t)mluop_dtype_size(in[INPUT].info),
      .id_bytes = (int)mluop_dtype_size(in[METADATA].info),
      .map_bytes = (int)mluop_dtype_size(in[MAPPING].info),
      .is_metadata_shared = in[METADATA].rank == 4,
      .input = in[INPUT].host,
      .metadata = in[METADATA].host,
      .mapping = in[MAPPING].host,
      .output = ctx->outputs[0].host};
}

/* With MLUOP_GTEST_BUILD_ZERO_ELEMENT there is nothing to compare. */
static bool is_empty(const mluopTestContext *ctx) {
  return ctx->inputs[INPUT].count == 0 || ctx->outputs[0].count == 0;
}

static int reference(mluopTestContext *ctx) {
  if (is_empty(ctx)) return 0;
  const AllToAllCombineCall call = reference_call(ctx);
  all_to_all_combine_ref(&call);
  return 0;
}

static double theory_io(const mluopTestContext *ctx) {
  if (is_empty(ctx)) return 0;
  const AllToAllCombineCall call = reference_call(ctx);
  return (double)all_to_all_combine_theory_bytes(&call);
}

static void make_zero_element(Mluoptest__Node *node) {
  if (node->all_to_all_combine_param) {
    node->all_to_all_combine_param->mesh_rows = node->all_to_all_combine_param->mesh_cols = 1;
  }
}

const mluopTestExecutor mluop_executor_all_to_all_combine = {
    .name = "all_to_all_combine",
    .accuracy_class = MLUOP_TEST_CLASS_PURE_IO,
    .depends_on_data = true,
    .param_check = param_check,
    .workspace = workspace,
    .compute = compute,
    .reference = reference,
    .theory_ops = mluop_test_no_ops,
    .theory_io = theory_io,
    .prepare = prepare,
    .release = mluop_mesh_release,
    .make_zero_element = make_zero_element,
    .draw_case = all_to_all_combine_draw,
};

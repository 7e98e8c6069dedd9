/* SPDX-License-Identifier: MIT */
#include "all_to_all_dispatch_draw.h"
#include "all_to_all_dispatch_ref.h"
#include "mesh_ranks.h"

/* input [D, B or part, 1, S or part, H], indices [D, B or part, 1, S or part, K], mapping
 * [1, 1, E, D]; output [D, 1, B, S, H], metadata [D, 1, B, S, K]. */
enum { INPUT, INDICES, MAPPING, N_INPUTS };
enum { OUTPUT, METADATA, N_OUTPUTS };

static int param_check(mluopTestContext *ctx) {
  return mluop_test_expect_tensors(ctx, N_INPUTS, N_OUTPUTS) &&
                 mluop_test_expect_param(ctx, ctx->node->all_to_all_dispatch_param,
                                         "all_to_all_dispatch_param")
             ? 0
             : -1;
}

static int prepare(mluopTestContext *ctx) {
  const mluopTestTensor *mapping = &ctx->inputs[MAPPING];
  return mluop_mesh_prepare(ctx, mapping->rank == 4 ? mapping->dims[3] : 1);
}

static mluOpStatus_t ask_workspace(const mluopTestContext *ctx, const RankContext *rank,
                                   size_t *size) {
  const Mluoptest__AllToAllDispatchParam *param = ctx->node->all_to_all_dispatch_param;
  const mluopMeshTensor *in = mluop_mesh(ctx)->inputs;
  return mluOpGetAllToAllDispatchWorkspaceSize(
      rank->handle, rank->comm, in[INPUT].desc, in[INDICES].desc, in[MAPPING].desc,
      param->mesh_rows, param->mesh_cols, param->cluster_axis, param->output_concat_dim, size);
}

static mluOpStatus_t workspace(mluopTestContext *ctx, size_t *size) {
  return mluop_mesh_workspace_size(ctx, size, ask_workspace);
}

static mluOpStatus_t call_rank(const mluopTestContext *ctx, const RankContext *rank) {
  const Mluoptest__AllToAllDispatchParam *param = ctx->node->all_to_all_dispatch_param;
  const mluopMeshRanks *mesh = mluop_mesh(ctx);
  const mluopMeshTensor *in = mesh->inputs, *out = mesh->outputs;
  return mluOpAllToAllDispatch(
      rank->handle, rank->comm, in[INPUT].desc, mluop_mesh_input(ctx, INPUT, rank->rank),
      in[INDICES].desc, mluop_mesh_input(ctx, INDICES, rank->rank), in[MAPPING].desc,
      mluop_mesh_input(ctx, MAPPING, rank->rank), param->mesh_rows, param->mesh_cols,
      param->cluster_axis, param->output_concat_dim, param->num_links,
      (mluOpCommTopology_t)param->topology, mluop_mesh_workspace(ctx, rank->rank),
      mesh->workspace_size, out[OUTPUT].desc, mluop_mesh_output(ctx, OUTPUT, rank->rank),
      out[METADATA].desc, mluop_mesh_output(ctx, METADATA, rank->rank));
}

static mluOpStatus_t compute(mluopTestContext *ctx) {
  return mluop_mesh_compute(ctx, call_rank);
}

static AllToAllDispatchCall reference_call(const mluopTestContext *ctx) {
  const Mluoptest__AllToAllDispatchParam *param = ctx->node->all_to_all_dispatch_param;
  const mluopTestTensor *in = ctx->inputs;
  return (AllToAllDispatchCall){
      .mesh_rows = param->mesh_rows,
      .mesh_cols = param->mesh_cols,
      .cluster_axis = param->cluster_axis,
      .concat_dim = param->output_concat_dim,
      .local_batch = in[INPUT].dims[1],
      .local_sequence = in[INPUT].dims[3],
      .top_k = in[INDICES].dims[4],
      .experts = in[MAPPING].dims[2],
      .row_bytes = in[INPUT].dims[4] * (int64_t)mluop_dtype_size(in[INPUT].info),
      .id_bytes = (int)mluop_dtype_size(in[INDICES].info),
      .map_bytes = (int)mluop_dtype_size(in[MAPPING].info),
      .input = in[INPUT].host,
      .indices = in[INDICES].host,
      .mapping = in[MAPPING].host,
      .output = ctx->outputs[OUTPUT].host,
      .metadata = ctx->outputs[METADATA].host};
}

static bool is_empty(const mluopTestContext *ctx) {
  return ctx->inputs[INPUT].count == 0 || ctx->inputs[INDICES].count == 0;
}

static int reference(mluopTestContext *ctx) {
  if (is_empty(ctx)) return 0;
  const AllToAllDispatchCall call = reference_call(ctx);
  all_to_all_dispatch_ref(&call);
  return 0;
}

static double theory_io(const mluopTestContext *ctx) {
  if (is_empty(ctx)) return 0;
  const AllToAllDispatchCall call = reference_call(ctx);
  return (double)all_to_all_dispatch_theory_bytes(&call);
}

static void make_zero_element(Mluoptest__Node *node) {
  if (node->all_to_all_dispatch_param) {
    node->all_to_all_dispatch_param->mesh_rows = node->all_to_all_dispatch_param->mesh_cols = 1;
  }
}

const mluopTestExecutor mluop_executor_all_to_all_dispatch = {
    .name = "all_to_all_dispatch",
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
    .draw_case = all_to_all_dispatch_draw,
};

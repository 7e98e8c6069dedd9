/* SPDX-License-Identifier: MIT */
#include "run/reference_run.h"

#include <stdatomic.h>

#include "base/parallel.h"

/* Below this many elements threads cost more than they save. */
static const size_t worth_splitting = (size_t)1 << 20;

int mluop_reference_run_share(const mluopTestExecutor *executor, const mluopTestContext *ctx,
                              int share, int shares) {
  mluopTestText message = {0};
  mluopTestContext own = *ctx; /* for a message of its own */
  own.message = &message;
  const int failed = executor->reference_share(&own, share, shares);
  mluop_text_free(&message);
  return failed;
}

typedef struct ReferenceJob {
  const mluopTestExecutor *executor;
  const mluopTestContext *ctx;
  int shares;
  atomic_int failed;
} ReferenceJob;

static void reference_piece(void *arg, size_t piece, size_t begin, size_t end) {
  ReferenceJob *job = arg;
  (void)begin;
  (void)end;
  if (mluop_reference_run_share(job->executor, job->ctx, (int)piece, job->shares)) {
    atomic_store(&job->failed, 1);
  }
}

int mluop_reference_run(const mluopTestExecutor *executor, mluopTestContext *ctx,
                        mluopTestText *message) {
  size_t elements = 0;
  for (size_t i = 0; i < ctx->n_inputs; ++i) {
    elements += ctx->inputs[i].is_null ? 0 : ctx->inputs[i].count;
  }
  ReferenceJob job = {.executor = executor, .ctx = ctx, .shares = mluop_parallel_threads()};
  if (executor->reference_share && job.shares > 1 && elements >= worth_splitting) {
    mluop_parallel_for((size_t)job.shares, 1, reference_piece, &job);
    if (atomic_load(&job.failed)) {
      mluop_text_add(message, "a part of the reference failed");
      return -1;
    }
    return 0;
  }
  ctx->message = message;
  const int failed = executor->reference(ctx);
  ctx->message = NULL;
  return failed;
}

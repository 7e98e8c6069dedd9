/* SPDX-License-Identifier: MIT
 *
 * What an operator's author writes to have it tested: one object `mluop_executor_<op>` in
 * zoo/<op>/<op>.c. Operators are collected through core/op_list.inc. An executor holds no shapes:
 * those come from the case files. */
#ifndef MLUOP_TEST_EXECUTOR_H_
#define MLUOP_TEST_EXECUTOR_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "data/dtype.h"
#include "mlu_op.h"
#include "mlu_op_test.pb-c.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One tensor of a case. */
typedef struct mluopTestTensor {
  const char *id;
  const Mluoptest__Tensor *spec;
  const mluopDtypeInfo *info;
  bool is_null;        /* id contains "NULL": descriptor and pointers are NULL */
  bool is_host_scalar; /* rank 0, pointer mode host */
  int rank;
  const int64_t *dims;
  const int64_t *strides; /* NULL: contiguous */
  size_t count;           /* elements: product of dims */
  size_t extent;          /* elements of the buffer, more than count when strided */

  /* For compute(): arguments of the operator. `data` is device memory, host memory for a host
   * scalar. */
  mluOpTensorDescriptor_t desc;
  void *data;

  /* For reference(): the elements densely packed in their own type, so that movers can be compared
   * bit by bit. Inputs are read only. An output starts with what the device buffer held before the
   * call: the framework's fill pattern, or the input it shares memory with, which has no host data
   * of its own. */
  void *host;
} mluopTestTensor;

typedef struct mluopTestContext {
  const Mluoptest__Node *node;
  mluOpHandle_t handle;
  cnrtQueue_t queue;
  size_t n_inputs;
  mluopTestTensor *inputs;
  size_t n_outputs;
  mluopTestTensor *outputs;
  void *workspace;
  size_t workspace_size;
  int api_version;  /* N of an api_name ending in _vN, else 1; --compatible_test: the newest */
  int algorithm;    /* --test_algo, INT_MIN when not given */
  bool auto_tuning; /* --auto_tuning */
  void *prepared;   /* whatever prepare() made */
  mluopTestText *message; /* why param_check, prepare or reference failed */
} mluopTestContext;

/* Operator classes of the accuracy standard: they decide the criteria of a case that names none. */
typedef enum mluopTestClass {
  MLUOP_TEST_CLASS_CONVOLUTION = 1,  /* DIFF1, DIFF2: 1e-5 (fp32) or 3e-3 */
  MLUOP_TEST_CLASS_ACCUMULATION = 2, /* DIFF1, DIFF2: 3e-3 */
  MLUOP_TEST_CLASS_ACTIVATION = 3,   /* same */
  MLUOP_TEST_CLASS_ARITHMETIC = 4,   /* equal bits; any NaN equals any NaN */
  MLUOP_TEST_CLASS_PURE_IO = 5,      /* equal bits, NaN payloads included */
  MLUOP_TEST_CLASS_COMPOSITE = 9,    /* DIFF1, DIFF2: 3e-3 */
  MLUOP_TEST_CLASS_ATOMIC_ADD = 10,  /* same, and the bitwise-repeat verdict is not given */
} mluopTestClass;

/* An output that shares its memory with an input. Of several pairs with one output the first one
 * counts whose input the case has. */
typedef struct mluopTestInPlace {
  size_t input;
  size_t output;
} mluopTestInPlace;

struct mluopCaseDraw;

typedef struct mluopTestExecutor {
  const char *name;
  mluopTestClass accuracy_class;
  const mluopTestInPlace *in_place; /* n_in_place pairs */
  size_t n_in_place;
  bool refuses_empty; /* tensors without elements are BAD_PARAM, not SUCCESS */
  bool
      depends_on_data; /* its time depends on values (indices, ...): --zero_input leaves it alone */

  int newest_api_version; /* of the function's revisions _v2, ...; 0: it has none */

  bool reads_mostly; /* writes next to nothing: its limit is the read rate, not the copy rate */

  /* Counts of tensors, presence of <op>_param. 0, or -1 with ctx->message filled. Runs before any
   * data exists. */
  int (*param_check)(mluopTestContext *ctx);
  /* Bytes of workspace; may be NULL. */
  mluOpStatus_t (*workspace)(mluopTestContext *ctx, size_t *size);
  /* Calls the operator once. */
  mluOpStatus_t (*compute)(mluopTestContext *ctx);
  /* Fills outputs[i].host from inputs[i].host; NULL when cases bring their outputs. */
  int (*reference)(mluopTestContext *ctx);
  /* Optional: the share-th of `shares` parts of reference(), independent of the others, so that all
   * cores can work on it; where the data do not allow it, share 0 does all. Runs on several threads
   * at once. */
  int (*reference_share)(mluopTestContext *ctx, int share, int shares);
  /* Optional: whether reference() writes every element of its outputs, whatever was there before. A
   * large output then starts with whatever its memory holds, a small one with another pattern than
   * the device's, so that an element left out shows. */
  bool (*writes_all)(const mluopTestContext *ctx);
  /* Algorithmic minimum of operations and bytes; NULL: unknown, and all tensors once. They may look
   * at host data. */
  double (*theory_ops)(const mluopTestContext *ctx);
  double (*theory_io)(const mluopTestContext *ctx);

  /* Optional: objects a compute() needs, made after the descriptors and before the workspace query.
   */
  int (*prepare)(mluopTestContext *ctx);
  void (*release)(mluopTestContext *ctx);
  /* Optional: makes scalars of <op>_param agree with tensors whose dims were all set to 0. */
  void (*make_zero_element)(Mluoptest__Node *node);
  /* Optional: draws a random case for mluop_case_gen (tools/case_draw.h); `valid` false: one the
   * operator must refuse. */
  void (*draw_case)(struct mluopCaseDraw *draw, bool valid);
} mluopTestExecutor;

/* The executor of an operator of this build, or NULL. */
const mluopTestExecutor *mluop_executor_find(const char *op_name);
size_t mluop_executor_count(void);
const mluopTestExecutor *mluop_executor_at(size_t index);

/* Helpers for param_check: false with a message when the case has other numbers of tensors, or
 * lacks the operator's parameter message. */
bool mluop_test_expect_tensors(mluopTestContext *ctx, size_t n_inputs, size_t n_outputs);
bool mluop_test_expect_param(mluopTestContext *ctx, const void *param, const char *name);
/* The same when a 64-bit field of a case is an int for the operator and does not fit. */
bool mluop_test_expect_int(mluopTestContext *ctx, int64_t value, const char *name);

/* A writes_all for references that always do. */
bool mluop_test_writes_all(const mluopTestContext *ctx);

#ifdef __cplusplus
}
#endif
#endif /* MLUOP_TEST_EXECUTOR_H_ */

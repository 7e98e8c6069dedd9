/* SPDX-License-Identifier: MIT
 *
 * What the author of an operator writes to have it tested: one object `mluop_executor_<op>` in
 * zoo/<op>/<op>.c. core/op_list.inc lists the operators. An executor contains no shapes; these come
 * from the case files. */
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

  /* For compute(): arguments of the operator. `data` is device memory, or host memory for a host
   * scalar. */
  mluOpTensorDescriptor_t desc;
  void *data;

  /* For reference(): the elements, densely packed in their own type, so that movers can be compared
   * bit by bit. Inputs are read only. An output starts with the device buffer's contents before the
   * call: the framework's fill pattern, or the input that it shares memory with, which has no host
   * data of its own. */
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
  int algorithm;    /* --test_algo, INT_MIN if not given */
  bool auto_tuning; /* --auto_tuning */
  void *prepared;   /* the object made by prepare() */
  mluopTestText *message; /* why param_check, prepare or reference failed */
} mluopTestContext;

/* Operator classes of the accuracy standard: the default criteria of a case. */
typedef enum mluopTestClass {
  MLUOP_TEST_CLASS_CONVOLUTION = 1,  /* DIFF1, DIFF2: 1e-5 (fp32) or 3e-3 */
  MLUOP_TEST_CLASS_ACCUMULATION = 2, /* DIFF1, DIFF2: 3e-3 */
  MLUOP_TEST_CLASS_ACTIVATION = 3,   /* same */
  MLUOP_TEST_CLASS_ARITHMETIC = 4,   /* equal bits; any NaN equals any NaN */
  MLUOP_TEST_CLASS_PURE_IO = 5,      /* equal bits, including NaN payloads */
  MLUOP_TEST_CLASS_COMPOSITE = 9,    /* DIFF1, DIFF2: 3e-3 */
  MLUOP_TEST_CLASS_ATOMIC_ADD = 10,  /* same, but without the bitwise-repeat verdict */
} mluopTestClass;

/* An output that shares its memory with an input. If several pairs have the same output, the first
 * one applies whose input is in the case. */
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
  bool refuses_empty;   /* empty tensors are BAD_PARAM, not SUCCESS */
  bool depends_on_data; /* its time depends on values: --zero_input does not apply */

  int newest_api_version; /* of the revisions _v2, ...; 0: none */

  bool reads_mostly; /* writes almost nothing: its limit is the read rate, not the copy rate */

  /* Checks the number of tensors and the presence of <op>_param. Returns 0, or -1 with ctx->message
   * filled. Runs before there is any data. */
  int (*param_check)(mluopTestContext *ctx);
  /* Bytes of workspace; may be NULL. */
  mluOpStatus_t (*workspace)(mluopTestContext *ctx, size_t *size);
  /* Calls the operator once. */
  mluOpStatus_t (*compute)(mluopTestContext *ctx);
  /* Computes outputs[i].host from inputs[i].host; NULL if cases contain their outputs. */
  int (*reference)(mluopTestContext *ctx);
  /* Optional: part number `share` of `shares` of reference(). The parts are independent, so that
   * all cores can work; if the data do not allow that, share 0 does everything. Runs on several
   * threads at once. */
  int (*reference_share)(mluopTestContext *ctx, int share, int shares);
  /* Optional: true if reference() writes every element of its outputs. A large output then starts
   * uninitialised, and a small one with another pattern than the device's, so that a missed element
   * is detected. */
  bool (*writes_all)(const mluopTestContext *ctx);
  /* Smallest possible number of operations and bytes. NULL: unknown operations, and all tensors
   * once. They may read host data. */
  double (*theory_ops)(const mluopTestContext *ctx);
  double (*theory_io)(const mluopTestContext *ctx);

  /* Optional: creates objects for compute(), after the descriptors and before the workspace query.
   */
  int (*prepare)(mluopTestContext *ctx);
  void (*release)(mluopTestContext *ctx);
  /* Optional: adapts scalars of <op>_param after all dims of the tensors were set to 0. */
  void (*make_zero_element)(Mluoptest__Node *node);
  /* Optional: draws a random case for mluop_case_gen (tools/case_draw.h); with `valid` false, one
   * that the operator must refuse. */
  void (*draw_case)(struct mluopCaseDraw *draw, bool valid);
} mluopTestExecutor;

/* The executor of an operator of this build, or NULL. */
const mluopTestExecutor *mluop_executor_find(const char *op_name);
size_t mluop_executor_count(void);
const mluopTestExecutor *mluop_executor_at(size_t index);

/* Helpers for param_check: return false with a message if the case has other numbers of tensors, or
 * lacks the operator's parameter message. */
bool mluop_test_expect_tensors(mluopTestContext *ctx, size_t n_inputs, size_t n_outputs);
bool mluop_test_expect_param(mluopTestContext *ctx, const void *param, const char *name);
/* Returns false with a message if a 64-bit field of a case does not fit the operator's int. */
bool mluop_test_expect_int(mluopTestContext *ctx, int64_t value, const char *name);

/* writes_all for references that always write all elements. */
bool mluop_test_writes_all(const mluopTestContext *ctx);

/* theory_ops for operators that only move data. */
double mluop_test_no_ops(const mluopTestContext *ctx);

#ifdef __cplusplus
}
#endif
#endif /* MLUOP_TEST_EXECUTOR_H_ */

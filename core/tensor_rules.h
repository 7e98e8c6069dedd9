/* SPDX-License-Identifier: MIT
 *
 * Describes the tensors of an operator in a table with one row each: name, role, types, shape,
 * layout and whether it may be absent. The table drives the checks and the record (core/gen_case.h)
 * of a call:
 *
 *   enum { INPUT, OUTPUT };
 *   static const mluopTensorRule rules[] = {
 *       MLUOP_IN(input, MLUOP_FLOATS, MLUOP_DIMS(MLUOP_ANY, MLUOP_ANY), MLUOP_UNIFORM(-1, 1)),
 *       MLUOP_OUT(output, MLUOP_TYPE_OF(INPUT), MLUOP_DIMS(MLUOP_DIM(INPUT, 0))),
 *   };
 *   static const mluopTensorTable table = MLUOP_TENSOR_TABLE("row_sum", rules);
 *
 *   mluOpStatus_t MLUOP_WIN_API mluOpRowSum(mluOpHandle_t handle, MLUOP_IN_ARGS(input),
 *                                           const int axis, MLUOP_OUT_ARGS(output)) {
 *     mluopTensors tensors = MLUOP_TENSORS(API, handle, &table, NULL, input, output);
 *     CHECK_TENSORS(&tensors, MLUOP_ALL, HANDLE, PRESENT, RANK, BASE_TYPE, BFLOAT16, TYPE, SHAPE);
 *     CHECK_TENSORS(&tensors, MLUOP_ALL, LAYOUT, LARGE);
 *     if (ANY_TENSOR_EMPTY(API, output_desc)) return MLUOP_STATUS_SUCCESS;
 *     CHECK_TENSORS(&tensors, MLUOP_ALL, DATA, APART);
 *     RECORD_CASE(&tensors, axis);
 *
 * Tensor x of the table has the arguments x_desc and x. Messages name them as the caller does.
 */
#ifndef CORE_TENSOR_RULES_H_
#define CORE_TENSOR_RULES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/check.h"
#include "core/gen_case.h"
#include "core/tensor.h"
#include "core/tool.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  MLUOP_MAX_TENSORS = 8,
  MLUOP_MAX_TENSOR_TYPES = 5,
  MLUOP_MAX_TENSOR_RANK = 4,
  MLUOP_MAX_SIZES = 8,
};

/* ---- The table ---- */

typedef enum mluopTensorRole {
  MLUOP_ROLE_IN,
  MLUOP_ROLE_OUT,
  MLUOP_ROLE_UPDATED, /* written in part: a record saves the old contents, too */
} mluopTensorRole;

/* A reference to another row is its index plus 1; 0 means none. Members that checks read are
 * adjacent. */
typedef struct mluopTensorRule {
  const char *data_name, *desc_name;
  uint8_t role;                          /* mluopTensorRole */
  uint8_t types[MLUOP_MAX_TENSOR_TYPES]; /* allowed ones, then MLUOP_DTYPE_INVALID */
  uint32_t type_bits;                    /* the same as 1 << type */
  uint8_t type_of;                       /* instead of types: the row with the same type */
  bool may_be_wider;                     /* float is allowed, too, if that row is bfloat16 */
  uint8_t rank;                          /* 0: any */
  int8_t dims[MLUOP_MAX_TENSOR_RANK];    /* index of a size, or one of the values below */
  uint8_t shape_of;                      /* instead of dims: the row with the same shape */
  bool has_spaced_rows;                  /* gaps between rows are allowed; else contiguous */
  bool is_optional;
  uint8_t comes_with; /* the row that is given if and only if this one is */

  bool is_left_out;          /* if absent, a record does not mention it */
  uint8_t random_below;      /* instead of `random`: integers from 0 to this size minus 1 */
  mluopGenCaseRandom random; /* of an input: how a replay generates its data */
} mluopTensorRule;

#define MLUOP_IN(name, ...) MLUOP_TENSOR(name, MLUOP_ROLE_IN, __VA_ARGS__)
#define MLUOP_OUT(name, ...) MLUOP_TENSOR(name, MLUOP_ROLE_OUT, __VA_ARGS__)
#define MLUOP_UPDATED(name, ...) MLUOP_TENSOR(name, MLUOP_ROLE_UPDATED, __VA_ARGS__)
#define MLUOP_TENSOR(name, tensor_role, ...) \
  { .data_name = #name, .desc_name = #name "_desc", .role = tensor_role, __VA_ARGS__ }

/* Types. Messages list them in this order. */
#define MLUOP_TYPES(...) \
  .types = {__VA_ARGS__}, .type_bits = 0 MLUOP_EACH(MLUOP_TYPE_BIT, __VA_ARGS__)
#define MLUOP_TYPE_BIT(type) | 1u << (type)
#define MLUOP_FLOATS MLUOP_TYPES(MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF, MLUOP_DTYPE_BFLOAT16)
#define MLUOP_INT32 MLUOP_TYPES(MLUOP_DTYPE_INT32)
#define MLUOP_TYPE_OF(row) .type_of = (row) + 1
#define MLUOP_TYPE_OF_OR_FLOAT(row) MLUOP_TYPE_OF(row), .may_be_wider = true

/* Shapes: for each dimension the index of a size in mluopTensors.sizes, or one of these. */
#define MLUOP_DIMS(...) .rank = MLUOP_COUNT(__VA_ARGS__), .dims = {__VA_ARGS__}
#define MLUOP_SHAPE_OF(row, row_rank) .rank = (row_rank), .shape_of = (row) + 1
#define MLUOP_ANY (-1)
#define MLUOP_ONE (-2)
#define MLUOP_DIM(row, axis) (MLUOP_MAX_SIZES + (row)*MLUOP_MAX_TENSOR_RANK + (axis))
#define MLUOP_ROW_OF_DIM(dim) ((int)((unsigned)((dim)-MLUOP_MAX_SIZES) / MLUOP_MAX_TENSOR_RANK))
#define MLUOP_AXIS_OF_DIM(dim) ((int)((unsigned)((dim)-MLUOP_MAX_SIZES) % MLUOP_MAX_TENSOR_RANK))
#define MLUOP_SPACED_ROWS .has_spaced_rows = true

#define MLUOP_OPTIONAL .is_optional = true
#define MLUOP_OPTIONAL_WITH(row) .is_optional = true, .comes_with = (row) + 1
#define MLUOP_LEFT_OUT .is_left_out = true

/* Data of a replay, as genCaseUniform, genCaseGaussian and genCaseReal describe it. */
#define MLUOP_UNIFORM(lower, upper) .random = {MLUOP_GEN_CASE_UNIFORM, lower, upper, false}
#define MLUOP_GAUSSIAN(mean, deviation) .random = {MLUOP_GEN_CASE_GAUSSIAN, mean, deviation, false}
#define MLUOP_REAL(lower, upper) .random = {MLUOP_GEN_CASE_UNIFORM, lower, upper, true}
#define MLUOP_BELOW(size_number) .random_below = (size_number) + 1

typedef struct mluopTensorTable {
  const char *op_name;
  int count;
  const mluopTensorRule *rules;
  int base; /* the row whose type is the operator's type; its type is checked first */
  const char *size_names[MLUOP_MAX_SIZES]; /* for messages */
  const char *op_type;                     /* in the schema's OpType, or NULL */
  double tolerance; /* of a replay: 0 for equality (DIFF3), else the threshold of DIFF1 and DIFF2 */
} mluopTensorTable;

/* Further arguments initialise fields of the table: .base = INPUT. */
#define MLUOP_TENSOR_TABLE(op, array, ...)                                                 \
  {                                                                                        \
    .op_name = (op), .count = (int)(sizeof(array) / sizeof((array)[0])), .rules = (array), \
    ##__VA_ARGS__                                                                          \
  }

/* ---- A call ---- */

struct mluopTensors {
  const char *api; /* "[mluOpRowSum]" */
  mluOpHandle_t handle;
  const mluopTensorTable *table;
  struct {
    mluOpTensorDescriptor_t desc;
    const void *data;
  } tensor[MLUOP_MAX_TENSORS]; /* in the order of the table */
  int64_t *sizes;              /* NULL: no rule refers to a size */
  const void *workspace;
  size_t workspace_bytes; /* that the call uses */
  unsigned settled;       /* bits of checks that every row passes; set by the first check */
  unsigned rows_by_size;  /* rows whose shape depends on `sizes`; set together with `settled` */
};
typedef struct mluopTensors mluopTensors;
#define MLUOP_IS_SURVEYED (1u << 31) /* bit of `settled`: the others are valid */

/* The further arguments are the names of the tensors in the order of the table. */
#define MLUOP_TENSORS(api, handle, table, sizes, ...) \
  { (api), (handle), (table), {MLUOP_EACH(MLUOP_ARGUMENT, __VA_ARGS__)}, (sizes), NULL, 0, 0, 0 }
#define MLUOP_ARGUMENT(name) {name##_desc, name},

/* The parameters of a public function for tensor `name`. */
#define MLUOP_IN_ARGS(name) const mluOpTensorDescriptor_t name##_desc, const void *name
#define MLUOP_OUT_ARGS(name) const mluOpTensorDescriptor_t name##_desc, void *name

/* For a workspace query: one descriptor by its row, or the first ones by name. A query checks few
 * rows, so it skips the survey of all rows. */
#define MLUOP_TENSOR_QUERY(query_api, query_handle, query_table, row, query_desc) \
  {                                                                               \
    .api = (query_api), .handle = (query_handle), .table = (query_table),         \
    .tensor[row] = {(query_desc), NULL}, .settled = MLUOP_IS_SURVEYED             \
  }
#define MLUOP_TENSOR_QUERIES(query_api, query_handle, query_table, ...)               \
  {                                                                                   \
    .api = (query_api), .handle = (query_handle), .table = (query_table), .tensor = { \
      MLUOP_EACH(MLUOP_DESC_ALONE, __VA_ARGS__)                                       \
    }                                                                                 \
  }
#define MLUOP_DESC_ALONE(name) {name##_desc, NULL},

/* Checks a workspace query: the handle, the descriptors of `rows` and the result pointer. */
#define CHECK_TENSOR_QUERY(tensors, rows, workspace_size) \
  do {                                                    \
    CHECK_TENSORS(tensors, rows, HANDLE, PRESENT);        \
    CHECK_NOT_NULL((tensors)->api, workspace_size);       \
  } while (0)

/* Rows of a table as bits. */
#define MLUOP_ALL 0xffffu
#define MLUOP_REQUIRED_ROWS 0x10000u
#define MLUOP_OPTIONAL_ROWS 0x20000u
#define MLUOP_ONLY(...) (0u MLUOP_EACH(MLUOP_ROW_BIT, __VA_ARGS__))
#define MLUOP_EXCEPT(...) (MLUOP_ALL & ~MLUOP_ONLY(__VA_ARGS__))
#define MLUOP_ROW_BIT(row) | 1u << (row)

typedef enum mluopTensorCheck {
  MLUOP_CHECK_HANDLE,    /* the handle is not destroyed, and its device is MLU370 or newer */
  MLUOP_CHECK_PRESENT,   /* descriptors: required ones, then those with comes_with */
  MLUOP_CHECK_RANK,      /* number of dimensions, and MLUOP_LAYOUT_ARRAY */
  MLUOP_CHECK_BASE_TYPE, /* type of the base row */
  MLUOP_CHECK_BFLOAT16,  /* the device supports the type of the base row */
  MLUOP_CHECK_SAME_TYPE, /* types of rows with type_of */
  MLUOP_CHECK_TYPE,      /* types of all rows */
  MLUOP_CHECK_SHAPE,
  MLUOP_CHECK_NOT_EMPTY,
  MLUOP_CHECK_LAYOUT,
  MLUOP_CHECK_LARGE, /* fewer than LARGE_TENSOR_NUM elements */
  MLUOP_CHECK_DATA,  /* data pointers; optional ones are given with their descriptors */
  MLUOP_CHECK_APART, /* outputs and workspace overlap nothing else */
} mluopTensorCheck;

/* Does the checks one after the other, each for all of `rows` in table order. Checks of descriptors
 * skip absent tensors. APART must be last. `bits` has the same checks as bits 1u << check. */
mluOpStatus_t mluop_check_unsettled(mluopTensors *tensors, unsigned rows, unsigned bits, int count,
                                    const mluopTensorCheck *checks);
static inline mluOpStatus_t mluop_check_tensors(mluopTensors *tensors, unsigned rows, unsigned bits,
                                                int count, const mluopTensorCheck *checks) {
  if ((bits & ~tensors->settled) == 0) return MLUOP_STATUS_SUCCESS;
  return mluop_check_unsettled(tensors, rows, bits, count, checks);
}

/* CHECK_TENSORS(&tensors, MLUOP_REQUIRED_ROWS, PRESENT, RANK) */
#define CHECK_TENSORS(tensors, rows, ...)                                                         \
  do {                                                                                            \
    static const mluopTensorCheck mluop_checks_[] = {MLUOP_EACH(MLUOP_CHECK_NAMED, __VA_ARGS__)}; \
    MLUOP_RETURN_IF_FAILED(mluop_check_tensors(tensors, rows,                                     \
                                               0u MLUOP_EACH(MLUOP_CHECK_BIT, __VA_ARGS__),       \
                                               MLUOP_COUNT(__VA_ARGS__), mluop_checks_));         \
  } while (0)
#define MLUOP_CHECK_NAMED(check) MLUOP_CHECK_##check,
#define MLUOP_CHECK_BIT(check) | 1u << MLUOP_CHECK_##check

/* The workspace is large enough, and not NULL if needed. From here on APART includes it. */
mluOpStatus_t mluop_check_tensor_workspace(mluopTensors *tensors, const void *workspace,
                                           size_t workspace_size, size_t needed);
#define CHECK_TENSOR_WORKSPACE(tensors, workspace, workspace_size, needed) \
  MLUOP_RETURN_IF_FAILED(mluop_check_tensor_workspace(tensors, workspace, workspace_size, needed))

/* If recording is on, records the call until the function returns. The scalars become parameters of
 * the same name: RECORD_CASE(&tensors, axis). */
#define RECORD_CASE(tensors, ...)                                                             \
  GEN_CASE(mluop_gen_case_, (tensors)->handle, (tensors)->table->op_name,                     \
           (tensors)->table->op_type);                                                        \
  if (genCaseIsOn(&mluop_gen_case_)) {                                                        \
    const mluopScalar mluop_scalars_[] = {MLUOP_SCALARS(__VA_ARGS__){NULL, mluopValueOf(0)}}; \
    mluop_record_call(&mluop_gen_case_, tensors, mluop_scalars_);                             \
  }

/* A scalar argument to log or record. */
typedef struct mluopScalar {
  const char *name;
  mluopValue value;
} mluopScalar;
#define MLUOP_SCALARS(...) \
  MLUOP_EACH_OF(MLUOP_COUNT_FROM_0(__VA_ARGS__), MLUOP_SCALAR, ##__VA_ARGS__)
#define MLUOP_SCALAR(name) {#name, mluopValueOf(name)},

/* `scalars` ends with an entry without a name. */
void mluop_record_call(mluopGenCase *gen_case, const mluopTensors *tensors,
                       const mluopScalar *scalars);

/* macro(argument) for each of 1 to 9 arguments; MLUOP_EACH_OF takes the count, which may be 0. */
#define MLUOP_EACH(macro, ...) MLUOP_EACH_OF(MLUOP_COUNT(__VA_ARGS__), macro, __VA_ARGS__)
#define MLUOP_EACH_OF(count, macro, ...) MLUOP_EACH_PASTED(count, macro, __VA_ARGS__)
#define MLUOP_EACH_PASTED(count, macro, ...) MLUOP_EACH_##count(macro, __VA_ARGS__)
#define MLUOP_EACH_0(macro, ...)
#define MLUOP_EACH_1(macro, a) macro(a)
#define MLUOP_EACH_2(macro, a, ...) macro(a) MLUOP_EACH_1(macro, __VA_ARGS__)
#define MLUOP_EACH_3(macro, a, ...) macro(a) MLUOP_EACH_2(macro, __VA_ARGS__)
#define MLUOP_EACH_4(macro, a, ...) macro(a) MLUOP_EACH_3(macro, __VA_ARGS__)
#define MLUOP_EACH_5(macro, a, ...) macro(a) MLUOP_EACH_4(macro, __VA_ARGS__)
#define MLUOP_EACH_6(macro, a, ...) macro(a) MLUOP_EACH_5(macro, __VA_ARGS__)
#define MLUOP_EACH_7(macro, a, ...) macro(a) MLUOP_EACH_6(macro, __VA_ARGS__)
#define MLUOP_EACH_8(macro, a, ...) macro(a) MLUOP_EACH_7(macro, __VA_ARGS__)
#define MLUOP_EACH_9(macro, a, ...) macro(a) MLUOP_EACH_8(macro, __VA_ARGS__)

#ifdef __cplusplus
}
#endif
#endif /* CORE_TENSOR_RULES_H_ */

/* SPDX-License-Identifier: MIT
 *
 * Argument checks. A check that fails logs one line with the argument's name as the caller knows
 * it, the expected and the actual value, and makes the calling function return the status. `api` is
 * the public function's name in brackets: "[mluOpMoeDispatchForward]".
 *
 * Each operator describes its tensors in a table (core/tensor_rules.h), whose checks call the
 * functions here. The CHECK_ macros are for scalars, and for what a table cannot express. All
 * operators check in the same order: handle, architecture, descriptors, ranks, data types, scalars,
 * dimensions, contiguity, tensor size; then the zero-element return, the workspace and the data
 * pointers. docs/add_an_operator.md lists the macros. The PARAM_CHECK family has the names and
 * meaning known from MLU-OPS.
 *
 * Usable from C and from the C++ of .mlu files.
 */
#ifndef CORE_CHECK_H_
#define CORE_CHECK_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/context.h"
#include "core/logging.h"
#include "core/tensor.h"
#include "mlu_op.h"

/* Tensors with at least this many elements or bytes are "large". */
#define LARGE_TENSOR_NUM ((uint64_t)2147483648)
#define LARGE_TENSOR_SIZE ((uint64_t)2147483648)

/* A range of memory that a call uses. An absent tensor has 0 bytes. */
typedef struct mluopOperand {
  const char *name;
  const void *data;
  size_t bytes;
  bool is_written;
} mluopOperand;

/* ---- Values in messages ---- */

typedef struct mluopValue {
  enum {
    MLUOP_VALUE_INT,
    MLUOP_VALUE_UINT,
    MLUOP_VALUE_REAL,
    MLUOP_VALUE_POINTER,
    MLUOP_VALUE_BOOL
  } kind;
  union {
    long long i;
    unsigned long long u;
    double r;
    const volatile void *p;
  } as;
} mluopValue;

#ifdef __cplusplus
#include <type_traits>
template <typename T>
static inline mluopValue mluopValueOf(T x) {
  mluopValue value = {};
  if constexpr (std::is_pointer_v<T> || std::is_null_pointer_v<T>) {
    value.kind = mluopValue::MLUOP_VALUE_POINTER;
    value.as.p = (const volatile void *)x;
  } else if constexpr (std::is_same_v<T, bool>) {
    value.kind = mluopValue::MLUOP_VALUE_BOOL;
    value.as.i = (long long)x;
  } else if constexpr (std::is_floating_point_v<T>) {
    value.kind = mluopValue::MLUOP_VALUE_REAL;
    value.as.r = (double)x;
  } else if constexpr (std::is_unsigned_v<T>) {
    value.kind = mluopValue::MLUOP_VALUE_UINT;
    value.as.u = (unsigned long long)x;
  } else {
    value.kind = mluopValue::MLUOP_VALUE_INT;
    value.as.i = (long long)x;
  }
  return value;
}
extern "C" {
#else
static inline mluopValue mluop_value_of_int(long long x) {
  return (mluopValue){.kind = MLUOP_VALUE_INT, .as = {.i = x}};
}
static inline mluopValue mluop_value_of_uint(unsigned long long x) {
  return (mluopValue){.kind = MLUOP_VALUE_UINT, .as = {.u = x}};
}
static inline mluopValue mluop_value_of_bool(bool x) {
  return (mluopValue){.kind = MLUOP_VALUE_BOOL, .as = {.i = x}};
}
static inline mluopValue mluop_value_of_real(double x) {
  return (mluopValue){.kind = MLUOP_VALUE_REAL, .as = {.r = x}};
}
static inline mluopValue mluop_value_of_pointer(const volatile void *x) {
  return (mluopValue){.kind = MLUOP_VALUE_POINTER, .as = {.p = x}};
}
/* clang-format off */
#define mluopValueOf(x)                                                                    \
  _Generic((x), float: mluop_value_of_real, double: mluop_value_of_real,                   \
           _Bool: mluop_value_of_bool, char: mluop_value_of_int,                           \
           signed char: mluop_value_of_int, short: mluop_value_of_int,                     \
           int: mluop_value_of_int, long: mluop_value_of_int,                              \
           long long: mluop_value_of_int, unsigned char: mluop_value_of_uint,              \
           unsigned short: mluop_value_of_uint, unsigned int: mluop_value_of_uint,         \
           unsigned long: mluop_value_of_uint, unsigned long long: mluop_value_of_uint,    \
           default: mluop_value_of_pointer)(x)
/* clang-format on */
#endif

/* ---- The functions that the macros call; each returns the status of its check ---- */

mluOpStatus_t mluop_fail_relation(const char *api, const char *left_text, const char *relation,
                                  const char *right_text, mluopValue left, mluopValue right);
mluOpStatus_t mluop_fail_value(const char *api, const char *name, mluopValue got,
                               const char *wanted, ...) __attribute__((format(printf, 4, 5)));
void mluop_print_value(char *text, size_t size, mluopValue value);
mluOpStatus_t mluop_fail_launch(const char *kernel, cnrtRet_t error);

mluOpStatus_t mluop_check_not_null(const char *api, const char *name, const volatile void *got);
mluOpStatus_t mluop_check_handle(const char *api, mluOpHandle_t handle);
mluOpStatus_t mluop_check_arch(const char *api, mluOpHandle_t handle, mluOpDevType_t least);
mluOpStatus_t mluop_check_bfloat16(const char *api, mluOpHandle_t handle, const char *name,
                                   mluOpTensorDescriptor_t desc);
mluOpStatus_t mluop_check_rank(const char *api, const char *name, mluOpTensorDescriptor_t desc,
                               int least, int most);
mluOpStatus_t mluop_check_dtype(const char *api, const char *name, mluOpTensorDescriptor_t desc,
                                int count, const mluOpDataType_t *dtypes);
mluOpStatus_t mluop_check_same_dtype(const char *api, const char *name,
                                     mluOpTensorDescriptor_t desc, const char *other_name,
                                     mluOpTensorDescriptor_t other);
mluOpStatus_t mluop_check_dim(const char *api, const char *name, mluOpTensorDescriptor_t desc,
                              int axis, const char *wanted_text, int64_t wanted);
mluOpStatus_t mluop_check_same_shape(const char *api, const char *name,
                                     mluOpTensorDescriptor_t desc, const char *other_name,
                                     mluOpTensorDescriptor_t other);
mluOpStatus_t mluop_check_contiguous(const char *api, const char *name,
                                     mluOpTensorDescriptor_t desc, const char *reason);
mluOpStatus_t mluop_check_rows(const char *api, const char *name, mluOpTensorDescriptor_t desc);
mluOpStatus_t mluop_check_limit(const char *api, const char *name, const char *what, uint64_t got,
                                uint64_t limit, const char *reason);
mluOpStatus_t mluop_check_dims_limit(const char *api, const char *name,
                                     mluOpTensorDescriptor_t desc, uint64_t limit,
                                     const char *reason);
mluOpStatus_t mluop_check_large_tensor(const char *api, const char *name,
                                       mluOpTensorDescriptor_t desc);
mluOpStatus_t mluop_check_optional(const char *api, const char *name, const void *data,
                                   mluOpTensorDescriptor_t desc);
mluOpStatus_t mluop_check_apart(const char *api, const mluopOperand *operands, int count);
static inline size_t mluop_optional_bytes(mluOpTensorDescriptor_t desc) {
  return desc != NULL ? mluop_tensor_bytes(desc) : 0;
}
mluOpStatus_t mluop_check_workspace(const char *api, const void *workspace, size_t workspace_size,
                                    size_t needed);
/* The last arguments are `count` tensor descriptors, each may be NULL. */
bool mluop_any_tensor_empty(const char *api, int count, ...);

#ifdef __cplusplus
} /* extern "C" */
#endif

#define MLUOP_RETURN_IF_FAILED(call)                                 \
  do {                                                               \
    const mluOpStatus_t mluop_status_ = (call);                      \
    if (mluop_status_ != MLUOP_STATUS_SUCCESS) return mluop_status_; \
  } while (0)

/* Number of arguments, 1 to 16; the second counts from 0 to 15. */
#define MLUOP_COUNT(...) \
  MLUOP_COUNT_(__VA_ARGS__, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define MLUOP_COUNT_FROM_0(...) \
  MLUOP_COUNT_(0, ##__VA_ARGS__, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define MLUOP_COUNT_(a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12, a13, a14, a15, a16, n, \
                     ...)                                                                      \
  n

/* ---- Checks of operators: BAD_PARAM unless said otherwise ---- */

/* A handle, a descriptor or a pointer to a result is not NULL. */
#define CHECK_NOT_NULL(api, argument) \
  MLUOP_RETURN_IF_FAILED(mluop_check_not_null(api, #argument, argument))
#define CHECK_HANDLE(api, handle) MLUOP_RETURN_IF_FAILED(mluop_check_handle(api, handle))
#define CHECK_DESC(api, desc) CHECK_NOT_NULL(api, desc)
/* A data pointer is not NULL; check it after the zero-element return. */
#define CHECK_DATA(api, pointer) CHECK_NOT_NULL(api, pointer)

/* The device is new enough, else ARCH_MISMATCH. */
#define CHECK_ARCH(api, handle, least) MLUOP_RETURN_IF_FAILED(mluop_check_arch(api, handle, least))

/* The number of dimensions, and the layout MLUOP_LAYOUT_ARRAY: no operator here supports layouts
 * with named dimensions (NHWC, NCHW), which are for images. */
#define CHECK_RANK(api, desc, rank) \
  MLUOP_RETURN_IF_FAILED(mluop_check_rank(api, #desc, desc, rank, rank))
#define CHECK_RANK_RANGE(api, desc, least, most) \
  MLUOP_RETURN_IF_FAILED(mluop_check_rank(api, #desc, desc, least, most))

/* One of the listed data types: CHECK_DTYPE(api, desc, MLUOP_DTYPE_FLOAT, MLUOP_DTYPE_HALF). */
#define CHECK_DTYPE(api, desc, ...)                                                    \
  do {                                                                                 \
    const mluOpDataType_t mluop_dtypes_[] = {__VA_ARGS__};                             \
    MLUOP_RETURN_IF_FAILED(                                                            \
        mluop_check_dtype(api, #desc, desc, MLUOP_COUNT(__VA_ARGS__), mluop_dtypes_)); \
  } while (0)
#define CHECK_SAME_DTYPE(api, desc, other) \
  MLUOP_RETURN_IF_FAILED(mluop_check_same_dtype(api, #desc, desc, #other, other))

/* The device supports the type, else NOT_SUPPORTED: bfloat16 needs MLU590 or newer. */
#define CHECK_BFLOAT16(api, handle, desc) \
  MLUOP_RETURN_IF_FAILED(mluop_check_bfloat16(api, handle, #desc, desc))

/* desc's size along `axis` is `wanted` (64-bit; its text is part of the message). The rank was
 * checked before. */
#define CHECK_DIM(api, desc, axis, wanted) \
  MLUOP_RETURN_IF_FAILED(mluop_check_dim(api, #desc, desc, axis, #wanted, wanted))
#define CHECK_SAME_SHAPE(api, desc, other) \
  MLUOP_RETURN_IF_FAILED(mluop_check_same_shape(api, #desc, desc, #other, other))

/* A scalar argument satisfies `condition`. The other arguments are a printf text of what is
 * allowed: CHECK_VALUE(api, top_p, top_p >= 0 && top_p <= 1, "0 to 1"). */
#define CHECK_VALUE(api, argument, condition, ...)                                  \
  do {                                                                              \
    if (!(condition)) {                                                             \
      return mluop_fail_value(api, #argument, mluopValueOf(argument), __VA_ARGS__); \
    }                                                                               \
  } while (0)
/* For conditions that no other check covers. Unless `condition` holds, logs the printf text and
 * returns MLUOP_STATUS_<status>. */
#define CHECK_ELSE(status, condition, ...) \
  do {                                     \
    if (!(condition)) {                    \
      LOG_ERROR(__VA_ARGS__);              \
      return MLUOP_STATUS_##status;        \
    }                                      \
  } while (0)
#define CHECK_NOT_NEGATIVE(api, argument) CHECK_VALUE(api, argument, (argument) >= 0, "0 or more")

/* `got` is less than `limit`, else NOT_SUPPORTED: CHECK_LIMIT(api, "cache_desc", "rows", rows,
 * MAX_ROWS). */
#define CHECK_LIMIT(api, name, what, got, limit) \
  MLUOP_RETURN_IF_FAILED(mluop_check_limit(api, name, what, (uint64_t)(got), (uint64_t)(limit), ""))

/* The tensor is contiguous or empty, else NOT_SUPPORTED. */
#define CHECK_CONTIGUOUS(api, desc) STRIDE_TENSOR_CHECK(api, desc, "must be contiguous")

/* Each row of a matrix is contiguous and no row overlaps the next, else NOT_SUPPORTED. Gaps between
 * rows are allowed. The rank was checked before. */
#define CHECK_ROWS(api, desc) MLUOP_RETURN_IF_FAILED(mluop_check_rows(api, #desc, desc))

/* An optional tensor has both descriptor and data, or neither; one without elements needs no data.
 */
#define CHECK_OPTIONAL(api, data, desc) \
  MLUOP_RETURN_IF_FAILED(mluop_check_optional(api, #data, data, desc))

#define MLUOP_READ(data, desc) \
  { #data, data, mluop_optional_bytes(desc), false }
#define MLUOP_WRITTEN(data, desc) \
  { #data, data, mluop_optional_bytes(desc), true }
#define MLUOP_SCRATCH(workspace, workspace_size) \
  { #workspace, workspace, workspace_size, true }

/* Memory that the call writes overlaps no other memory that it uses. Check the data pointers first.
 * The macros above make the operands. */
#define CHECK_APART(api, ...)                                                             \
  do {                                                                                    \
    const mluopOperand mluop_operands[] = {__VA_ARGS__};                                  \
    MLUOP_RETURN_IF_FAILED(mluop_check_apart(                                             \
        api, mluop_operands, (int)(sizeof(mluop_operands) / sizeof(mluop_operands[0])))); \
  } while (0)

/* The workspace is large enough, and not NULL unless its needed size is 0. */
#define CHECK_WORKSPACE(api, workspace, workspace_size, needed) \
  MLUOP_RETURN_IF_FAILED(mluop_check_workspace(api, workspace, workspace_size, needed))

/* Whether one of the tensors has no elements; logs that at verbose depth 5. A descriptor may be
 * NULL. */
#define ANY_TENSOR_EMPTY(api, ...) \
  mluop_any_tensor_empty(api, MLUOP_COUNT(__VA_ARGS__), __VA_ARGS__)

/* ---- The family of MLU-OPS ---- */

/* For operators ported from MLU-OPS, like LARGE_TENSOR_SIZE; the operators here use few of them. */
#define PARAM_CHECK(api, condition, ...)                  \
  do {                                                    \
    if (!(condition)) {                                   \
      LOG_ERROR("%s Check failed: %s.", api, #condition); \
      return MLUOP_STATUS_BAD_PARAM;                      \
    }                                                     \
  } while (0)

/* As PARAM_CHECK with a printf text: PARAM_CHECK_V2(api, n % 4 == 0, "n is %d", n). */
#define PARAM_CHECK_V2(api, condition, format, ...)                              \
  do {                                                                           \
    if (!(condition)) {                                                          \
      LOG_ERROR("%s Check failed: %s. " format, api, #condition, ##__VA_ARGS__); \
      return MLUOP_STATUS_BAD_PARAM;                                             \
    }                                                                            \
  } while (0)

/* The texts are taken before macro expansion, so they read as the caller wrote the arguments. A
 * failing check evaluates its arguments twice: they must have no side effects. */
#define MLUOP_PARAM_RELATION(api, a, a_text, relation, b, b_text)                 \
  do {                                                                            \
    if (!((a)relation(b))) {                                                      \
      return mluop_fail_relation(api, a_text, #relation, b_text, mluopValueOf(a), \
                                 mluopValueOf(b));                                \
    }                                                                             \
  } while (0)
#define PARAM_CHECK_EQ(api, a, b, ...) MLUOP_PARAM_RELATION(api, a, #a, ==, b, #b)
#define PARAM_CHECK_NE(api, a, b, ...) MLUOP_PARAM_RELATION(api, a, #a, !=, b, #b)
#define PARAM_CHECK_LE(api, a, b, ...) MLUOP_PARAM_RELATION(api, a, #a, <=, b, #b)
#define PARAM_CHECK_LT(api, a, b, ...) MLUOP_PARAM_RELATION(api, a, #a, <, b, #b)
#define PARAM_CHECK_GE(api, a, b, ...) MLUOP_PARAM_RELATION(api, a, #a, >=, b, #b)
#define PARAM_CHECK_GT(api, a, b, ...) MLUOP_PARAM_RELATION(api, a, #a, >, b, #b)

/* Upper limits: NOT_SUPPORTED when reached. `reason` is a sentence or "". */
#define TENSOR_NUM_CHECK(api, num, max, reason) \
  MLUOP_RETURN_IF_FAILED(                       \
      mluop_check_limit(api, #num, "elements", (uint64_t)(num), (uint64_t)(max), reason))
#define TENSOR_SIZE_CHECK(api, bytes, max, reason) \
  MLUOP_RETURN_IF_FAILED(                          \
      mluop_check_limit(api, #bytes, "bytes", (uint64_t)(bytes), (uint64_t)(max), reason))
#define TENSOR_DIM_SIZE_CHECK(api, desc, max, reason) \
  MLUOP_RETURN_IF_FAILED(mluop_check_dims_limit(api, #desc, desc, (uint64_t)(max), reason))
/* Fewer than LARGE_TENSOR_NUM elements, or per dimension when MLUOP_CHECK_DIM_SIZE is on. desc may
 * be NULL. */
#define LARGE_TENSOR_CHECK(api, desc) \
  MLUOP_RETURN_IF_FAILED(mluop_check_large_tensor(api, #desc, desc))
#define STRIDE_TENSOR_CHECK(api, desc, reason) \
  MLUOP_RETURN_IF_FAILED(mluop_check_contiguous(api, #desc, desc, reason))

/* A condition that is false only through an error of the library or the runtime: INTERNAL_ERROR. */
#define INTERNAL_CHECK(api, condition, ...)                                                    \
  do {                                                                                         \
    if (!(condition)) {                                                                        \
      LOG_ERROR("%s Internal check failed: %s (%s:%d).", api, #condition, __FILE__, __LINE__); \
      return MLUOP_STATUS_INTERNAL_ERROR;                                                      \
    }                                                                                          \
  } while (0)

/* Passes on the status of an inner function. */
#define CHECK_RETURN(api, call, ...)                                                         \
  do {                                                                                       \
    const mluOpStatus_t mluop_inner_ = (call);                                               \
    if (mluop_inner_ != MLUOP_STATUS_SUCCESS) {                                              \
      LOG_ERROR("%s %s returned %s (%s:%d).", api, #call, mluOpGetErrorString(mluop_inner_), \
                __FILE__, __LINE__);                                                         \
      return mluop_inner_;                                                                   \
    }                                                                                        \
  } while (0)

/* Launches a kernel: KERNEL_CHECK(MLUKernelX<<<k_dim, k_type, queue>>>(a, b)). A failed launch
 * returns EXECUTION_FAILED; a fault of the running kernel is reported by the next synchronisation.
 */
#define KERNEL_CHECK(...)                                                                    \
  do {                                                                                       \
    (void)cnrtGetLastError();                                                                \
    __VA_ARGS__;                                                                             \
    const cnrtRet_t mluop_launch_ = cnrtPeekAtLastError();                                   \
    if (mluop_launch_ != cnrtSuccess) return mluop_fail_launch(#__VA_ARGS__, mluop_launch_); \
  } while (0)

#endif /* CORE_CHECK_H_ */

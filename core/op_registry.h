/* SPDX-License-Identifier: MIT
 *
 * The operators, all listed in op_list.inc.
 */
#ifndef CORE_OP_REGISTRY_H_
#define CORE_OP_REGISTRY_H_

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mluopOp {
#define MLUOP_OP(name, folder) MLUOP_OP_##name,
#include "core/op_list.inc"
#undef MLUOP_OP
  MLUOP_OP_COUNT
} mluopOp;

/* Name of an operator, NULL outside the list. */
const char *mluop_op_name(int op);

/* The operator of this name, or -1. */
int mluop_op_find(const char *name);

#ifdef __cplusplus
}
#endif
#endif /* CORE_OP_REGISTRY_H_ */

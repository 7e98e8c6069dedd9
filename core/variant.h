/* SPDX-License-Identifier: MIT
 *
 * The forms of an operator's kernel. Each operator has a table of forms, the best first, the
 * reference form last. The first one that does not refuse a call runs it.
 *
 *   reference form  the one in <op>.mlu: written for the card, correct for every call on every
 *                   device. It refuses nothing.
 *   variant         a form in a folder beside it, named by what it needs (scalar_tables/,
 *                   small_tasks/). It may refuse a call for one of two reasons:
 *                     cannot         it would give a wrong result: a size or an alignment it does
 *                                    not handle. Nothing overrides this.
 *                     does_not_pay   another form is faster here: device facts, or a shape.
 *                                    Forcing the variant overrides this.
 *
 * How an operator uses it (kernels/moe_dispatch/moe_dispatch_backward_data is the example):
 *
 *   a header     of the operator or its family: a struct with the arguments of a launch, and a
 *                launch function per form: MLUOP_FORM(<Op>SmallTasks);
 *   <op>.c       has the table with the refusals, each one expression and one sentence. It checks
 *                the arguments, fills the struct, returns
 *                mluop_variant_launch(&<op>_variants, handle, &call);
 *
 * Every form compiles for every device and is tested on every device: no macro selects it. What
 * depends on the device is decided by does_not_pay from handle->facts, or is a size that the launch
 * passes to the kernel.
 *
 * MLUOP_VARIANT=name forces a form for all operators that have one of that name,
 * MLUOP_VARIANT=op:name,op:name for single operators; handle->variant.forced does it for a handle
 * (tests). If a forced form cannot do a call, the usual choice is made.
 * MLUOP_VERBOSE=dispatch prints a line per call: the form that ran, and why others did not.
 */
#ifndef CORE_VARIANT_H_
#define CORE_VARIANT_H_

#include "core/context.h"
#include "mlu_op.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Declare the launch function of a form, and one of its refusals if it is defined beside the
 * kernel, for the host files in C and the kernels in C++. */
#ifdef __cplusplus
#define MLUOP_OF_KERNEL extern "C"
#else
#define MLUOP_OF_KERNEL
#endif
#define MLUOP_FORM(name) MLUOP_OF_KERNEL mluOpStatus_t name(mluOpHandle_t handle, const void *call)
#define MLUOP_REFUSAL(name) MLUOP_OF_KERNEL const char *name(mluOpHandle_t handle, const void *call)

/* Returns NULL to take the call, else the reason, as in "small_tasks: rows are longer than a tile".
 */
typedef const char *(*mluopVariantRefusal)(mluOpHandle_t handle, const void *call);

typedef struct mluopVariant {
  const char *name;
  mluopVariantRefusal cannot;       /* NULL: it can do every call */
  mluopVariantRefusal does_not_pay; /* NULL: it always pays */
  mluOpStatus_t (*launch)(mluOpHandle_t handle, const void *call);
} mluopVariant;

struct mluopVariantTable {
  const char *op;
  int count;
  const mluopVariant *variants;
};

/* The table <op>_variants of the forms that follow, best first. */
#define MLUOP_VARIANTS(op, ...)                           \
  static const mluopVariant op##_forms[] = {__VA_ARGS__}; \
  const mluopVariantTable op##_variants = MLUOP_VARIANT_TABLE(#op, op##_forms)
#define MLUOP_VARIANT_TABLE(op, array) \
  { (op), (int)(sizeof(array) / sizeof((array)[0])), (array) }

/* does_not_pay for forms with many small tasks that share a core, and for forms with scalar loops
 * over tables in on-chip memory. */
const char *mluop_small_tasks_do_not_pay(mluOpHandle_t handle, const void *call);
const char *mluop_scalar_tables_do_not_pay(mluOpHandle_t handle, const void *call);

/* The same for forms with scalar loops over rows of this type in device memory. */
const char *mluop_scalar_rows_of_type_do_not_pay(mluOpHandle_t handle, mluOpDataType_t dtype);

/* Chooses the form for this call and launches it. */
mluOpStatus_t mluop_variant_launch(const mluopVariantTable *table, mluOpHandle_t handle,
                                   const void *call);

/* The same without the launch: for an operator whose workspace depends on the form. */
const mluopVariant *mluop_variant_choose(const mluopVariantTable *table, mluOpHandle_t handle,
                                         const void *call);

#ifdef __cplusplus
}
#endif
#endif /* CORE_VARIANT_H_ */

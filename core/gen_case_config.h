/* SPDX-License-Identifier: MIT
 *
 * What gen_case records and where: the environment variables and the functions of mlu_op.h.
 */
#ifndef CORE_GEN_CASE_CONFIG_H_
#define CORE_GEN_CASE_CONFIG_H_

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  MLUOP_GEN_CASE_OFF = 0,
  MLUOP_GEN_CASE_FILE = 1,
  MLUOP_GEN_CASE_DATA = 2,
  MLUOP_GEN_CASE_PRINT = 3,
};

/* The current mode; -1: not read from the environment yet. */
extern int mluop_gen_case_mode;

typedef struct mluopGenCaseConfig {
  int mode;          /* MLUOP_GEN_CASE_OFF if this operator is not recorded */
  bool is_data_kept; /* of every input, not only of those with is_real */
  bool is_hex;       /* floats as bits */
  bool is_in_file;   /* input data in files of their own */
  bool is_output_kept;
} mluopGenCaseConfig;

/* How calls of this operator are currently recorded. */
mluopGenCaseConfig mluop_gen_case_config(const char *op_name);

/* The folder for gen_case/, with placeholders replaced. The caller frees it; NULL if out of memory.
 */
char *mluop_gen_case_root(int device);

/* Whether a MLUOP_GEN_CASE_OP_NAME list turns an operator on; *is_data_forced for +name. */
bool mluop_gen_case_selects(const char *list, const char *op_name, bool *is_data_forced);

#ifdef __cplusplus
}
#endif
#endif /* CORE_GEN_CASE_CONFIG_H_ */

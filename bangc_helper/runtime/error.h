/* SPDX-License-Identifier: MIT
 *
 * Result codes: names and sentences.
 */
#ifndef RUNTIME_ERROR_H_
#define RUNTIME_ERROR_H_

#include "common.h"

struct rt_error_text {
  int code;
  const char *cnrt_name; /* NULL: only the driver names this code */
  const char *cn_name;   /* NULL: only the runtime names this code */
  const char *text;
};

/* Entry of a code, NULL for an unknown code. */
const struct rt_error_text *rt_error_find(int code);

#endif /* RUNTIME_ERROR_H_ */

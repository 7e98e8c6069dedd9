/* SPDX-License-Identifier: MIT
 *
 * The library's environment variables, all listed in env_list.inc.
 */
#ifndef CORE_ENV_H_
#define CORE_ENV_H_

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mluopEnv {
#define MLUOP_ENV(id, type, default_text, help) MLUOP_ENV_##id,
#include "core/env_list.inc"
#undef MLUOP_ENV
  MLUOP_ENV_COUNT
} mluopEnv;

typedef enum mluopEnvType {
  MLUOP_ENV_TYPE_BOOL,
  MLUOP_ENV_TYPE_INT,
  MLUOP_ENV_TYPE_LEVEL,
  MLUOP_ENV_TYPE_STRING,
} mluopEnvType;

typedef struct mluopEnvInfo {
  const char *name;
  mluopEnvType type;
  const char *default_text;
  const char *help;
} mluopEnvInfo;

/* Row of the table. */
const mluopEnvInfo *mluop_env_info(mluopEnv which);

/* Reports a variable whose value cannot be parsed, so that its default is used. Called once per
 * variable; set when the library is loaded. */
typedef void (*mluopEnvReport)(const mluopEnvInfo *info, const char *wanted, const char *got);
void mluop_env_set_report(mluopEnvReport report);

/* Value of a BOOL (0 or 1), an INT or a LEVEL. */
int mluop_env_int(mluopEnv which);

/* Value of a STRING; never NULL, valid for the life of the process. */
const char *mluop_env_string(mluopEnv which);

static inline bool mluop_env_bool(mluopEnv which) {
  return mluop_env_int(which) != 0;
}

#ifdef __cplusplus
}
#endif
#endif /* CORE_ENV_H_ */

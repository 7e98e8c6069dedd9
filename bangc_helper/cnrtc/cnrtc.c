/* SPDX-License-Identifier: MIT
 *
 * The interface of CNRTC; every compilation runs cncc.
 */
#include "cnrtc.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "compile.h"

#define EXPORT __attribute__((visibility("default")))

struct _cnrtcCode {
  char *source;
  cnrtcCodeType type;
  Bytes library, log;
  bool is_fatbin; /* the last compilation requested one */
};

EXPORT const char *cnrtcTransStatusToString(cnrtcStatus stat) {
  static const char *const names[] = {
#define NAME(status) [status] = #status
      NAME(CNRTC_SUCCESS),
      NAME(CNRTC_VERSION_NO_SPACE_ERROR),
      NAME(CNRTC_CREATE_CODE_ALREADY_EXIST_ERROR),
      NAME(CNRTC_CREATE_CODE_SOURCE_NULL_ERROR),
      NAME(CNRTC_DESTROY_CODE_DOUBLE_FREE_ERROR),
      NAME(CNRTC_COMPILE_CODE_NO_CODE_ERROR),
      NAME(CNRTC_COMPILE_CODE_PARAM_ERROR),
      NAME(CNRTC_COMPILE_CODE_WRITE_PERMISSION_ERROR),
      NAME(CNRTC_COMPILE_CODE_READ_PERMISSION_ERROR),
      NAME(CNRTC_COMPILE_CODE_ENVIRONMENT_ERROR),
      NAME(CNRTC_COMPILE_CODE_ERROR),
      NAME(CNRTC_GET_BIN_NO_CODE_ERROR),
      NAME(CNRTC_GET_BIN_NO_SPACE_ERROR),
      NAME(CNRTC_GET_BIN_SIZE_NO_CODE_ERROR),
      NAME(CNRTC_GET_BIN_SIZE_NO_SPACE_ERROR),
      NAME(CNRTC_GET_LOG_NO_CODE_ERROR),
      NAME(CNRTC_GET_LOG_NO_SPACE_ERROR),
      NAME(CNRTC_GET_LOG_SIZE_NO_CODE_ERROR),
      NAME(CNRTC_GET_LOG_SIZE_NO_SPACE_ERROR),
      NAME(CNRTC_NO_CODE_ERROR),
      NAME(CNRTC_NO_OUTPUT_SPACE_ERROR),
      NAME(CNRTC_NO_FATBIN_OPTION_ERROR),
#undef NAME
  };
  return (unsigned)stat < sizeof names / sizeof *names ? names[stat] : "unknown status";
}

EXPORT cnrtcStatus cnrtcVersion(int *major, int *minor) {
  if (major == NULL || minor == NULL) {
    return CNRTC_VERSION_NO_SPACE_ERROR;
  }
  *major = CNRTC_MAJOR_VERSION;
  *minor = CNRTC_MINOR_VERSION;
  return CNRTC_SUCCESS;
}

EXPORT cnrtcStatus cnrtcCreateCodeV2(cnrtcCode *code, const char *srcCode, cnrtcCodeType codeType,
                                     const char *name, int headerNum, const char **headers,
                                     const char **includeNames) {
  (void)name, (void)headerNum, (void)headers, (void)includeNames;
  if (srcCode == NULL) {
    return CNRTC_CREATE_CODE_SOURCE_NULL_ERROR;
  }
  if (code == NULL || *code != NULL) {
    return CNRTC_CREATE_CODE_ALREADY_EXIST_ERROR;
  }
  cnrtcCode made = calloc(1, sizeof *made);
  char *source = strdup(srcCode);
  if (made == NULL || source == NULL) {
    free(made);
    free(source);
    return CNRTC_COMPILE_CODE_ENVIRONMENT_ERROR;
  }
  made->source = source;
  made->type = codeType;
  *code = made;
  return CNRTC_SUCCESS;
}

EXPORT cnrtcStatus cnrtcCreateCode(cnrtcCode *code, const char *srcCode, const char *name,
                                   int headerNum, const char **headers, const char **includeNames) {
  return cnrtcCreateCodeV2(code, srcCode, CNRTC_CODE_BANGC, name, headerNum, headers, includeNames);
}

static void forget_results(cnrtcCode code) {
  free(code->library.data);
  free(code->log.data);
  code->library = code->log = (Bytes){NULL, 0};
  code->is_fatbin = false;
}

EXPORT cnrtcStatus cnrtcDestroyCode(cnrtcCode *code) {
  if (code == NULL || *code == NULL) {
    return CNRTC_DESTROY_CODE_DOUBLE_FREE_ERROR;
  }
  forget_results(*code);
  free((*code)->source);
  free(*code);
  *code = NULL;
  return CNRTC_SUCCESS;
}

EXPORT cnrtcStatus cnrtcCompileCode(cnrtcCode code, int numOptions, const char **options) {
  if (code == NULL) {
    return CNRTC_COMPILE_CODE_NO_CODE_ERROR;
  }
  if (numOptions < 0 || (numOptions > 0 && options == NULL) || code->type != CNRTC_CODE_BANGC) {
    return CNRTC_COMPILE_CODE_PARAM_ERROR;
  }
  bool is_fatbin = false;
  for (int i = 0; i < numOptions; i++) {
    if (options[i] == NULL) {
      return CNRTC_COMPILE_CODE_PARAM_ERROR;
    }
    is_fatbin |= strcmp(options[i], "--bang-fatbin-only") == 0;
  }
  forget_results(code);
  code->is_fatbin = is_fatbin;
  return compile_library(code->source, numOptions, options, &code->library, &code->log);
}

EXPORT cnrtcStatus cnrtcGetFatBinarySize(cnrtcCode code, unsigned int *binSize) {
  if (code == NULL) {
    return CNRTC_GET_BIN_SIZE_NO_CODE_ERROR;
  }
  if (binSize == NULL) {
    return CNRTC_GET_BIN_SIZE_NO_SPACE_ERROR;
  }
  *binSize = (unsigned int)code->library.size;
  return code->is_fatbin ? CNRTC_SUCCESS : CNRTC_NO_FATBIN_OPTION_ERROR;
}

static void copy_library(cnrtcCode code, void *to) {
  if (code->library.size > 0) {
    memcpy(to, code->library.data, code->library.size);
  }
}

EXPORT cnrtcStatus cnrtcGetFatBinary(cnrtcCode code, void *bin) {
  if (code == NULL) {
    return CNRTC_GET_BIN_NO_CODE_ERROR;
  }
  if (bin == NULL) {
    return CNRTC_GET_BIN_NO_SPACE_ERROR;
  }
  if (!code->is_fatbin) {
    return CNRTC_NO_FATBIN_OPTION_ERROR;
  }
  copy_library(code, bin);
  return CNRTC_SUCCESS;
}

EXPORT cnrtcStatus cnrtcGetCompilationOutputSize(cnrtcCode code, unsigned int *outputSize) {
  if (code == NULL) {
    return CNRTC_NO_CODE_ERROR;
  }
  if (outputSize == NULL) {
    return CNRTC_NO_OUTPUT_SPACE_ERROR;
  }
  *outputSize = (unsigned int)code->library.size;
  return CNRTC_SUCCESS;
}

EXPORT cnrtcStatus cnrtcGetCompilationOutput(cnrtcCode code, void *output) {
  if (code == NULL) {
    return CNRTC_NO_CODE_ERROR;
  }
  if (output == NULL) {
    return CNRTC_NO_OUTPUT_SPACE_ERROR;
  }
  copy_library(code, output);
  return CNRTC_SUCCESS;
}

EXPORT cnrtcStatus cnrtcGetCompilationLogSize(cnrtcCode code, unsigned int *logSize) {
  if (code == NULL) {
    return CNRTC_GET_LOG_SIZE_NO_CODE_ERROR;
  }
  if (logSize == NULL) {
    return CNRTC_GET_LOG_SIZE_NO_SPACE_ERROR;
  }
  *logSize = (unsigned int)code->log.size + 1;
  return CNRTC_SUCCESS;
}

EXPORT cnrtcStatus cnrtcGetCompilationLog(cnrtcCode code, char *log) {
  if (code == NULL) {
    return CNRTC_GET_LOG_NO_CODE_ERROR;
  }
  if (log == NULL) {
    return CNRTC_GET_LOG_NO_SPACE_ERROR;
  }
  memcpy(log, code->log.data != NULL ? code->log.data : "", code->log.size + 1);
  return CNRTC_SUCCESS;
}

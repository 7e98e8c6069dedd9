/* SPDX-License-Identifier: MIT
 *
 * CNRTC: compiles kernels while a program runs. The result is a shared library, which
 * cnModuleLoadFatBinary (cn_api.h) loads. MLISA sources are refused when they are compiled.
 */
#ifndef CNRTC_H_
#define CNRTC_H_

#ifdef __cplusplus
extern "C" {
#endif

#define CNRTC_MAJOR_VERSION 0
#define CNRTC_MINOR_VERSION 5
#define CNRTC_PATCH_VERSION 0

typedef enum {
  CNRTC_SUCCESS = 0,
  CNRTC_VERSION_NO_SPACE_ERROR = 1,
  CNRTC_CREATE_CODE_ALREADY_EXIST_ERROR = 2,
  CNRTC_CREATE_CODE_SOURCE_NULL_ERROR = 3,
  CNRTC_DESTROY_CODE_DOUBLE_FREE_ERROR = 4,
  CNRTC_COMPILE_CODE_NO_CODE_ERROR = 5,
  CNRTC_COMPILE_CODE_PARAM_ERROR = 6,
  CNRTC_COMPILE_CODE_WRITE_PERMISSION_ERROR = 7,
  CNRTC_COMPILE_CODE_READ_PERMISSION_ERROR = 8,
  CNRTC_COMPILE_CODE_ENVIRONMENT_ERROR = 9,
  CNRTC_COMPILE_CODE_ERROR = 10,
  CNRTC_GET_BIN_NO_CODE_ERROR = 11,
  CNRTC_GET_BIN_NO_SPACE_ERROR = 12,
  CNRTC_GET_BIN_SIZE_NO_CODE_ERROR = 13,
  CNRTC_GET_BIN_SIZE_NO_SPACE_ERROR = 14,
  CNRTC_GET_LOG_NO_CODE_ERROR = 15,
  CNRTC_GET_LOG_NO_SPACE_ERROR = 16,
  CNRTC_GET_LOG_SIZE_NO_CODE_ERROR = 17,
  CNRTC_GET_LOG_SIZE_NO_SPACE_ERROR = 18,
  CNRTC_NO_CODE_ERROR = 19,
  CNRTC_NO_OUTPUT_SPACE_ERROR = 20,
  CNRTC_NO_FATBIN_OPTION_ERROR = 21
} cnrtcStatus;

typedef enum { CNRTC_CODE_BANGC = 0, CNRTC_CODE_MLISA = 1 } cnrtcCodeType;

typedef struct _cnrtcCode *cnrtcCode;

const char *cnrtcTransStatusToString(cnrtcStatus stat);
cnrtcStatus cnrtcVersion(int *major, int *minor);

/* *code must be NULL. Headers are ignored, as the vendor's library does. */
cnrtcStatus cnrtcCreateCode(cnrtcCode *code, const char *srcCode, const char *name, int headerNum,
                            const char **headers, const char **includeNames);
cnrtcStatus cnrtcCreateCodeV2(cnrtcCode *code, const char *srcCode, cnrtcCodeType codeType,
                              const char *name, int headerNum, const char **headers,
                              const char **includeNames);
/* Sets *code to NULL. */
cnrtcStatus cnrtcDestroyCode(cnrtcCode *code);

/* Options are those of cncc. */
cnrtcStatus cnrtcCompileCode(cnrtcCode code, int numOptions, const char **options);

/* Requires a compilation with --bang-fatbin-only. */
cnrtcStatus cnrtcGetFatBinarySize(cnrtcCode code, unsigned int *binSize);
cnrtcStatus cnrtcGetFatBinary(cnrtcCode code, void *bin);
/* The same bytes, with any options. */
cnrtcStatus cnrtcGetCompilationOutputSize(cnrtcCode code, unsigned int *outputSize);
cnrtcStatus cnrtcGetCompilationOutput(cnrtcCode code, void *output);
/* The compiler's messages; the size includes the final zero. */
cnrtcStatus cnrtcGetCompilationLogSize(cnrtcCode code, unsigned int *logSize);
cnrtcStatus cnrtcGetCompilationLog(cnrtcCode code, char *log);

#ifdef __cplusplus
}
#endif
#endif /* CNRTC_H_ */

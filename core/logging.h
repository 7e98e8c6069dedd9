/* SPDX-License-Identifier: MIT
 *
 * The log: one line per message on the standard output, or on request on the standard error,
 *
 *   [2024-05-01 10:20:30.123456][MLU-OPS][ERROR][<pid>][Card:0]: text
 *
 * controlled by the environment variables of env_list.inc. Depths of verbose messages: 5 for
 * decisions of operators (shapes, launch, zero elements), 7 for actions of the core.
 */
#ifndef CORE_LOGGING_H_
#define CORE_LOGGING_H_

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mluopLogSeverity {
  MLUOP_LOG_INFO = 0,
  MLUOP_LOG_WARNING = 1,
  MLUOP_LOG_ERROR = 2,
  MLUOP_LOG_FATAL = 3, /* most severe; the program still continues */
  MLUOP_LOG_VLOG = 4,
} mluopLogSeverity;

/* Prints one message; newlines in it become spaces. Use the macros. */
void mluop_log(mluopLogSeverity severity, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The text of the calling thread's last ERROR or FATAL message, printed or not; "" without one. */
const char *mluop_last_error(void);

/* Whether verbose messages of this depth and source file are enabled. */
bool mluop_vlog_enabled(int depth, const char *file);

/* Whether MLUOP_VERBOSE names the topic. */
bool mluop_verbose(const char *topic);

#define LOG_INFO(...) mluop_log(MLUOP_LOG_INFO, __FILE__, __LINE__, __VA_ARGS__)
#define LOG_WARNING(...) mluop_log(MLUOP_LOG_WARNING, __FILE__, __LINE__, __VA_ARGS__)
#define LOG_ERROR(...) mluop_log(MLUOP_LOG_ERROR, __FILE__, __LINE__, __VA_ARGS__)
#define LOG_FATAL(...) mluop_log(MLUOP_LOG_FATAL, __FILE__, __LINE__, __VA_ARGS__)
#define VLOG(depth, ...)                                          \
  do {                                                            \
    if (mluop_vlog_enabled(depth, __FILE__)) {                    \
      mluop_log(MLUOP_LOG_VLOG, __FILE__, __LINE__, __VA_ARGS__); \
    }                                                             \
  } while (0)

#ifdef __cplusplus
}
#endif
#endif /* CORE_LOGGING_H_ */

/* SPDX-License-Identifier: MIT */
#include "core/logging.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cnrt.h"
#include "core/env.h"

#define LOG_FILE_NAME "mlu_op_auto_log"

static const struct {
  const char *name;
  const char *colour;
} severities[] = {
    [MLUOP_LOG_INFO] = {"INFO", "\033[32m"},   [MLUOP_LOG_WARNING] = {"WARNING", "\033[35m"},
    [MLUOP_LOG_ERROR] = {"ERROR", "\033[31m"}, [MLUOP_LOG_FATAL] = {"FATAL", "\033[31m"},
    [MLUOP_LOG_VLOG] = {"VLOG", "\033[34m"},
};

/* The last error of this thread, for programs that do not read the log. */
static _Thread_local char last_error[1024];

/* Keeps lines of different threads from mixing, on the terminal and in the file. */
static pthread_mutex_t log_mutex = PTHREAD_MUTEX_INITIALIZER;

static const char *base_name(const char *file) {
  const char *slash = strrchr(file, '/');
  return slash != NULL ? slash + 1 : file;
}

/* The depth that the list "file1=2,file2=5" gives to a source file (its name without folder and
 * extension), or -1. */
static int module_depth(const char *list, const char *file) {
  const char *name = base_name(file);
  const size_t length = strcspn(name, ".");
  while (*list != '\0') {
    const size_t item = strcspn(list, ",");
    if (item > length + 1 && list[length] == '=' && strncmp(list, name, length) == 0) {
      return atoi(list + length + 1);
    }
    list += item;
    list += *list == ',';
  }
  return -1;
}

bool mluop_vlog_enabled(int depth, const char *file) {
  if (depth <= mluop_env_int(MLUOP_ENV_MIN_VLOG_LEVEL)) return true;
  const char *modules = mluop_env_string(MLUOP_ENV_CPP_VMODULE);
  return *modules != '\0' && depth <= module_depth(modules, file);
}

bool mluop_verbose(const char *topic) {
  const size_t length = strlen(topic);
  const char *list = mluop_env_string(MLUOP_ENV_VERBOSE);
  while (*list != '\0') {
    const size_t item = strcspn(list, ",");
    if (item == length && strncmp(list, topic, length) == 0) return true;
    list += item;
    list += *list == ',';
  }
  return false;
}

static int current_card(void) {
  int card = -1;
  return cnrtGetDevice(&card) == cnrtSuccess ? card : -1;
}

/* "[time][MLU-OPS][severity][pid][Card:n]: " */
static void write_header(char *header, size_t size, mluopLogSeverity severity) {
  struct timespec now;
  struct tm fields;
  char date[32] = "";
  clock_gettime(CLOCK_REALTIME, &now);
  if (localtime_r(&now.tv_sec, &fields) != NULL) {
    strftime(date, sizeof(date), "%F %T", &fields);
  }
  snprintf(header, size, "[%s.%06ld][MLU-OPS][%s][%ld][Card:%d]: ", date, now.tv_nsec / 1000,
           severities[severity].name, (long)getpid(), current_card());
}

static FILE *log_stream(void) {
  return mluop_env_bool(MLUOP_ENV_LOG_STDERR) ? stderr : stdout;
}

static void append_to_file(const char *text) {
  static FILE *log_file;
  static bool has_failed;
  if (log_file == NULL && !has_failed) {
    log_file = fopen(LOG_FILE_NAME, "ae");
    if (log_file == NULL) {
      has_failed = true; /* reported only once */
      fputs("[MLU-OPS][WARNING]: cannot write " LOG_FILE_NAME " in the working directory\n",
            log_stream());
    }
  }
  if (log_file == NULL) return;
  fprintf(log_file, "%s\n", text);
  fflush(log_file);
}

static void print_line(mluopLogSeverity severity, const char *text) {
  char header[128];
  write_header(header, sizeof(header), severity);
  FILE *stream = log_stream();
  const bool is_coloured = mluop_env_bool(MLUOP_ENV_LOG_COLOR_PRINT) && isatty(fileno(stream));
  const bool is_in_file = !mluop_env_bool(MLUOP_ENV_LOG_ONLY_SHOW);

  pthread_mutex_lock(&log_mutex);
  fprintf(stream, "%s%s%s%s\n", is_coloured ? severities[severity].colour : "", header, text,
          is_coloured ? "\033[0m" : "");
  fflush(stream);
  if (is_in_file) append_to_file(text);
  pthread_mutex_unlock(&log_mutex);
}

void mluop_log(mluopLogSeverity severity, const char *file, int line, const char *format, ...) {
  const bool is_error = severity == MLUOP_LOG_ERROR || severity == MLUOP_LOG_FATAL;
  const bool is_printed = mluop_env_bool(MLUOP_ENV_LOG_PRINT) &&
                          (int)severity >= mluop_env_int(MLUOP_ENV_MIN_LOG_LEVEL);
  if (!is_error && !is_printed) return;

  char place[160] = "";
#ifdef NDEBUG
  (void)file;
  (void)line;
#else
  snprintf(place, sizeof(place), "  [ %s:%d  pid:%ld]", base_name(file), line, (long)getpid());
#endif

  char buffer[1024];
  char *text = buffer;
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  const int needed = vsnprintf(buffer, sizeof(buffer) - sizeof(place), format, arguments);
  va_end(arguments);
  if (needed >= (int)(sizeof(buffer) - sizeof(place))) {
    const size_t size = (size_t)needed + sizeof(place) + 1;
    char *longer = (char *)malloc(size);
    if (longer != NULL) { /* without memory the line is truncated */
      text = longer;
      vsnprintf(text, size, format, again);
    }
  }
  va_end(again);
  if (needed < 0) return;

  for (char *c = text; *c != '\0'; ++c) {
    if (*c == '\n' || *c == '\r') *c = ' ';
  }
  if (is_error) snprintf(last_error, sizeof(last_error), "%s", text);
  if (is_printed) {
    strcat(text, place);
    print_line(severity, text);
  }
  if (text != buffer) free(text);
}

const char *mluop_last_error(void) {
  return last_error;
}

static void report_env(const mluopEnvInfo *info, const char *wanted, const char *got) {
  LOG_WARNING("environment variable %s: wanted %s, got \"%s\"; using %s.", info->name, wanted, got,
              info->default_text);
}

__attribute__((constructor)) static void take_env_reports(void) {
  mluop_env_set_report(report_env);
}

/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#include "harness.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static _Atomic int failures;

/* Read by the thread sanitizer. A faulting task leaves its signal handler by a jump; newer versions
 * then believe that the thread is still in the handler and report every allocation. */
__attribute__((visibility("default"))) const char *__tsan_default_options(void);
const char *__tsan_default_options(void) {
  return "report_signal_unsafe=0";
}

void report_failure(const char *file, int line, const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof(text), format, args);
  va_end(args);
  fprintf(stderr, "%s:%d: check failed: %s\n", file, line, text);
  atomic_fetch_add(&failures, 1);
}

static bool wanted(const char *name, int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], name) == 0) {
      return true;
    }
  }
  return argc <= 1;
}

int run_tests(const struct test_case *tests, size_t count, int argc, char **argv) {
  int ran = 0;
  for (size_t i = 0; i < count; ++i) {
    /* Tests whose name starts with '_' run only by name: other tests start them as children. */
    if (!wanted(tests[i].name, argc, argv) || (argc <= 1 && tests[i].name[0] == '_')) {
      continue;
    }
    const int before = atomic_load(&failures);
    const double start = now_us();
    tests[i].run();
    ++ran;
    printf("%-4s %s (%.0f ms)\n", atomic_load(&failures) == before ? "ok" : "FAIL", tests[i].name,
           (now_us() - start) / 1000);
    fflush(stdout);
  }
  if (ran == 0) {
    fprintf(stderr, "no such test\n");
    return 2;
  }
  return atomic_load(&failures) == 0 ? 0 : 1;
}

cnrtDim3_t dim3(unsigned x, unsigned y, unsigned z) {
  const cnrtDim3_t dim = {x, y, z};
  return dim;
}

bool is_on_cpu(void) {
  cnrtDeviceProp_t properties;
  return cnrtGetDeviceProperties(&properties, 0) == cnrtSuccess &&
         strstr(properties.name, "CPU") != NULL;
}

int device_up_to(int wanted) {
  unsigned count = 0;
  CHECK_OK(cnrtGetDeviceCount(&count));
  return wanted < (int)count ? wanted : (int)count - 1;
}

void write_device(void *device, const void *host, size_t bytes) {
  CHECK_OK(cnrtMemcpy(device, (void *)(uintptr_t)host, bytes, cnrtMemcpyHostToDev));
}

uint32_t read_device_word(const void *device) {
  uint32_t word = 0;
  CHECK_OK(cnrtMemcpy(&word, (void *)(uintptr_t)device, sizeof(word), cnrtMemcpyDevToHost));
  return word;
}

/* ---- The process ---- */

/* On 64-bit Arm the leak check at exit takes seconds even for small programs. There it is on for
 * the test only, not for its many child processes. */
static void skip_slow_leak_search(void) {
#if defined(__aarch64__)
  setenv("LSAN_OPTIONS", "detect_leaks=0", 0);
#endif
}

int run_self(const char *setting, const char *test, char *output, size_t size) {
  int pipe_ends[2];
  char program[4096];
  const ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
  if (length < 0 || pipe(pipe_ends) != 0) {
    return -1;
  }
  program[length] = '\0';
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    char *text = strdup(setting);
    char *saved = NULL;
    for (char *one = strtok_r(text, " ", &saved); one != NULL; one = strtok_r(NULL, " ", &saved)) {
      putenv(one);
    }
    skip_slow_leak_search();
    dup2(pipe_ends[1], STDERR_FILENO);
    dup2(pipe_ends[1], STDOUT_FILENO);
    close(pipe_ends[0]);
    close(pipe_ends[1]);
    execl(program, program, test, (char *)NULL);
    _exit(127);
  }
  close(pipe_ends[1]);
  size_t used = 0;
  char buffer[1024];
  for (ssize_t got; (got = read(pipe_ends[0], buffer, sizeof(buffer))) > 0;) {
    if (output != NULL) {
      const size_t room = size - 1 - used;
      const size_t take = (size_t)got < room ? (size_t)got : room;
      memcpy(output + used, buffer, take);
      used += take;
    }
  }
  if (output != NULL) {
    output[used] = '\0';
  }
  close(pipe_ends[0]);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
    return -1;
  }
  return WEXITSTATUS(status);
}

double now_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static long status_line(const char *key) {
  long value = -1;
  char line[256];
  FILE *file = fopen("/proc/self/status", "r");
  while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
    if (strncmp(line, key, strlen(key)) == 0) {
      value = strtol(line + strlen(key), NULL, 10);
    }
  }
  if (file != NULL) {
    fclose(file);
  }
  return value;
}

int thread_count(void) {
  return (int)status_line("Threads:");
}

long resident_kb(void) {
  return status_line("VmRSS:");
}

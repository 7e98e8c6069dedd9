/* SPDX-License-Identifier: MIT */
#include "run/trace_call.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>

#include "run/case_launch.h"

/* There is one recording per process. */
static pthread_mutex_t recording = PTHREAD_MUTEX_INITIALIZER;

void mluop_trace_call(mluopCaseState *state) {
  /* Only the runtime of the CPU has these; a vendor's brings tools of its own. */
  void (*begin)(void);
  cnrtRet_t (*end)(const char *path);
  *(void **)&begin = dlsym(RTLD_DEFAULT, "cnrtxTraceBegin");
  *(void **)&end = dlsym(RTLD_DEFAULT, "cnrtxTraceEnd");
  if (!begin || !end) {
    mluop_case_fail(state, "--trace: the runtime of this Neuware root cannot trace");
    return;
  }
  mluOpStatus_t status;
  mluopLaunchTime time;
  pthread_mutex_lock(&recording);
  begin();
  const int failed = mluop_case_launch(state, &status, &time);
  const cnrtRet_t ended = end(state->options->trace);
  pthread_mutex_unlock(&recording);
  if (ended != cnrtSuccess) {
    mluop_case_fail(state, "--trace: %s cannot be written", state->options->trace);
  } else if (!failed) {
    printf("[%-30s]: %s, open it at ui.perfetto.dev or chrome://tracing\n", "Trace",
           state->options->trace);
  }
}

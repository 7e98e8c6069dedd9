/* SPDX-License-Identifier: MIT */
#include "run/trace_call.h"

#include <dlfcn.h>
#include <stdio.h>

#include "run/case_launch.h"

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
  begin();
  const int failed = mluop_case_launch(state, &status, &time);
  if (end(state->options->trace) != cnrtSuccess) {
    mluop_case_fail(state, "--trace: %s cannot be written", state->options->trace);
  } else if (!failed) {
    printf("[%-30s]: %s, open it at ui.perfetto.dev or chrome://tracing\n", "Trace",
           state->options->trace);
  }
}

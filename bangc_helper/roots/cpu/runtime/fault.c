/* SPDX-License-Identifier: MIT */
#include "fault.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

#include "bang_runtime.h"
#include "division.h"
#include "launch.h"
#include "settings.h"

/* An instruction that is there to fail is a breakpoint on Arm. */
#if defined(__aarch64__)
static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
#else
static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
#endif

enum { CAUGHT_COUNT = sizeof(caught) / sizeof(caught[0]) };

static struct sigaction previous[CAUGHT_COUNT];

/* What the program would have seen without us. */
static void pass_on(int signal, siginfo_t *info, void *context) {
  const struct sigaction *action = NULL;
  for (size_t i = 0; i < CAUGHT_COUNT; ++i) {
    if (caught[i] == signal) {
      action = &previous[i];
    }
  }
  if ((action->sa_flags & SA_SIGINFO) != 0) {
    action->sa_sigaction(signal, info, context);
  } else if (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN) {
    action->sa_handler(signal);
  } else {
    /* The faulting instruction runs again and ends the process in the usual way; a signal sent by
     * somebody must be sent again for that. */
    sigaction(signal, action, NULL);
    if (info->si_code <= 0) {
      raise(signal);
    }
  }
}

static int fault_code(const struct rt_core *core, int signal, const siginfo_t *info) {
  switch (signal) {
    case SIGFPE:
      return CN_INVOKE_ERROR_KERNEL_TRAP;
    case SIGILL:
    case SIGTRAP:
      return CN_INVOKE_ERROR_ILLEGAL_INSTRUCTION;
    case SIGBUS:
      return info->si_code == BUS_ADRALN ? CN_INVOKE_ERROR_MEMORY_MISALIGNED_ADDRESS
                                         : CN_INVOKE_ERROR_MEMORY_ILLEGAL_ADDRESS;
    default: {
      const uintptr_t address = (uintptr_t)info->si_addr;
      return address >= core->stack_low && address < core->stack_guard_end
                 ? CN_INVOKE_ERROR_STACK_OVERFLOW
                 : CN_INVOKE_ERROR_MEMORY_ILLEGAL_ADDRESS;
    }
  }
}

/* For kernels that divide by zero and do not use the result. */
static void say_division_goes_on(const struct rt_core *core, const char *what) {
  static atomic_flag said = ATOMIC_FLAG_INIT;
  if (!atomic_flag_test_and_set(&said)) {
    rt_warn("kernel %s, task %d of %d: integer division by zero%s (said once)",
            core->launch->kernel->name, __bang_taskId, __bang_taskDim, what);
  }
}

static void on_signal(int signal, siginfo_t *info, void *context) {
  struct rt_core *core = rt_core_self();
  /* si_code <= 0: sent by a process, not caused by the task. */
  if (core == NULL || !core->in_task || info->si_code <= 0) {
    pass_on(signal, info, context);
    return;
  }
  if (signal == SIGFPE && rt_settings()->divisions_go_on && rt_division_continue(context)) {
    say_division_goes_on(core, " or overflow; the result has all bits set");
    return;
  }
  core->fault.code = fault_code(core, signal, info);
  core->fault.signal = signal;
  core->fault.address = (uintptr_t)info->si_addr;
  core->fault.message[0] = '\0';
  /* The handler is left by siglongjmp, which does not restore the mask. */
  pthread_sigmask(SIG_SETMASK, &((const ucontext_t *)context)->uc_sigmask, NULL);
  rt_core_escape(core);
}

static void install_handlers(void) {
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < CAUGHT_COUNT; ++i) {
    sigaction(caught[i], &action, &previous[i]);
  }
}

void rt_fault_install(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  if (rt_settings()->catch_faults) {
    pthread_once(&once, install_handlers);
  }
}

static void describe(const struct rt_fault *fault, char *text, size_t size) {
  switch (fault->code) {
    case CN_INVOKE_ERROR_STACK_OVERFLOW:
      snprintf(text, size, "stack overflow (limit %zu KB, see MLUOP_CPU_STACK_KB)",
               rt_settings()->stack_bytes / 1024);
      break;
    case CN_INVOKE_ERROR_MEMORY_ILLEGAL_ADDRESS:
      snprintf(text, size, "illegal address %#lx", (unsigned long)fault->address);
      break;
    case CN_INVOKE_ERROR_MEMORY_MISALIGNED_ADDRESS:
      snprintf(text, size, "misaligned address %#lx", (unsigned long)fault->address);
      break;
    case CN_INVOKE_ERROR_ILLEGAL_INSTRUCTION:
      snprintf(text, size, "illegal instruction at %#lx", (unsigned long)fault->address);
      break;
    default:
      snprintf(text, size,
               "arithmetic trap (integer division by zero or overflow) at %#lx; "
               "MLUOP_CPU_DIVISIONS=continue gives such a division a result",
               (unsigned long)fault->address);
      break;
  }
}

void rt_fault_report(struct rt_core *core) {
  const struct rt_fault *fault = &core->fault;
  if (fault->code == 0) {
    return; /* the core that failed has reported */
  }
  int expected = 0;
  if (!atomic_compare_exchange_strong(&core->launch->fault, &expected, fault->code)) {
    return;
  }
  char text[sizeof(fault->message)];
  if (fault->signal != 0) {
    describe(fault, text, sizeof(text));
  } else {
    memcpy(text, fault->message, sizeof(text));
  }
  const char *unit = __bang_coreId == BANG_MPU_CORE_ID ? " (memory core)" : "";
  rt_warn("kernel %s, task %d (%d,%d,%d) of %d%s: %s; error %d %s", core->launch->kernel->name,
          __bang_taskId, __bang_taskIdX, __bang_taskIdY, __bang_taskIdZ, __bang_taskDim, unit, text,
          fault->code, cnrtGetErrorName((cnrtRet_t)fault->code));
}

RT_EXPORT void __bang_fault(int code, const char *format, ...) {
  struct rt_core *core = rt_core_self();
  char message[sizeof(core->fault.message)];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof(message), format, args);
  va_end(args);
  if (core == NULL || !core->in_task) {
    rt_warn("%s", message);
    rt_fail((cnrtRet_t)code);
    return;
  }
  core->fault.code = code;
  core->fault.signal = 0;
  memcpy(core->fault.message, message, sizeof(message));
  rt_core_escape(core);
}

#if defined(__aarch64__)
RT_EXPORT void __bang_divided_by_zero(const struct bangSourcePlace *place, uintptr_t dividend,
                                      uintptr_t divisor) {
  (void)dividend;
  (void)divisor;
  const struct rt_core *core = rt_core_self();
  if (core == NULL || !core->in_task) {
    return; /* what the host divides is its own affair */
  }
  if (rt_settings()->divisions_go_on) {
    say_division_goes_on(core, "; the result is open");
  } else if (rt_settings()->catch_faults) {
    __bang_fault(CN_INVOKE_ERROR_KERNEL_TRAP,
                 "integer division by zero at %s:%u:%u; MLUOP_CPU_DIVISIONS=continue gives such a "
                 "division a result",
                 place->file, place->line, place->column);
  } else {
    raise(SIGFPE); /* as CPUs do that have no result */
  }
}
#endif

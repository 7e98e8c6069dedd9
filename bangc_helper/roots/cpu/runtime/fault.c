/* SPDX-License-Identifier: MIT */
#include "fault.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "arena.h"
#include "bang_runtime.h"
#include "code_place.h"
#include "division.h"
#include "launch.h"
#include "settings.h"
#include "threads.h"

/* On Arm an instruction that is meant to fail is a breakpoint. */
#if defined(__aarch64__)
static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
#else
static const int caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
#endif

enum { CAUGHT_COUNT = sizeof(caught) / sizeof(caught[0]) };

static struct sigaction previous[CAUGHT_COUNT];

/* The program's own handler. */
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
    /* Returning runs the faulting instruction again, which ends the process in the usual way; a
     * signal that was sent must be sent again. */
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

/* ---- Ending tasks from outside ---- */

/* A core is asked to leave its task by a signal that cores do not block; its payload distinguishes
 * it from other signals. */
enum { ASKING_SIGNAL = SIGBUS };
static char asking;

static const uint64_t ask_again_ns = 1000000u;
/* How often running tasks are checked, as a fraction of the limit. */
enum { LOOKS_PER_LIMIT = 8 };

static _Atomic uint32_t stop_epoch;

static void ask(struct rt_core *core) {
  const union sigval ours = {.sival_ptr = &asking};
  pthread_sigqueue(core->thread, ASKING_SIGNAL, ours);
}

/* True for the signal that asks. The task ends if it is in the kernel's code or in a computation of
 * this library that the kernel called, where it holds no lock. Elsewhere the core continues and is
 * asked again. Cores at barriers are not asked: they leave when one core of their group does. */
static bool was_asked(struct rt_core *core, const siginfo_t *info, void *context) {
  if (info->si_code != SI_QUEUE || info->si_value.sival_ptr != &asking ||
      info->si_pid != getpid()) {
    return false;
  }
  if (core == NULL || !core->in_task) {
    return true; /* the task ended before */
  }
  const uint64_t started = atomic_load(&core->started_ns);
  const bool is_overdue = started != 0 && atomic_load(&core->overdue_ns) == started;
  if (!is_overdue && !rt_threads_stopping()) {
    return true;
  }
  const struct rt_code_place place = rt_code_place(core->launch->kernel, context);
  if (place.in_kernel || place.in_computation) {
    core->fault = (struct rt_fault){.code = is_overdue ? CN_INVOKE_ERROR_EXECUTED_TIMEOUT : 0,
                                    .place = place.address};
    rt_core_leave_handler(core, context);
  }
  return true;
}

static void ask_if_busy(struct rt_core *core, void *unused) {
  (void)unused;
  if (core->in_task) {
    ask(core);
  }
}

static void ask_at_stop(void) {
  atomic_fetch_add(&stop_epoch, 1);
  rt_futex_wake(&stop_epoch, UINT32_MAX);
  rt_cores_visit(ask_if_busy, NULL);
}

static void ask_if_overdue(struct rt_core *core, void *any) {
  const uint64_t started = atomic_load(&core->started_ns);
  const uint64_t now = rt_now_ns();
  if (started != 0 && now > started && now - started > rt_settings()->task_limit_ns) {
    atomic_store(&core->overdue_ns, started);
    ask(core);
    *(bool *)any = true;
  }
}

static void *watch_tasks(void *argument) {
  (void)argument;
  const uint64_t period = rt_settings()->task_limit_ns / LOOKS_PER_LIMIT;
  while (!rt_threads_stopping()) {
    const uint32_t seen = atomic_load(&stop_epoch);
    bool any = false;
    rt_cores_visit(ask_if_overdue, &any);
    rt_futex_wait(&stop_epoch, seen, any || period < ask_again_ns ? ask_again_ns : period);
  }
  return NULL;
}

/* ---- Signals ---- */

/* Functions expect a stack aligned to 16 bytes; qemu-user 7.2 enters handlers of x86-64 programs 8
 * bytes off. */
#if defined(__x86_64__)
#define REALIGNS_STACK __attribute__((force_align_arg_pointer))
#else
#define REALIGNS_STACK
#endif

REALIGNS_STACK static void on_signal(int signal, siginfo_t *info, void *context) {
  struct rt_core *core = rt_core_self();
  if (was_asked(core, info, context)) {
    return;
  }
  /* si_code <= 0: sent by a process, not caused by the task. */
  if (core == NULL || !core->in_task || info->si_code <= 0) {
    pass_on(signal, info, context);
    return;
  }
  if (signal == SIGFPE && rt_settings()->divisions_go_on && rt_division_continue(context)) {
    say_division_goes_on(core, " or overflow; the result has all bits set");
    return;
  }
  core->fault = (struct rt_fault){.code = fault_code(core, signal, info),
                                  .signal = signal,
                                  .address = (uintptr_t)info->si_addr,
                                  .place = rt_code_place(core->launch->kernel, context).address};
  rt_core_leave_handler(core, context);
}

static void install_handlers(void) {
  rt_code_place_prepare();
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < CAUGHT_COUNT; ++i) {
    sigaction(caught[i], &action, &previous[i]);
  }
  rt_threads_on_stop(ask_at_stop);
  if (rt_settings()->task_limit_ns != 0 && !rt_thread_create("cnrt-watch", watch_tasks, NULL)) {
    rt_warn("the system refuses a thread for MLUOP_CPU_TASK_LIMIT_MS");
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
    case CN_INVOKE_ERROR_MEMORY_ILLEGAL_ADDRESS: {
      char where[96] = "";
      const bool is_near = rt_arena_describe(fault->address, where, sizeof(where));
      snprintf(text, size, "illegal address %#lx%s%s", (unsigned long)fault->address,
               is_near ? ", " : "", where);
      break;
    }
    case CN_INVOKE_ERROR_MEMORY_MISALIGNED_ADDRESS:
      snprintf(text, size, "misaligned address %#lx", (unsigned long)fault->address);
      break;
    case CN_INVOKE_ERROR_ILLEGAL_INSTRUCTION:
      snprintf(text, size, "illegal instruction at %#lx", (unsigned long)fault->address);
      break;
    case CN_INVOKE_ERROR_EXECUTED_TIMEOUT:
      snprintf(text, size, "runs for more than %llu ms (MLUOP_CPU_TASK_LIMIT_MS)",
               (unsigned long long)(rt_settings()->task_limit_ns / 1000000));
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
    return; /* the failed core has reported it */
  }
  int expected = 0;
  if (!atomic_compare_exchange_strong(&core->launch->fault, &expected, fault->code)) {
    return;
  }
  char text[sizeof(fault->message)];
  char place[512] = "";
  if (fault->message[0] == '\0') {
    describe(fault, text, sizeof(text));
  } else {
    memcpy(text, fault->message, sizeof(text));
  }
  if (fault->place != 0) {
    memcpy(place, "; in ", sizeof("; in "));
    rt_code_place_describe(fault->place, place + strlen(place), sizeof(place) - strlen(place));
  }
  const char *unit = __bang_coreId == BANG_MPU_CORE_ID ? " (memory core)" : "";
  rt_warn("kernel %s, task %d (%d,%d,%d) of %d%s: %s%s; error %d %s", core->launch->kernel->name,
          __bang_taskId, __bang_taskIdX, __bang_taskIdY, __bang_taskIdZ, __bang_taskDim, unit, text,
          place, fault->code, cnrtGetErrorName((cnrtRet_t)fault->code));
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
  core->fault = (struct rt_fault){.code = code};
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
    return; /* divisions of the host are not ours to handle */
  }
  if (rt_settings()->divisions_go_on) {
    say_division_goes_on(core, "; the result is open");
  } else if (rt_settings()->catch_faults) {
    __bang_fault(CN_INVOKE_ERROR_KERNEL_TRAP,
                 "integer division by zero at %s:%u:%u; MLUOP_CPU_DIVISIONS=continue gives such a "
                 "division a result",
                 place->file, place->line, place->column);
  } else {
    raise(SIGFPE); /* as on CPUs without a trap */
  }
}
#endif

/* SPDX-License-Identifier: MIT */
#include "code_place.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unwind.h>

#include "debug_lines.h"

/* The system's unwinder, which fits its C library; NULL if there is none. */
static struct {
  _Unwind_Reason_Code (*walk)(_Unwind_Trace_Fn visit, void *argument);
  uintptr_t (*address)(struct _Unwind_Context *frame);
} unwinder;

void rt_code_place_prepare(void) {
  void *library = dlopen("libgcc_s.so.1", RTLD_NOW);
  if (library != NULL) {
    unwinder.walk = dlsym(library, "_Unwind_Backtrace");
    unwinder.address = dlsym(library, "_Unwind_GetIP");
  }
}

static uintptr_t interrupted_address(const void *context) {
  const ucontext_t *interrupted = context;
#if defined(__x86_64__)
  return (uintptr_t)interrupted->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  return interrupted->uc_mcontext.pc;
#else
  (void)interrupted;
  return 0;
#endif
}

/* Start of the program or library that an address lies in, NULL for none. */
static const void *module_of(uintptr_t address) {
  Dl_info info;
  return dladdr((const void *)address, &info) != 0 ? info.dli_fbase : NULL;
}

struct walk {
  uintptr_t interrupted;
  const void *library, *kernel; /* modules */
  bool begun;                   /* past the handler's own frames */
  uintptr_t entry, caller;      /* of the library function that the kernel called; 0: none */
};

static _Unwind_Reason_Code visit_frame(struct _Unwind_Context *frame, void *argument) {
  struct walk *walk = argument;
  const uintptr_t address = unwinder.address(frame);
  walk->begun |= address == walk->interrupted;
  if (!walk->begun) {
    return _URC_NO_REASON;
  }
  const void *module = module_of(address);
  if (module == walk->kernel) {
    walk->caller = address - 1; /* the call, not what follows it */
    return _URC_NORMAL_STOP;
  }
  walk->entry = address;
  /* Frames of other libraries may be in any state, so they are not trusted. */
  return module == walk->library ? _URC_NO_REASON : _URC_NORMAL_STOP;
}

static bool starts_with(const char *text, const char *beginning) {
  return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* Vector functions only compute; functions that synchronise cores take locks. */
static bool is_computation(uintptr_t entry) {
  Dl_info info;
  if (entry == 0 || dladdr((const void *)entry, &info) == 0 || info.dli_sname == NULL) {
    return false;
  }
  return starts_with(info.dli_sname, "__bang_vec_") &&
         !starts_with(info.dli_sname, "__bang_vec_atomic") &&
         !starts_with(info.dli_sname, "__bang_vec_lock") &&
         !starts_with(info.dli_sname, "__bang_vec_unlock");
}

struct rt_code_place rt_code_place(const bangKernelOps *kernel, void *context) {
  const uintptr_t address = interrupted_address(context);
  const void *module = module_of(address);
  struct walk walk = {.interrupted = address,
                      .library = module_of((uintptr_t)rt_code_place),
                      .kernel = module_of((uintptr_t)kernel->run)};
  struct rt_code_place place = {.address = address,
                                .in_kernel = module != NULL && module == walk.kernel};
  if (!place.in_kernel && module == walk.library && unwinder.walk != NULL) {
    unwinder.walk(visit_frame, &walk);
    if (walk.caller != 0) {
      place.address = walk.caller;
      place.in_computation = is_computation(walk.entry);
    }
  }
  return place;
}

void rt_code_place_describe(uintptr_t address, char *text, size_t size) {
  Dl_info info;
  struct link_map *module = NULL;
  if (dladdr1((const void *)address, &info, (void **)&module, RTLD_DL_LINKMAP) == 0 ||
      module == NULL) {
    snprintf(text, size, "%#lx", (unsigned long)address);
    return;
  }
  const char *path = module->l_name[0] != '\0' ? module->l_name : "/proc/self/exe";
  const uintptr_t offset = address - module->l_addr;
  const char *slash = strrchr(info.dli_fname, '/');
  struct rt_debug_line line;
  rt_debug_line_find(path, offset, &line);
  const bool has_line = line.file[0] != '\0';
  const bool has_function = line.function[0] != '\0';
  char where[sizeof(line.file) + 16] = "";
  if (has_line) {
    snprintf(where, sizeof(where), "%s:%u ", line.file, line.line);
  }
  snprintf(text, size, "%s%s%s%s%s+%#lx%s", where, has_line ? "(" : "",
           has_function ? line.function : "", has_function ? " in " : "",
           slash != NULL ? slash + 1 : info.dli_fname, (unsigned long)offset, has_line ? ")" : "");
}

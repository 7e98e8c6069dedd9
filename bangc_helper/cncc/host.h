/* SPDX-License-Identifier: MIT
 *
 * The compiler underneath: which one it is, and how its habits differ from the vendor's clang.
 */
#ifndef CNCC_HOST_H_
#define CNCC_HOST_H_

#include "util.h"

typedef struct Host {
  StrList cxx; /* command words of the C++ compiler */
  StrList c;
  bool is_clang;
} Host;

/* CNCC_HOST_CXX and CNCC_HOST_CC override what was configured. */
void host_init(Host *host);
void host_free(Host *host);

/* User flags in the form this compiler understands. */
void host_add_flags(const Host *host, const StrList *flags, StrList *command);

/* For C++ that may include bang.h: enables 16-bit floats as parameters and results where clang
 * needs a flag. */
void host_add_half_flags(const Host *host, StrList *command);

/* For kernels: code generation the language relies on, before the user's flags. */
void host_add_language_flags(const Host *host, StrList *command);

/* Do the user's flags ask for the address sanitizer? */
bool host_sanitizes_addresses(const StrList *user_flags);

/* For kernels on CPUs where an integer division by zero does not trap: whether divisions by zero
 * call the runtime, and the flags for that. bang_lowering.h redirects the call. */
bool host_checks_divisions(const StrList *user_flags);
void host_add_division_checks(const Host *host, StrList *command);

/* For kernels: turns off warnings that the vendor's compiler does not give under the same flags,
 * unless the user names them. These go after the user's flags. */
void host_add_quiet_flags(const Host *host, const StrList *user_flags, StrList *command);

#endif /* CNCC_HOST_H_ */

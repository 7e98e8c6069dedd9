/* SPDX-License-Identifier: MIT */
#include "kernel_flags.h"

#include <string.h>

#include "declaration.h"

char *kernel_standard(const char *wanted) {
  static const char *const old[] = {"98", "03", "0x", "11", "1y", "14"};
  if (!wanted) return xstrdup("-std=c++17");
  const char *year = strstr(wanted, "++");
  if (!year) return xstrdup("-std=c++17");
  for (size_t i = 0; i < sizeof old / sizeof *old; ++i) {
    if (strcmp(year + 2, old[i]) == 0) {
      return xasprintf("-std=%.*s++17", (int)(year - wanted), wanted);
    }
  }
  return xasprintf("-std=%s", wanted);
}

void add_kernel_macros(const Arch *arch, StrList *command) {
  strlist_add(command, "-D__BANG__=1");
  strlist_take(command, xasprintf("-D__BANG_ARCH__=%d", arch->number));
  strlist_take(command, xasprintf("-D__MLU_NRAM_SIZE__=%d", arch->nram_kb));
  strlist_take(command, xasprintf("-D__MLU_WRAM_SIZE__=%d", arch->wram_kb));
  strlist_take(command, xasprintf("-D__MLU_SRAM_SIZE__=%d", arch->sram_kb));
  /* Programs test the vendor's qualifiers with #ifdef, since they are macros there. Here each is a
   * macro for itself, so that the lowering still sees it. */
  const char *qualifier = NULL;
  for (size_t i = 0; (qualifier = qualifier_spelling(i)) != NULL; ++i) {
    strlist_take(command, xasprintf("-D%s=%s", qualifier, qualifier));
  }
}

/* SPDX-License-Identifier: MIT
 *
 * What an ELF file says about an address of its code: the symbol table names the function, the line
 * tables of DWARF 2 to 5 the file and the line.
 */
#ifndef RUNTIME_DEBUG_LINES_H_
#define RUNTIME_DEBUG_LINES_H_

#include <stdint.h>

struct rt_debug_line {
  char file[128]; /* empty: not known */
  unsigned line;
  char function[128]; /* as the linker sees it; empty: not known */
};

/* `offset` is the address minus the load address of the file. */
void rt_debug_line_find(const char *path, uintptr_t offset, struct rt_debug_line *line);

#endif /* RUNTIME_DEBUG_LINES_H_ */

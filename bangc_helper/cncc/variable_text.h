/* SPDX-License-Identifier: MIT
 *
 * Parts of a variable's declaration as text.
 */
#ifndef CNCC_VARIABLE_TEXT_H_
#define CNCC_VARIABLE_TEXT_H_

#include "arch.h"
#include "declaration.h"

/* Storage words, which lowered declarations state themselves. */
bool is_storage_word(const Source *source, int index);

/* The specifiers as a type: without qualifiers and storage words. */
void append_variable_type(StrBuf *out, const Source *source, const Declaration *decl);

/* A declarator under another name. */
void append_renamed(StrBuf *out, const Source *source, const Declarator *variable,
                    const char *name);

/* The caller frees it. */
char *declarator_name(const Source *source, const Declarator *variable);

/* The declaration's alignment as alignas words, at least one line of on-chip memory. */
void append_onchip_alignment(StrBuf *out, const Source *source, const Declaration *decl);

/* Makes the compiler refuse a variable of this type that is larger than its memory. */
void append_size_check(StrBuf *out, const char *type, const char *name, const char *qualifier,
                       int limit_kb, const Arch *arch);

#endif /* CNCC_VARIABLE_TEXT_H_ */

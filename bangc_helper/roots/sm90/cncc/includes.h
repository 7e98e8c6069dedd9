/* SPDX-License-Identifier: MIT
 *
 * Preprocessed text without the system headers: what a compiler needs that reads these headers
 * itself.
 */
#ifndef CNCC_INCLUDES_H_
#define CNCC_INCLUDES_H_

#include "util.h"

/* Copies preprocessed text (with -dI, which keeps the #include lines). What came from system
 * headers and from the folder system_root goes; the #include lines that brought it stay, once they
 * stand in text that stays. */
void restore_system_includes(const char *text, size_t size, const char *system_root, StrBuf *out);

#endif /* CNCC_INCLUDES_H_ */

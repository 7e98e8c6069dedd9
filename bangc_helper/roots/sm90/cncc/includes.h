/* SPDX-License-Identifier: MIT
 *
 * Removes system headers from preprocessed text, for a compiler that reads those headers itself.
 */
#ifndef CNCC_INCLUDES_H_
#define CNCC_INCLUDES_H_

#include "util.h"

/* Copies preprocessed text (made with -dI, which keeps the #include lines). Text from system
 * headers and from the folder system_root is removed. The #include lines that brought it in are
 * kept if they are in text that is kept. */
void restore_system_includes(const char *text, size_t size, const char *system_root, StrBuf *out);

#endif /* CNCC_INCLUDES_H_ */

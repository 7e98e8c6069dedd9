/* SPDX-License-Identifier: MIT
 *
 * The language header, precompiled by gcc: CNCC_PCH_DIR names a folder that keeps one for each set
 * of flags, so that the header need not be parsed again for every kernel file.
 */
#ifndef CNCC_PRECOMPILED_H_
#define CNCC_PRECOMPILED_H_

#include "job.h"

/* Path of a header to include instead of `header` and `more` (NULL: none), precompiled with
 * `flags`: a compiler, and every flag that can change what the header means. NULL when there is
 * none. Flags that are seen for the first time only leave a note: a single file would not repay the
 * work. The caller frees the path. */
char *precompiled_header(const Job *job, const StrList *flags, const char *header,
                         const char *more);

/* Where preprocessed text begins with such a header, reads what stands for it; false when that is
 * not there any more. Elsewhere leaves `text` as it is. */
bool read_precompiled_text(const char *preprocessed, StrBuf *text);

/* Takes that header out of a list of dependencies: make would stop when the folder is gone. The
 * files it was made from stay in the list. */
void hide_precompiled_header(const char *path);

#endif /* CNCC_PRECOMPILED_H_ */

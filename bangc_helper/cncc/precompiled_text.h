/* SPDX-License-Identifier: MIT
 *
 * The language header for clang, which cannot continue from a precompiled header in the middle of
 * preprocessing as gcc can: the header's text at the start of a lowered file is what CNCC_PCH_DIR
 * keeps precompiled.
 */
#ifndef CNCC_PRECOMPILED_TEXT_H_
#define CNCC_PRECOMPILED_TEXT_H_

#include "job.h"

/* Where the header of `lowered` is kept, takes it out of the file and adds words to `command` that
 * stand for it. `command` is a compiler with every flag that can change what the header means. */
void use_precompiled_text(const Job *job, StrList *command, const char *lowered);

#endif /* CNCC_PRECOMPILED_TEXT_H_ */

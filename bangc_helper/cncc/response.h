/* SPDX-License-Identifier: MIT
 *
 * Response files.
 */
#ifndef CNCC_RESPONSE_H_
#define CNCC_RESPONSE_H_

#include "util.h"

/* Words of a command line with @file replaced by the words of the file. */
void expand_response_files(int argc, char **argv, StrList *out);

#endif /* CNCC_RESPONSE_H_ */

/* SPDX-License-Identifier: MIT
 *
 * --bang-strict: what compiles here and would not, or not surely, with the vendor's compiler for a
 * card is an error.
 */
#ifndef CNCC_STRICT_H_
#define CNCC_STRICT_H_

#include "job.h"

/* A kernel file, preprocessed with bang/survey.h for a host compiler. */
typedef struct StrictFile {
  const char *preprocessed;
  const char *stem; /* of the source: names intermediate files */
  const char *unit_tag;
} StrictFile;

/* Reports what it finds. Returns the number of errors. */
int check_strictly(const Job *job, const StrictFile *file);

#endif /* CNCC_STRICT_H_ */

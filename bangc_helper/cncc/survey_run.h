/* SPDX-License-Identifier: MIT
 *
 * A survey of a kernel file by the host compiler, whichever root the file is compiled for.
 */
#ifndef CNCC_SURVEY_RUN_H_
#define CNCC_SURVEY_RUN_H_

#include "job.h"
#include "survey.h"

/* A kernel file, preprocessed with bang/survey.h for a host compiler. */
typedef struct SurveyedFile {
  const char *preprocessed;
  const char *stem; /* of the source: names intermediate files */
  const char *unit_tag;
} SurveyedFile;

/* Reads the file into `text` and fills the survey; `messages` gets the compiler's messages. False
 * when the file cannot be lowered, which has been reported. */
bool survey_run(const Job *job, const SurveyedFile *file, StrBuf *text, Survey *survey,
                StrBuf *messages);

#endif /* CNCC_SURVEY_RUN_H_ */

/* SPDX-License-Identifier: MIT
 *
 * Which language functions a translation unit calls, with which operand types. The lowering notes
 * the places; the types, in templates those of every instantiation, the host compiler says
 * (bang/survey.h).
 */
#ifndef CNCC_SURVEY_H_
#define CNCC_SURVEY_H_

#include "operand.h"
#include "source.h"

/* A call in the source. */
typedef struct CallPlace {
  char *file;
  int line, column;
  char *name;
  char *function; /* around it; NULL: unknown */
} CallPlace;

/* What one place is given; a place in a template may have several, or none. */
typedef struct SurveyedCall {
  int place;
  Operands given;
} SurveyedCall;

typedef struct Survey {
  CallPlace *places;
  int place_count;
  SurveyedCall *calls;
  int call_count;
} Survey;

/* For the lowering: returns the number of the place. */
int survey_add_place(Survey *survey, const Source *source, int index, int function);

/* Reads what the compiler said about the lowered text. */
void survey_read(Survey *survey, const char *messages);

void survey_free(Survey *survey);

#endif /* CNCC_SURVEY_H_ */

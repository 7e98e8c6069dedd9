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
  bool is_empty;  /* it is given a length that is a constant zero */
} CallPlace;

/* What one place is given; a place in a template may have several, or none. */
typedef struct SurveyedCall {
  int place;
  Operands given;
} SurveyedCall;

/* How large an on-chip variable is, which goes by the token of its name. */
typedef struct SurveyedSize {
  int variable;
  long long bytes;
} SurveyedSize;

typedef struct Survey {
  CallPlace *places;
  int place_count;
  SurveyedCall *calls;
  int call_count;
  SurveyedSize *sizes;
  int size_count;
  bool is_compilation; /* it has checked all that a compilation would, and found nothing */
} Survey;

/* For the lowering: returns the number of the place. */
int survey_add_place(Survey *survey, const Source *source, int index, int function);

/* Reads what the compiler said about the lowered text. */
void survey_read(Survey *survey, const char *messages);

/* Whether it warned of nothing but the marks of the survey. */
bool survey_is_silent(const char *messages);

/* Bytes of the on-chip variable whose name is at a token, of its largest instantiation; 0: unknown.
 */
long long survey_size_of(const Survey *survey, int variable);

void survey_free(Survey *survey);

#endif /* CNCC_SURVEY_H_ */

/* SPDX-License-Identifier: MIT
 *
 * Which language functions a translation unit calls, and with which operand types. The lowering
 * records the calls; the host compiler tells the types, in templates those of every instantiation
 * (bang/survey.h).
 */
#ifndef CNCC_SURVEY_H_
#define CNCC_SURVEY_H_

#include "operand.h"
#include "source.h"

/* What the compiler finds out about a place, by a warning that a mark beside it gives. */
typedef enum SurveyMark {
  SURVEY_EMPTY,    /* a call whose length is the constant zero */
  SURVEY_DOUBLE,   /* an operator with a double operand */
  SURVEY_CONSTANT, /* an operator on an integer and a constant such as 0.5 */
  SURVEY_MARK_COUNT
} SurveyMark;

/* A call or an operator in the source. */
typedef struct CallPlace {
  char *file;
  int line, column;
  char *name;
  char *function; /* function around it; NULL: unknown */
  bool is_marked[SURVEY_MARK_COUNT];
} CallPlace;

/* Operands of one call; a call in a template may have several sets of them, or none. */
typedef struct SurveyedCall {
  int place;
  Operands given;
} SurveyedCall;

/* Size of an on-chip variable, identified by the token of its name. */
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

/* Used by the lowering: adds a call or an operator and returns its number. */
int survey_add_place(Survey *survey, const Source *source, int index, int function);

/* Appends an operand of a comma operator, of which the compiler warns if it knows that `condition`,
 * a unary expression, is true. */
void survey_append_mark(StrBuf *out, SurveyMark mark, int place, const char *condition);

/* Reads the compiler's answers about the lowered text. */
void survey_read(Survey *survey, const char *messages);

/* Whether it warned of nothing but the marks of the survey. */
bool survey_is_silent(const char *messages);

/* Bytes of the on-chip variable whose name is at a token, the largest if it is a template's; 0:
 * unknown. */
long long survey_size_of(const Survey *survey, int variable);

void survey_free(Survey *survey);

#endif /* CNCC_SURVEY_H_ */

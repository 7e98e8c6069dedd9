/* SPDX-License-Identifier: MIT
 *
 * Parameters one by one: of functions and of templates.
 */
#ifndef CNCC_PARAMETERS_H_
#define CNCC_PARAMETERS_H_

#include "source.h"

typedef enum ParameterKind { FUNCTION_PARAMETER, TEMPLATE_PARAMETER } ParameterKind;

typedef struct Parameter {
  int begin, end; /* tokens without the default */
  int name;       /* -1: none */
  int place;      /* if unnamed: the token after which a name may be inserted */
  bool is_pack;
} Parameter;

/* Reads the parameter at `begin` of a list that `close` closes. Returns the comma after it, or
 * `close`. */
int read_parameter(const Source *source, ParameterKind kind, int begin, int close,
                   Parameter *parameter);

#endif /* CNCC_PARAMETERS_H_ */

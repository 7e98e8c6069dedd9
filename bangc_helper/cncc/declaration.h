/* SPDX-License-Identifier: MIT
 *
 * What the declaration around a token says.
 */
#ifndef CNCC_DECLARATION_H_
#define CNCC_DECLARATION_H_

#include "source.h"

/* The qualifiers of BANG C. */
enum {
  QUALIFIER_NONE = 0,
  QUALIFIER_KERNEL = 1 << 0,
  QUALIFIER_FUNCTION = 1 << 1, /* __mlu_func__ and its kin */
  QUALIFIER_DEVICE = 1 << 2,   /* __mlu_device__: functions and variables */
  QUALIFIER_NRAM = 1 << 3,
  QUALIFIER_WRAM = 1 << 4,
  QUALIFIER_SHARED = 1 << 5,
  QUALIFIER_LDRAM = 1 << 6,
  QUALIFIER_CONST = 1 << 7,
  QUALIFIER_HOST = 1 << 8,    /* besides others: for the host, too */
  QUALIFIER_IGNORED = 1 << 9, /* says where code may run, which makes no difference here */
};
int qualifier_of(const Source *source, int index);
/* Spellings one by one; NULL after the last. */
const char *qualifier_spelling(size_t number);

/* Storage classes and other words of the specifiers. */
enum {
  WORD_STATIC = 1 << 0,
  WORD_EXTERN = 1 << 1,
  WORD_INLINE = 1 << 2,
  WORD_CONSTEXPR = 1 << 3,
  WORD_CONST = 1 << 4,
  WORD_FRIEND = 1 << 5,
  WORD_TYPEDEF = 1 << 6,
  WORD_EXTERN_C = 1 << 7, /* extern "C" without braces */
};

typedef struct Declarator {
  int name;  /* token of the name, -1 for none */
  int begin; /* first token: pointer marks before the name included */
  int end;   /* first token that no longer belongs to the declarator (initialiser, ',' or ';') */
  int init_begin, init_end; /* initialiser with its '=', empty when equal */
  bool is_array, is_pointer;
  bool unknown_bound; /* the first bound is [] */
} Declarator;

typedef struct Declaration {
  int start;      /* first token */
  int specifiers; /* first token after template heads */
  int qualifiers;
  int words;
  bool is_template;       /* template <...> with parameters */
  bool is_specialisation; /* template <> */
  bool is_instantiation;  /* template without <...> */
  bool is_function;
  bool is_qualified;       /* the name has a :: */
  int name;                /* function name token (last part), -1 for operators and others */
  int name_begin;          /* first token of the possibly qualified name */
  int params;              /* '(' of a function's parameters */
  int body;                /* '{' of a function definition, -1 for a declaration */
  int end;                 /* the ';' or the '}' of the body */
  Declarator *declarators; /* of a variable */
  int declarator_count;
} Declaration;

/* Reads the declaration that starts at a token. False when it does not look like one; *decl needs
 * declaration_free either way. */
bool declaration_parse(const Source *source, int start, Declaration *decl);
void declaration_free(Declaration *decl);

/* Is the token the name of the parameter that begins at `begin`, not the end of its type? */
bool is_parameter_name(const Source *source, int begin, int index);

#endif /* CNCC_DECLARATION_H_ */

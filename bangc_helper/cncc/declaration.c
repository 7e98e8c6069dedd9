/* SPDX-License-Identifier: MIT */
#include "declaration.h"

#include <stdlib.h>
#include <string.h>

#include "scope.h"

/* The complete list: any other word is an ordinary name. */
static const struct {
  const char *spelling;
  int qualifier;
} qualifiers[] = {
    {"__mlu_global__", QUALIFIER_KERNEL},
    {"__mlu_entry__", QUALIFIER_KERNEL},
    {"__mlu_func__", QUALIFIER_FUNCTION},
    {"__mlu_vector__", QUALIFIER_FUNCTION},
    {"__mlu_builtin__", QUALIFIER_FUNCTION},
    {"__mlu_simt__", QUALIFIER_FUNCTION},
    {"__mlu_device__", QUALIFIER_DEVICE},
    {"__nram__", QUALIFIER_NRAM},
    {"__wram__", QUALIFIER_WRAM},
    {"__mlu_shared__", QUALIFIER_SHARED},
    {"__ldram__", QUALIFIER_LDRAM},
    {"__mlu_const__", QUALIFIER_CONST},
    {"__mlu_host__", QUALIFIER_HOST},
    {"__mlu_generic__", QUALIFIER_IGNORED},
};
enum { QUALIFIER_COUNT = sizeof qualifiers / sizeof *qualifiers };

int qualifier_of(const Source *s, int index) {
  const Token *t = &s->tokens[index];
  if (t->kind != TOKEN_IDENTIFIER || t->length < 8 || s->text[t->offset] != '_')
    return QUALIFIER_NONE;
  for (size_t i = 0; i < QUALIFIER_COUNT; ++i) {
    if (token_is(s, index, qualifiers[i].spelling)) return qualifiers[i].qualifier;
  }
  return QUALIFIER_NONE;
}

const char *qualifier_spelling(size_t number) {
  return number < QUALIFIER_COUNT ? qualifiers[number].spelling : NULL;
}

static int word_of(const Source *s, int index) {
  static const struct {
    const char *spelling;
    int word;
  } table[] = {
      {"static", WORD_STATIC},     {"extern", WORD_EXTERN},   {"inline", WORD_INLINE},
      {"__inline__", WORD_INLINE}, {"__inline", WORD_INLINE}, {"constexpr", WORD_CONSTEXPR},
      {"const", WORD_CONST},       {"friend", WORD_FRIEND},   {"typedef", WORD_TYPEDEF},
      {"using", WORD_TYPEDEF},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    if (token_is(s, index, table[i].spelling)) return table[i].word;
  }
  return 0;
}

/* The token after an attribute or another word with parentheses; `index` itself if there is none.
 */
static int skip_attribute(const Source *s, int index) {
  static const char *const words[] = {"__attribute__", "__attribute", "alignas",  "_Alignas",
                                      "decltype",      "__typeof__",  "noexcept", "explicit",
                                      "__declspec",    "typeof"};
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
    if (token_is(s, index, words[i]) && token_op(s, index + 1, '(') &&
        s->tokens[index + 1].partner > 0) {
      return s->tokens[index + 1].partner + 1;
    }
  }
  if (token_op(s, index, '[') && token_op(s, index + 1, '[') && s->tokens[index].partner > 0) {
    return s->tokens[index].partner + 1;
  }
  return index;
}

static bool is_class_key(const Source *s, int index) {
  return token_is(s, index, "struct") || token_is(s, index, "class") ||
         token_is(s, index, "union") || token_is(s, index, "enum");
}

static bool is_type_word(const Source *s, int index) {
  static const char *const words[] = {
      "void",   "bool",     "char",  "short",    "int",    "long",     "float",  "double",
      "signed", "unsigned", "const", "volatile", "static", "extern",   "inline", "struct",
      "class",  "union",    "enum",  "typename", "auto",   "constexpr"};
  for (size_t i = 0; i < sizeof words / sizeof *words; ++i) {
    if (token_is(s, index, words[i])) return true;
  }
  return qualifier_of(s, index) != QUALIFIER_NONE;
}

/* Template heads before a declaration. */
static int parse_heads(const Source *s, Declaration *d) {
  int i = d->start;
  if (token_is(s, i, "extern") && token_is(s, i + 1, "template")) {
    d->words |= WORD_EXTERN;
    ++i;
  }
  while (token_is(s, i, "template")) {
    if (!token_op(s, i + 1, '<')) {
      d->is_instantiation = true;
      return i + 1;
    }
    int past = skip_angles(s, i + 1);
    if (past < 0) return -1;
    if (past == i + 3) {
      d->is_specialisation = true;
    } else {
      d->is_template = true;
    }
    i = past;
  }
  return i;
}

static bool parse_function_rest(const Source *s, Declaration *d, int open) {
  d->is_function = true;
  d->params = open;
  d->body = -1;
  if (s->tokens[open].partner < 0) return false;
  for (int i = s->tokens[open].partner + 1; i < s->count; ++i) {
    int op = s->tokens[i].op;
    if (op == '(' || op == '[') {
      if (s->tokens[i].partner < 0) return false;
      i = s->tokens[i].partner;
    } else if (op == ';') {
      d->end = i;
      return true;
    } else if (op == '{') {
      if (s->tokens[i].partner < 0) return false;
      /* In a constructor, "x{1}" belongs to an initialiser; another brace or a comma follows it. */
      int past = s->tokens[i].partner + 1;
      if (token_kind(s, i - 1, TOKEN_IDENTIFIER) &&
          (token_op(s, past, '{') || token_op(s, past, ','))) {
        i = past - 1;
        continue;
      }
      d->body = i;
      d->end = s->tokens[i].partner;
      return true;
    } else if (op == '}') {
      return false;
    }
  }
  return false;
}

/* First token of "A::B<T>::" before the name. */
static int qualified_begin(const Source *s, int name, int lowest) {
  int i = name;
  while (i - 1 >= lowest && token_op(s, i - 1, OP_SCOPE)) {
    if (i - 2 >= lowest && token_op(s, i - 2, '>')) {
      int open = open_angle(s, i - 2);
      if (open - 1 < lowest) return i - 1;
      i = open - 1;
    } else if (i - 2 >= lowest && token_kind(s, i - 2, TOKEN_IDENTIFIER) &&
               !is_type_word(s, i - 2)) {
      i = i - 2;
    } else {
      return i - 1;
    }
  }
  return i;
}

static void add_declarator(Declaration *d, Declarator declarator) {
  d->declarators =
      xrealloc(d->declarators, (size_t)(d->declarator_count + 1) * sizeof *d->declarators);
  d->declarators[d->declarator_count++] = declarator;
}

/* A name in parentheses: (*name)[4], (&name)(int). */
static void parse_inner_declarator(const Source *s, int open, Declarator *v) {
  for (int k = open + 1; k < s->tokens[open].partner; ++k) {
    if (token_op(s, k, '*') || token_op(s, k, '&')) v->is_pointer = true;
    if (v->name < 0 && token_kind(s, k, TOKEN_IDENTIFIER) && !is_type_word(s, k)) v->name = k;
  }
}

/* Reads one declarator without its initialiser; false when there is none. */
static bool parse_declarator(const Source *s, Declaration *d, int begin, Declarator *v) {
  *v = (Declarator){.name = -1, .begin = begin};
  int i = begin;
  for (; i < s->count; ++i) {
    int past = skip_attribute(s, i);
    if (past > i) {
      i = past - 1;
      continue;
    }
    int op = s->tokens[i].op;
    if ((op == '(' || op == '[') && s->tokens[i].partner < 0) return false;
    if (op == '*' || op == '&') {
      v->is_pointer = true;
    } else if (op == '(') {
      parse_inner_declarator(s, i, v);
      i = s->tokens[i].partner;
    } else if (op == '[') {
      if (!v->is_array && s->tokens[i].partner == i + 1) v->unknown_bound = true;
      v->is_array = true;
      i = s->tokens[i].partner;
    } else if (op == OP_SCOPE) {
      d->is_qualified = true;
    } else if (op == '<') {
      past = skip_angles(s, i);
      if (past < 0) return false;
      i = past - 1;
    } else if (s->tokens[i].kind == TOKEN_IDENTIFIER) {
      bool is_name =
          !is_type_word(s, i) && !token_is(s, i, "__restrict__") && !token_is(s, i, "__restrict");
      if (is_name) v->name = i;
    } else {
      break;
    }
  }
  v->end = v->init_begin = v->init_end = i;
  return v->name >= 0;
}

/* The token after the initialiser at `index`; `index` itself if there is none. */
static int skip_initialiser(const Source *s, int i) {
  if (!token_op(s, i, '=') && !token_op(s, i, '{')) return i;
  while (i < s->count && !token_op(s, i, ';') && !token_op(s, i, ',')) {
    int op = s->tokens[i].op;
    int past = op == '<' ? skip_angles(s, i) : -1;
    if ((op == '(' || op == '[' || op == '{') && s->tokens[i].partner > i) {
      i = s->tokens[i].partner + 1;
    } else {
      i = past > 0 ? past : i + 1;
    }
  }
  return i;
}

/* Declarators of a variable, from the first token after the specifiers. */
static bool parse_declarators(const Source *s, Declaration *d, int begin) {
  int i = begin;
  for (;;) {
    Declarator v;
    if (!parse_declarator(s, d, i, &v)) return false;
    i = v.init_end = skip_initialiser(s, v.end);
    add_declarator(d, v);
    if (token_op(s, i, ';')) {
      d->end = i;
      return true;
    }
    if (!token_op(s, i, ',')) return false;
    ++i;
  }
}

bool declaration_parse(const Source *s, int start, Declaration *d) {
  *d = (Declaration){
      .start = start, .name = -1, .name_begin = -1, .params = -1, .body = -1, .end = -1};
  int i = parse_heads(s, d);
  if (i < 0) return false;
  d->specifiers = i;
  int last_word = -1; /* the last identifier that could be a name */
  int class_key = -1;
  int first_pointer = -1; /* first * or & after it */
  while (i < s->count) {
    int past = skip_attribute(s, i);
    if (past > i) {
      i = past;
      continue;
    }
    const Token *t = &s->tokens[i];
    if (t->kind == TOKEN_IDENTIFIER) {
      int qualifier = qualifier_of(s, i);
      int word = word_of(s, i);
      d->qualifiers |= qualifier;
      if (word == WORD_EXTERN && token_kind(s, i + 1, TOKEN_STRING)) {
        d->words |= WORD_EXTERN_C;
        i += 2;
        continue;
      }
      d->words |= word;
      if (token_is(s, i, "operator")) {
        int open = i + 1;
        if (token_op(s, open, '(') && token_op(s, open + 1, ')')) open += 2;
        while (open < s->count && !token_op(s, open, '(') && !token_op(s, open, ';')) ++open;
        if (!token_op(s, open, '(')) return false;
        d->name_begin = qualified_begin(s, i, d->specifiers);
        d->is_qualified = d->name_begin < i;
        return parse_function_rest(s, d, open);
      }
      if (is_class_key(s, i)) class_key = i;
      if (!qualifier && !word && !token_is(s, i, "__restrict__")) last_word = i;
      ++i;
    } else if (t->op == '<') {
      past = skip_angles(s, i);
      if (past < 0) return false;
      i = past;
    } else if (t->op == OP_SCOPE || t->op == '~' || t->kind == TOKEN_STRING) {
      ++i;
    } else if (t->op == '*' || t->op == '&' || (t->length == 2 && token_is(s, i, "&&"))) {
      if (first_pointer < 0 || first_pointer < last_word) first_pointer = i;
      ++i;
    } else if (t->op == '(') {
      if (token_op(s, i + 1, '*') || token_op(s, i + 1, '&')) return parse_declarators(s, d, i);
      if (last_word < 0) return false;
      d->name = last_word;
      d->name_begin = qualified_begin(s, last_word, d->specifiers);
      d->is_qualified = d->name_begin < last_word;
      return parse_function_rest(s, d, i);
    } else if (t->op == '{' && class_key >= 0 && last_word <= class_key + 1 && t->partner > 0) {
      i = t->partner + 1; /* the type is defined on the spot */
      last_word = -1;
    } else if (t->op == '[' || t->op == '=' || t->op == '{' || t->op == ',' || t->op == ';') {
      if (last_word < 0) return false;
      int begin = qualified_begin(s, last_word, d->specifiers);
      if (first_pointer >= 0 && first_pointer < begin) begin = first_pointer;
      return parse_declarators(s, d, begin);
    } else {
      return false;
    }
  }
  return false;
}

void declaration_free(Declaration *d) {
  free(d->declarators);
  d->declarators = NULL;
  d->declarator_count = 0;
}

/* Words that precede the name of a type, and words that are a type. */
static const char *const words_before_types[] = {"const",  "volatile", "__restrict__", "__restrict",
                                                 "struct", "class",    "enum",         "typename"};
static const char *const words_of_types[] = {"bool",   "char",     "short",  "int",
                                             "long",   "float",    "double", "half",
                                             "signed", "unsigned", "wchar_t"};

bool is_parameter_name(const Source *s, int begin, int index) {
  if (!token_kind(s, index, TOKEN_IDENTIFIER) || TOKEN_IS_ONE_OF(s, index, words_before_types) ||
      TOKEN_IS_ONE_OF(s, index, words_of_types) || token_op(s, index - 1, OP_SCOPE)) {
    return false;
  }
  bool has_type = false;
  for (int i = begin; i < index; ++i) {
    has_type |= !TOKEN_IS_ONE_OF(s, i, words_before_types) && !qualifier_of(s, i);
  }
  return has_type;
}

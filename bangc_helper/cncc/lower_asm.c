/* SPDX-License-Identifier: MIT
 *
 * Inline assembly. MLISA text becomes calls of the functions in bang_asm.h; text for the host's
 * processor is kept.
 */
#include "lower_asm.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct AsmOperand {
  char *name; /* symbolic, "" for none */
  int begin;  /* tokens of the C expression */
  int end;
} AsmOperand;

typedef struct AsmStatement {
  int place; /* the asm keyword, for messages */
  char *text;
  AsmOperand *operands;
  int count;
} AsmStatement;

static void free_statement(AsmStatement *a) {
  for (int i = 0; i < a->count; ++i) free(a->operands[i].name);
  free(a->operands);
  free(a->text);
}

static void append_unescaped(StrBuf *out, const char *text, size_t size) {
  for (size_t i = 0; i < size; ++i) {
    char c = text[i];
    if (c == '\\' && i + 1 < size) {
      c = text[++i];
      c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
    }
    strbuf_add(out, &c, 1);
  }
}

/* "[name] "constraint" (expression)" up to the next ',' ':' or the end. */
static void parse_operand(AsmStatement *a, const Source *s, int begin, int end) {
  AsmOperand operand = {0};
  StrBuf name = {0};
  strbuf_add(&name, "", 0);
  int i = begin;
  if (token_op(s, i, '[') && s->tokens[i].partner == i + 2) {
    append_tokens(&name, s, i + 1, i + 2);
    i += 3;
  }
  operand.name = name.data;
  while (i < end && !token_op(s, i, '(')) ++i;
  if (i < end && s->tokens[i].partner > i) {
    operand.begin = i + 1;
    operand.end = s->tokens[i].partner;
  }
  a->operands = xrealloc(a->operands, (size_t)(a->count + 1) * sizeof *a->operands);
  a->operands[a->count++] = operand;
}

static void parse_statement(AsmStatement *a, const Source *s, int open, int close) {
  StrBuf text = {0};
  strbuf_add(&text, "", 0);
  int i = open + 1;
  for (; token_kind(s, i, TOKEN_STRING); ++i) {
    const Token *t = &s->tokens[i];
    append_unescaped(&text, s->text + t->offset + 1, t->length >= 2 ? t->length - 2 : 0);
  }
  a->text = text.data;
  int section = 0; /* 1 outputs, 2 inputs, 3 clobbers */
  int begin = i;
  for (; i <= close; ++i) {
    int op = s->tokens[i].op;
    bool colon = op == ':' || op == OP_SCOPE;
    if (op == '(' || op == '[') {
      if (s->tokens[i].partner > i) i = s->tokens[i].partner;
    } else if (colon || op == ',' || i == close) {
      if ((section == 1 || section == 2) && i > begin) parse_operand(a, s, begin, i);
      section += op == OP_SCOPE ? 2 : colon ? 1 : 0;
      begin = i + 1;
    }
  }
}

/* ---- Instructions ---- */

typedef struct Span {
  const char *begin;
  const char *end;
} Span;

static Span trim(Span s) {
  while (s.begin < s.end && isspace((unsigned char)*s.begin)) ++s.begin;
  while (s.end > s.begin && isspace((unsigned char)s.end[-1])) --s.end;
  return s;
}

static bool span_is(Span s, const char *text) {
  return strlen(text) == (size_t)(s.end - s.begin) && memcmp(s.begin, text, strlen(text)) == 0;
}

/* Cuts the next part off at a separator outside brackets; false when nothing is left. */
static bool next_part(Span *rest, char separator, Span *part) {
  if (rest->begin >= rest->end) return false;
  int depth = 0;
  const char *p = rest->begin;
  for (; p < rest->end; ++p) {
    if (strchr("([{", *p)) ++depth;
    if (strchr(")]}", *p)) --depth;
    if (*p == separator && depth <= 0) break;
  }
  *part = trim((Span){rest->begin, p});
  rest->begin = p < rest->end ? p + 1 : p;
  return true;
}

static Span mnemonic_of(Span instruction) {
  Span m = {instruction.begin, instruction.begin};
  while (m.end < instruction.end && !isspace((unsigned char)*m.end)) ++m.end;
  return m;
}

/* MLISA writes "operation.space.type"; no instruction of a host processor has a point in its name.
 */
static bool is_mlisa(Span instruction) {
  Span m = mnemonic_of(instruction);
  if (span_is(m, "sync")) return true;
  if (m.end - m.begin > 9 && memcmp(m.begin, ".volatile{", 10) == 0) return true;
  bool point = false;
  for (const char *p = m.begin; p < m.end; ++p) {
    if (*p == '.' && p > m.begin && p + 1 < m.end) {
      point = true;
    } else if (!islower((unsigned char)*p) && !isdigit((unsigned char)*p) && *p != '_') {
      return false;
    }
  }
  return point && m.begin < m.end && islower((unsigned char)*m.begin);
}

typedef struct Emitter {
  Lowering *lowering;
  const AsmStatement *statement;
  Replacement *out;
  bool failed;
} Emitter;

static void fail(Emitter *e, const char *what, Span text) {
  if (!e->failed) {
    source_error(e->lowering->source, e->statement->place, "%s in inline assembly: '%.*s'", what,
                 (int)(text.end - text.begin), text.begin);
  }
  e->failed = true;
}

static const char *element_type(Span m) {
  static const struct {
    const char *suffix;
    const char *type;
  } table[] = {{"f32", "float"},    {"f16", "half"},    {"bf16", "bfloat16_t"},
               {"u32", "uint32_t"}, {"s32", "int32_t"}, {"b32", "uint32_t"},
               {"u16", "uint16_t"}, {"s16", "int16_t"}, {"b16", "uint16_t"},
               {"u8", "uint8_t"},   {"s8", "int8_t"},   {"b8", "uint8_t"}};
  const char *point = m.end;
  while (point > m.begin && point[-1] != '.') --point;
  for (size_t i = 0; i < sizeof table / sizeof *table; ++i) {
    if (span_is((Span){point, m.end}, table[i].suffix)) return table[i].type;
  }
  return NULL;
}

static const AsmOperand *find_operand(const AsmStatement *a, Span text) {
  if (text.end - text.begin < 2 || *text.begin != '%') return NULL;
  Span name = {text.begin + 1, text.end};
  if (*name.begin == '[' && name.end[-1] == ']') {
    name = trim((Span){name.begin + 1, name.end - 1});
    for (int i = 0; i < a->count; ++i) {
      if (span_is(name, a->operands[i].name)) return &a->operands[i];
    }
    return NULL;
  }
  char *rest;
  long number = strtol(name.begin, &rest, 10);
  return rest == name.end && number >= 0 && number < a->count ? &a->operands[number] : NULL;
}

/* The C expression of "%[x]", or an immediate. */
static void emit_operand(Emitter *e, Span text) {
  const AsmOperand *operand = find_operand(e->statement, text);
  if (operand && operand->end > operand->begin) {
    replacement_tokens(e->out, operand->begin, operand->end);
  } else if (text.begin < text.end && (isdigit((unsigned char)*text.begin) || *text.begin == '-')) {
    char *literal = xstrndup(text.begin, (size_t)(text.end - text.begin));
    replacement_text(e->out, literal);
    free(literal);
  } else {
    fail(e, "unknown operand", text);
  }
}

static bool in_brackets(Span *text) {
  if (text->end - text->begin < 2 || *text->begin != '[' || text->end[-1] != ']') return false;
  *text = trim((Span){text->begin + 1, text->end - 1});
  return true;
}

static void emit_text(Emitter *e, const char *before, const char *type, const char *after) {
  char *text = xasprintf("%s%s%s", before, type, after);
  replacement_text(e->out, text);
  free(text);
}

/* "[x]": the pointer in x. */
static void emit_memory(Emitter *e, const char *type, Span text) {
  if (!in_brackets(&text)) {
    fail(e, "memory operand expected", text);
    return;
  }
  emit_text(e, "::__bang_asm_pointer<", type, ">(");
  emit_operand(e, text);
  replacement_text(e->out, ")");
}

/* A register as a value of the element type. Hexadecimal immediates are bits, decimal ones values.
 */
static void emit_value(Emitter *e, const char *type, Span text) {
  bool decimal = text.begin < text.end && *text.begin != '%' &&
                 !memchr(text.begin, 'x', (size_t)(text.end - text.begin));
  emit_text(e, decimal ? "static_cast<" : "::__bang_asm_value<", type, ">(");
  emit_operand(e, text);
  replacement_text(e->out, ")");
}

static void emit_count(Emitter *e, Span text) {
  replacement_text(e->out, "static_cast<size_t>(");
  emit_operand(e, text);
  replacement_text(e->out, ")");
}

/* True for an arithmetic step that bang_asm.h implements. */
static bool is_step(Span name) {
  static const char *const steps[] = {"add", "sub", "mul", "div", "and", "or", "xor", "max",
                                      "min", "ge",  "gt",  "le",  "lt",  "eq", "ne"};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; ++i) {
    if (span_is(name, steps[i])) return true;
  }
  return false;
}

/* One step of a chain: applies `name` to a register or, element by element, to memory. */
static void emit_step(Emitter *e, const char *type, Span name, Span argument) {
  Span inner = argument;
  bool memory = in_brackets(&inner);
  char *step = xstrndup(name.begin, (size_t)(name.end - name.begin));
  char *text = xasprintf("::__bang_asm_%s<%s, ::__bang_asm_op_%s>(",
                         memory ? "with_memory" : "with_value", type, step);
  replacement_text(e->out, text);
  free(text);
  free(step);
  if (memory) {
    emit_memory(e, type, argument);
  } else {
    emit_value(e, type, argument);
  }
  replacement_text(e->out, ")");
}

enum { MAX_ARGUMENTS = 16 };

static void emit_chain_begin(Emitter *e, const char *type, Span dst, Span count, Span src) {
  emit_text(e, "::__bang_asm_chain<", type, ">(");
  emit_memory(e, type, dst);
  replacement_text(e->out, ", ");
  emit_count(e, count);
  replacement_text(e->out, ", ");
  emit_memory(e, type, src);
}

/* fuse.nram.T [dst], n, [src], .op(arg), ... */
static void emit_fuse(Emitter *e, const char *type, const Span *args, int count) {
  emit_chain_begin(e, type, args[0], args[1], args[2]);
  for (int i = 3; i < count; ++i) {
    const char *open = memchr(args[i].begin, '(', (size_t)(args[i].end - args[i].begin));
    Span name = {args[i].begin + 1, open};
    if (!open || *args[i].begin != '.' || args[i].end[-1] != ')' || !is_step(trim(name))) {
      fail(e, "unsupported step", args[i]);
      return;
    }
    replacement_text(e->out, ", ");
    emit_step(e, type, trim(name), trim((Span){open + 1, args[i].end - 1}));
  }
  replacement_text(e->out, ")");
}

/* op.scalar.nram.T [dst], [src], value, n and op.vector.nram.T [dst], [src0], [src1], n */
static void emit_binary(Emitter *e, const char *type, Span step, const Span *args) {
  emit_chain_begin(e, type, args[0], args[3], args[1]);
  replacement_text(e->out, ", ");
  emit_step(e, type, step, args[2]);
  replacement_text(e->out, ")");
}

static void emit_index(Emitter *e, const char *type, const Span *args) {
  emit_text(e, "::__bang_asm_index<", type, ">(");
  emit_operand(e, args[0]);
  replacement_text(e->out, ", ");
  emit_value(e, type, args[1]);
  replacement_text(e->out, ", ");
  emit_value(e, type, args[2]);
  replacement_text(e->out, ")");
}

static void emit_find_last(Emitter *e, const Span *args) {
  replacement_text(e->out, "(");
  emit_operand(e, args[0]);
  replacement_text(e->out, ") = ::__bang_asm_findlast1(");
  emit_operand(e, args[1]);
  replacement_text(e->out, ")");
}

static void emit_gather_begin(Emitter *e, const Span *args) {
  replacement_text(e->out, "::__bang_asm_gather(");
  emit_memory(e, "void", args[0]);
  replacement_text(e->out, ", ");
  emit_memory(e, "const void", args[1]);
  replacement_text(e->out, ", ");
  emit_memory(e, "const uint32_t", args[2]);
}

/* gather.vector.nram.nram.nram.T [dst], [src], [offset], bytes, n, stride */
static void emit_gather(Emitter *e, const Span *args) {
  emit_gather_begin(e, args);
  for (int i = 3; i < 6; ++i) {
    replacement_text(e->out, ", ");
    emit_count(e, args[i]);
  }
  replacement_text(e->out, ")");
}

/* gather.clean.nram.nram.nram.T.u32 [dst], [src], [offset], n: elements of T, side by side */
static void emit_gather_elements(Emitter *e, const char *type, const Span *args) {
  emit_gather_begin(e, args);
  emit_text(e, ", sizeof(", type, "), ");
  emit_count(e, args[3]);
  emit_text(e, ", sizeof(", type, "))");
}

static bool has_prefix(Span m, const char *prefix) {
  return (size_t)(m.end - m.begin) >= strlen(prefix) &&
         memcmp(m.begin, prefix, strlen(prefix)) == 0;
}

static void emit_instruction(Emitter *e, Span instruction) {
  Span m = mnemonic_of(instruction);
  Span rest = trim((Span){m.end, instruction.end});
  Span args[MAX_ARGUMENTS];
  int count = 0;
  while (count < MAX_ARGUMENTS && next_part(&rest, ',', &args[count])) ++count;
  const char *type = element_type(m);
  const char *point = memchr(m.begin, '.', (size_t)(m.end - m.begin));
  Span step = {m.begin, point ? point : m.end};
  Span place = {point ? point : m.end, m.end};
  bool binary = has_prefix(place, ".scalar.nram.") || has_prefix(place, ".vector.nram.");

  if (span_is(m, "sync") || has_prefix(m, "sync.")) {
    replacement_text(e->out, "::__bang_sync_pipes(::BANG_PIPE_ALL)");
  } else if ((span_is(m, "barrier.sync.local") || span_is(m, "barrier.sync.global")) &&
             count == 2) {
    emit_text(e, "::__bang_asm_barrier_", span_is(m, "barrier.sync.local") ? "local" : "global",
              "(");
    emit_operand(e, args[1]);
    replacement_text(e->out, ")");
  } else if (has_prefix(m, ".volatile{") && strstr(m.begin, ".scm")) {
    replacement_text(e->out, "static_cast<void>(0)"); /* moves cache lines, no values */
  } else if (has_prefix(m, "fuse.nram.") && type && count >= 3 && count < MAX_ARGUMENTS) {
    emit_fuse(e, type, args, count);
  } else if (binary && is_step(step) && type && count == 4) {
    emit_binary(e, type, step, args);
  } else if (has_prefix(m, "index.vvr.") && type && count == 3) {
    emit_index(e, type, args);
  } else if (span_is(m, "findlast1.gpr.b32") && count == 2) {
    emit_find_last(e, args);
  } else if (has_prefix(m, "gather.vector.nram.nram.nram.") && count == 6) {
    emit_gather(e, args);
  } else if (has_prefix(m, "gather.clean.nram.nram.nram.") && type && count == 4 &&
             memcmp(m.end - 4, ".u32", 4) == 0 && element_type((Span){m.begin, m.end - 4})) {
    emit_gather_elements(e, element_type((Span){m.begin, m.end - 4}), args);
  } else {
    fail(e, "unsupported instruction", m);
  }
}

/* Instructions end with ';' or a new line. A block in braces is one instruction. */
static bool next_instruction(Span *rest, Span *instruction) {
  Span part;
  while (next_part(rest, ';', &part)) {
    if (part.begin < part.end) {
      *instruction = part;
      return true;
    }
  }
  return false;
}

void lower_asm(Lowering *lw, int index) {
  const Source *s = lw->source;
  int open = index + 1;
  while (token_is(s, open, "volatile") || token_is(s, open, "__volatile__") ||
         token_is(s, open, "__volatile")) {
    ++open;
  }
  if (!token_op(s, open, '(') || s->tokens[open].partner < 0 ||
      !token_kind(s, open + 1, TOKEN_STRING)) {
    return;
  }
  int close = s->tokens[open].partner;
  AsmStatement statement = {.place = index};
  parse_statement(&statement, s, open, close);
  Span rest = {statement.text, statement.text + strlen(statement.text)};
  Span instruction;
  Emitter e = {.lowering = lw, .statement = &statement};
  while (next_instruction(&rest, &instruction)) {
    if (!e.out) {
      if (!is_mlisa(instruction)) break; /* for the host's processor */
      e.out = rewrite_range(lw->rewrite, index, close + 1);
      replacement_text(e.out, "(");
    } else {
      replacement_text(e.out, ", ");
    }
    emit_instruction(&e, instruction);
  }
  if (e.out) replacement_text(e.out, ")");
  free_statement(&statement);
}

/* SPDX-License-Identifier: MIT */
#include "cuda_kernel.h"

#include "cuda_onchip.h"
#include "lower_kernel.h"

/* The parameter that is a pack: its first token, and in *name that of its name. -1: there is none,
 * or the body cannot name it. */
static int find_pack(const Source *s, int params, int *name) {
  int begin = params + 1;
  for (int i = begin; i < s->tokens[params].partner; ++i) {
    int partner = s->tokens[i].partner;
    if (token_op(s, i, '<')) {
      int past = skip_angles(s, i);
      if (past > 0) i = past - 1;
    } else if (partner > i) {
      i = partner;
    } else if (token_op(s, i, ',')) {
      begin = i + 1;
    } else if (token_is(s, i, "...") && token_kind(s, i + 1, TOKEN_IDENTIFIER)) {
      *name = i + 1;
      return begin;
    }
  }
  return -1;
}

/* No device lambda can capture a parameter pack: it takes it as its own parameters. */
static void take_pack(Lowering *lw, const Declaration *d, StrBuf *pack, StrBuf *close) {
  int name = -1;
  const int begin = find_pack(lw->source, d->params, &name);
  if (begin < 0) return;
  append_tokens(pack, lw->source, begin, name + 1);
  strbuf_puts(close, ", ");
  append_tokens(close, lw->source, name, name + 1);
  strbuf_puts(close, "...)");
}

static bool has_constexpr_if(const Source *s, const Declaration *d) {
  for (int i = d->body; i < d->end; ++i) {
    if (token_is(s, i, "if") && token_is(s, i + 1, "constexpr")) return true;
  }
  return false;
}

/* A device lambda must not name a parameter first in an `if constexpr`: its body names all of them
 * before. A pack is not captured. */
static void name_parameters(const Source *s, const Declaration *d, StrBuf *body) {
  const int close = s->tokens[d->params].partner;
  if (!has_constexpr_if(s, d)) return;
  int begin = d->params + 1;
  bool of_pack = false, in_default = false;
  for (int i = begin; i < close; ++i) {
    const int partner = s->tokens[i].partner;
    if (token_op(s, i, '<') && !in_default) {
      int past = skip_angles(s, i);
      if (past > 0) i = past - 1;
    } else if (partner > i) {
      i = partner;
    }
    of_pack |= token_is(s, i, "...");
    in_default |= token_op(s, i, '=');
    const int next = i + 1;
    bool at_end =
        next == close || token_op(s, next, ',') || token_op(s, next, '=') || token_op(s, next, '[');
    if (at_end && !of_pack && !in_default && is_parameter_name(s, begin, i)) {
      strbuf_puts(body, "(void)");
      append_tokens(body, s, i, i + 1);
      strbuf_puts(body, "; ");
    }
    if (token_op(s, i, ',')) {
      begin = i + 1;
      of_pack = in_default = false;
    }
  }
}

void cuda_wrap_kernel(Lowering *lw, const Declaration *d, StrBuf *open, StrBuf *close) {
  StrBuf body = {0}, pack = {0};
  cuda_wrap_body(lw, d, &body, close);
  strbuf_puts(close, "}");
  take_pack(lw, d, &pack, close);
  name_parameters(lw->source, d, &body);
  append_kernel_entry(open, lw, d, "::__bang_unit()");
  strbuf_printf(open, "%s[=] __device__ (%s) mutable -> void {%s",
                pack.size ? "::__bang_with_pack(" : "", pack.size ? pack.data : "",
                body.size ? body.data : "");
  strbuf_puts(close, ");");
  strbuf_free(&pack);
  strbuf_free(&body);
}

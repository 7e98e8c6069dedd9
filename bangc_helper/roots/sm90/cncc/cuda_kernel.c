/* SPDX-License-Identifier: MIT */
#include "cuda_kernel.h"

#include "cuda_onchip.h"
#include "parameters.h"

/* A device lambda cannot capture a parameter pack, so it takes the pack as its own parameters. */
static void take_pack(Lowering *lw, const Declaration *d, StrBuf *pack, StrBuf *close) {
  const Source *s = lw->source;
  const int end = s->tokens[d->params].partner;
  for (int begin = d->params + 1; begin < end;) {
    Parameter p;
    begin = read_parameter(s, FUNCTION_PARAMETER, begin, end, &p) + 1;
    if (!p.is_pack || p.name < 0) continue;
    append_tokens(pack, s, p.begin, p.end);
    strbuf_puts(close, ", ");
    append_tokens(close, s, p.name, p.name + 1);
    strbuf_puts(close, "...)");
    return;
  }
}

static bool has_constexpr_if(const Source *s, const Declaration *d) {
  for (int i = d->body; i < d->end; ++i) {
    if (token_is(s, i, "if") && token_is(s, i + 1, "constexpr")) return true;
  }
  return false;
}

/* A device lambda must not first mention a parameter in an `if constexpr`, so its body mentions all
 * of them at the start. A pack is not captured. */
static void name_parameters(const Source *s, const Declaration *d, StrBuf *body) {
  const int end = s->tokens[d->params].partner;
  if (!has_constexpr_if(s, d)) return;
  for (int begin = d->params + 1; begin < end;) {
    Parameter p;
    begin = read_parameter(s, FUNCTION_PARAMETER, begin, end, &p) + 1;
    if (p.is_pack || p.name < 0) continue;
    strbuf_puts(body, "(void)");
    append_tokens(body, s, p.name, p.name + 1);
    strbuf_puts(body, "; ");
  }
}

void cuda_wrap_kernel(Lowering *lw, const Declaration *d, const char *itself, StrBuf *open,
                      StrBuf *close) {
  (void)itself;
  StrBuf body = {0}, pack = {0};
  cuda_wrap_body(lw, d, &body, close);
  strbuf_puts(close, "}");
  take_pack(lw, d, &pack, close);
  name_parameters(lw->source, d, &body);
  strbuf_puts(open, "::__bang_kernel_entry(\"");
  append_tokens(open, lw->source, d->name, d->name + 1);
  strbuf_printf(open, "\", ::__bang_unit(), %s[=] __device__ (%s) mutable -> void {%s",
                pack.size ? "::__bang_with_pack(" : "", pack.size ? pack.data : "",
                body.size ? body.data : "");
  strbuf_puts(close, ");");
  strbuf_free(&pack);
  strbuf_free(&body);
}

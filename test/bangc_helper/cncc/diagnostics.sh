#!/bin/sh
# SPDX-License-Identifier: MIT
# Errors name the line of the kernel source, whether cncc or the host compiler finds them.
. "$(dirname "$0")/common.sh"

# refuse <text>: compiling bad.mlu must fail with that text in a message
refuse() {
  run 1 "$CNCC" -c bad.mlu -o bad.o
  has err "$1"
  absent bad.o
}

cat >bad.mlu <<'END'
#include <mlu.h>
__mlu_func__ int f(int a) { return a; }
__mlu_global__ void K(float *x) {
  x[0] = undefined_name;
}
END
refuse "bad.mlu:4:10: error:"
has err undefined_name

cat >bad.mlu <<'END'
__mlu_global__ void K(float *x) {
  int y = 3
  x[0] = y;
}
END
refuse "error: expected"
grep -qE 'bad.mlu:[23]:' err || fail "line of the missing semicolon: $(cat err)"

cat >bad.mlu <<'END'
__mlu_global__ void K(float *x) {}
void h(float *x, cnrtQueue_t q) {
  cnrtDim3_t d = {1, 1, 1};
  K<<<d, cnrtFuncTypeBlock,
      q>>>(x,
           nobody);
}
END
refuse "bad.mlu:6:12: error:"

cat >bad.mlu <<'END'
__mlu_global__ void K(float *x) {}
void h(float *x, cnrtQueue_t q) {
  K<<<d, cnrtFuncTypeBlock, q>>(x);
}
END
refuse "bad.mlu:3:4: error: kernel launch without its '>>>'"
sed 's/q>>(x)/q, 0>>>(x)/' bad.mlu >b2 && mv b2 bad.mlu
refuse "bad.mlu:3:4: error: a launch takes <<<dim, type, queue>>>, not 4 expressions"
sed 's/K<<<.*/K<<<d>>>(x);/' bad.mlu >b2 && mv b2 bad.mlu
refuse "not 1 expression"
sed 's/K<<<.*/K<<<d, t, q>>>;/' bad.mlu >b2 && mv b2 bad.mlu
refuse "bad.mlu:3"

cat >bad.mlu <<'END'
__mlu_global__ void K(float *x) {}
void h(float *x, cnrtQueue_t q) {
  cnrtDim3_t d = {1, 1, 1};
  K<<<d, cnrtFuncTypeBlock, q>>>(x, 3);
}
END
refuse "bad.mlu:4:"

cat >bad.mlu <<'END'
__nram__ char small[16];
__nram__ char large[513 * 1024];
END
refuse "__nram__ variable 'large' is larger than the 512 KB that mtp_592 has"
has err "bad.mlu:2"
run 0 "$CNCC" --bang-mlu-arch=mtp_372 -c bad.mlu -o good.o

cat >bad.mlu <<'END'
__mlu_global__ void K() {
  __mlu_shared__ char s[4096 * 1024];
  s[0] = 1;
}
END
refuse "__mlu_shared__ variable 's' is larger than the 2048 KB that mtp_592 has"

cat >bad.mlu <<'END'
__mlu_func__ void f(float *x) {
  __asm__ volatile("frobnicate.nram.f32 [%[d]];" ::[d] "r"(x));
}
END
refuse "bad.mlu:2:3: error: unsupported instruction in inline assembly: 'frobnicate.nram.f32'"

cat >bad.h <<'END'
#pragma once
__mlu_func__ int from_header() { return nothing; }
END
printf '#include "bad.h"\nint x;\n' >bad.mlu
refuse "bad.h:2:"

printf '#include "no_such_header.h"\n' >bad.mlu
refuse "no_such_header.h"
printf '#error "stop here"\n' >bad.mlu
refuse "stop here"

# Unbalanced brackets are errors
printf '__mlu_global__ void K() { if (1) {\n' >bad.mlu
refuse "bad.mlu:"
printf '__mlu_global__ void K( {\n}\n' >bad.mlu
refuse "bad.mlu:"

# -Wall turns on only the warnings that the vendor's compiler gives
cat >warn.mlu <<'END'
#include <string.h>
#pragma bang walign(64)
struct S { int a; S() : a(0) {} };
__mlu_func__ int unused_function(int x) { return x; }
static void unused_host_function() {}
__mlu_global__ void K(float *x, int n) {
  int unused;
  int set_only;
  set_only = 3;
  unsigned u = 3;
  if (n < u) x[0] = 1;
  int part = n / 4;
  part = part > n ? 0 : (part * 8 > n ? part = n - part : part);
#pragma unroll 4
  for (int i = 0; i < part; ++i) x[i] = 0;
}
END
run 0 "$CNCC" -Wall -Werror -O2 -c warn.mlu
run 1 "$CNCC" -Wall -Werror -Wsign-compare -c warn.mlu
has err "warn.mlu:11"
printf 'int f(int x) { switch (x) { case 1: return 2; } }\n' >warn.mlu
run 1 "$CNCC" -Wall -Werror -c warn.mlu
has err "warn.mlu:1"
absent warn.o

# A wrong operand of a language function: the message names both types and the kernel, and no template of the headers.
cat >bad.mlu <<'END'
__nram__ int a[64], b[64];
__nram__ float f[64];
__nram__ half h[64];
template <typename T>
__mlu_func__ void activate(T *x) { __bang_active_exp(x, x, 64); }
__mlu_global__ void Kernel(float *out) {
  activate(f);
  __bang_active_exp(a, a, 64);
  __bang_add(f, h, f, 64);
  __bang_add(f, f, f);
  activate(b);
  f[0] = undefined_name;
}
END
refuse "bad.mlu:8:3: error: __bang_active_exp in kernel 'Kernel': half, bfloat16 or float wanted, int* given as operand 1"
has err "bad.mlu:9:3: error: __bang_add in kernel 'Kernel': operands of one type wanted, float* and half* given"
has err "bad.mlu:10:3: error: __bang_add in kernel 'Kernel': 4 operands wanted, 3 given"
has err "bad.mlu:5:36: error: __bang_active_exp in 'activate', which kernel 'Kernel' calls: half, bfloat16 or float wanted, int* given"
has err "bad.mlu:12:"
has err undefined_name
has_not err bang_impl
has_not err "In lambda function"

finish

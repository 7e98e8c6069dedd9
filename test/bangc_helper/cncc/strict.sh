#!/bin/sh
# SPDX-License-Identifier: MIT
# --bang-strict: what has public evidence compiles, what has none is an error that names place, call, operand types and
# what is known instead.
. "$(dirname "$0")/common.sh"

# refuse <text of the message> [option]...: strict.mlu must fail with one line that has the text
refuse() {
  text=$1
  shift
  run 1 "$CNCC" --bang-strict "$@" -c strict.mlu -o strict.o
  has err "$text"
  absent strict.o
}

cat >strict.mlu <<'END'
__nram__ float a[64], b[64];
__nram__ int32_t c[64];
template <typename T>
__mlu_func__ unsigned numberOf(const T *x, int n) {
  return __bang_count(x, n);
}
__mlu_global__ void K(float *out) {
  __memcpy(a, out, sizeof(a), GDRAM2NRAM);
  __bang_add(b, a, a, 64);
  __bang_write_value(b, 64, numberOf(b, 64) >= 3 ? 1.0f : 2.0f);
  ::__memcpy(out, b, sizeof(b), NRAM2GDRAM);
}
END
run 0 "$CNCC" --bang-strict -c strict.mlu -o strict.o
exists strict.o
rm strict.o
run 0 "$CNCC" --bang-strict --bang-mlu-arch=mtp_372 -fsyntax-only strict.mlu

# An overload that only this language has; in a template, where the types of an instantiation decide.
sed 's/numberOf(b, 64)/numberOf(c, 64)/' strict.mlu >s2 && mv s2 strict.mlu
refuse "strict.mlu:5:10: error: no public evidence for __bang_count(int32_t*, int32_t) in 'numberOf'; known: __bang_count(float*, int) [--bang-strict]"
[ "$(grep -c . err)" = 1 ] || fail "not one line: $(cat err)"
run 0 "$CNCC" -fsyntax-only strict.mlu
run 0 "$CNCC" --bang-strict --no-bang-strict -fsyntax-only strict.mlu

# A name that nothing public has; another number of operands.
cat >strict.mlu <<'END'
__nram__ float a[64];
__nram__ int16_t b[64];
__nram__ int32_t c[64];
__nram__ int8_t bits[64];
__mlu_global__ void K() {
  __bang_eq_bitindex_scalar(bits, a, 1.0f, 64);
  __bang_int322int16(b, c, 64);
  __bang_int322int16(b, c, 64, 0, 0);
}
END
refuse "strict.mlu:6:3: error: no public evidence for __bang_eq_bitindex_scalar(int8_t*, float*, float, int32_t) in 'K'; nothing of this name is known, nearest: __bang_eq_bitindex(float*, float*, float*, int)"
has err "strict.mlu:7:3: error: no public evidence for __bang_int322int16(int16_t*, int32_t*, int32_t) in 'K'; known: __bang_int322int16(int16_t*, int32_t*, int, int, int)"
has_not err "strict.mlu:8"

# bfloat16_t is for the later architectures.
cat >strict.mlu <<'END'
__nram__ bfloat16_t a[64];
__mlu_global__ void K() { __bang_add(a, a, a, 64); }
END
run 0 "$CNCC" --bang-strict --bang-mlu-arch=mtp_592 -fsyntax-only strict.mlu
refuse "known: __bang_add(bfloat16_t*, bfloat16_t*, bfloat16_t*, int), for mtp_592 and later, not for mtp_372" --bang-mlu-arch=mtp_372

# Which overload of a fill a value of 64 bits would choose is open.
cat >strict.mlu <<'END'
__mlu_global__ void K(int64_t *x) { __gdramset(x, 8, (int64_t)0); }
END
refuse "no public evidence for __gdramset(int64_t*, int32_t, int64_t)"

finish

#!/bin/sh
# SPDX-License-Identifier: MIT
# --bang-strict: a call with public evidence compiles. Any other is an error with its place, its operand types and the
# nearest known call.
. "$(dirname "$0")/common.sh"

# refuse <text> [option]...: strict.mlu must fail, with the text in a message
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
run 0 "$CNCC" -v --bang-strict --bang-mlu-arch=mtp_372 -fsyntax-only strict.mlu

# If g++ has no message about a file, its survey also serves as the syntax check. If it has any, the user sees them.
if ! ${CNCC_HOST_CXX:-c++} --version | grep -q clang; then
  [ "$(grep -c -e ' -fsyntax-only ' err)" = 1 ] || fail "checked more than once: $(grep -e ' -fsyntax-only ' err)"
fi
echo '__mlu_global__ void K(int *out) { out[0] = nothing; }' >bad.mlu
run 1 "$CNCC" --bang-strict -fsyntax-only bad.mlu
has err "bad.mlu:1:44: error: "
has_not err __bang_survey
echo '__mlu_global__ void K(int *out) { out[0] = 1 / 0; }' >bad.mlu
run 0 "$CNCC" --bang-strict -fsyntax-only bad.mlu
has err "bad.mlu:1:46: warning: "
has_not err __bang_survey

# Qualifiers of pointers do not make another type.
cat >qualified.mlu <<'END'
__nram__ float a[64];
__mlu_func__ void twice(float *__restrict__ x, const float *const __restrict__ y, const volatile float *z) {
  __bang_add(x, y, (float *)z, 64);
}
__mlu_global__ void K() { twice(a, a, a); }
END
run 0 "$CNCC" --bang-strict -fsyntax-only qualified.mlu

# An overload without evidence, in a template: the types of the instantiation count.
sed 's/numberOf(b, 64)/numberOf(c, 64)/' strict.mlu >s2 && mv s2 strict.mlu
refuse "strict.mlu:5:10: error: no public evidence for __bang_count(int32_t*, int32_t) in 'numberOf'; known: __bang_count(float*, int) [--bang-strict]"
[ "$(grep -c . err)" = 1 ] || fail "not one line: $(cat err)"
run 0 "$CNCC" -fsyntax-only strict.mlu
run 0 "$CNCC" --bang-strict --no-bang-strict -fsyntax-only strict.mlu

# A name without evidence, and a wrong number of operands.
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

# So are calls that public kernels make only in branches for these architectures.
cat >strict.mlu <<'END'
__nram__ float a[64];
__nram__ uint32_t offsets[64];
__mlu_global__ void K(float *in) { __gather_async(a, in, offsets, 4, GDRAM2NRAM, 4, 64); }
END
run 0 "$CNCC" --bang-strict --bang-mlu-arch=mtp_592 -fsyntax-only strict.mlu
refuse ", for mtp_592 and later, not for mtp_372" --bang-mlu-arch=mtp_372
sed 's/__gather_async/__gather/' strict.mlu >s2 && mv s2 strict.mlu
run 0 "$CNCC" --bang-strict --bang-mlu-arch=mtp_372 -fsyntax-only strict.mlu

# Nobody knows which overload of a fill a 64-bit value would choose.
cat >strict.mlu <<'END'
__mlu_global__ void K(int64_t *x) { __gdramset(x, 8, (int64_t)0); }
END
refuse "no public evidence for __gdramset(int64_t*, int32_t, int64_t)"

# ---- Rules beside overloads ----

cat >strict.mlu <<'END'
#include <vector>
__nram__ float a[64], b[64];
__mlu_func__ float halfOf(float x) { return x * 0.5; }
__mlu_global__ void K(float *out) {
  double d = (double)out[0];
  std::vector<int> v;
  int *p = new int[3];
  void *q = malloc(3);
  try { throw 1; } catch (int) {}
  vv_float x;
  __vv_move(x, 1);
  out[0] = halfOf(1.0f);
}
void onHost() { double d = 1; std::vector<int> v; float *p = new float[3]; delete[] p; }
END
refuse "strict.mlu:3:"
has err "warning: a double operand (0.5 is one, 0.5f is not) on the device"
has err "strict.mlu:5:3: error: double on the device"
[ "$(grep -c strict.mlu:5: err)" = 1 ] || fail "a line with double is reported $(grep -c strict.mlu:5: err) times"
has err "strict.mlu:6:8: error: a container"
has err "strict.mlu:7:12: error: allocation on the device"
has err "strict.mlu:8:13: error: allocation on the device"
has err "strict.mlu:9:3: error: an exception on the device"
has err "strict.mlu:11:3: error: vector registers whose length is assumed"
has_not err "strict.mlu:14"

# Containers without "std::". A variable of the same name is not a container.
cat >strict.mlu <<'END'
#include <string>
#include <vector>
using namespace std;
__mlu_global__ void K(float *out, int list, int n) {
  vector<int> v;
  string text;
  if (list < n && n > 3) out[0] = 1;
}
END
refuse "strict.mlu:5:3: error: a container"
has err "strict.mlu:6:3: error: a container"
has_not err "strict.mlu:7"

# Constants without an f are only a warning, because kernels that run on cards have them.
echo '__mlu_global__ void K(float *out) { out[0] = out[0] * 0.5; }' >strict.mlu
run 0 "$CNCC" --bang-strict -c strict.mlu -o strict.o
has err "warning: a double operand (0.5 is one, 0.5f is not) on the device"
rm strict.o

cat >strict.mlu <<'END'
__nram__ float a[64], b[64];
__wram__ float w[64];
__mlu_device__ float global[64];
__mlu_global__ void K(float *out, const float *in, int n) {
  const float *row = in + n;
  float *own = (float *)a + 3;
  __bang_add(a, row + 2, b, 64);
  __bang_add(a, own, global, 64);
  __bang_add_scalar(a, a, in[0], 64);
  __memcpy(a, in, 64, NRAM2GDRAM);
  __memcpy(out, w, 64, NRAM2GDRAM);
  __memcpy(out, own, 64, NRAM2GDRAM);
}
void start(cnrtQueue_t queue, int m) {
  float host[4];
  float *heap = (float *)malloc(100), *device;
  cnrtMalloc((void **)&device, 100);
  cnrtDim3_t dim = {1, 1, 1};
  K<<<dim, cnrtFuncTypeBlock, queue>>>(host, heap, 3);
  K<<<dim, cnrtFuncTypeBlock, queue>>>(device, (float *)&m, m);
  K<<<dim, cnrtFuncTypeBlock, queue>>>(&host[1], heap + m, m);
  K<<<dim, cnrtFuncTypeBlock, queue>>>(&device[1], device + m, m);
}
END
refuse "strict.mlu:7:17: error: __bang_add computes in NRAM; operand 2 lies in GDRAM"
has err "strict.mlu:8:22: error: __bang_add computes in NRAM; operand 3 lies in GDRAM"
has err "strict.mlu:10:12: error: the direction NRAM2GDRAM does not fit: operand 1 lies in NRAM"
has err "strict.mlu:10:15: error: the direction NRAM2GDRAM does not fit: operand 2 lies in GDRAM"
has err "strict.mlu:11:17: error: the direction NRAM2GDRAM does not fit: operand 2 lies in WRAM"
has err "strict.mlu:19:40: error: argument 1 of the launch is memory of the host"
has err "strict.mlu:19:46: error: argument 2 of the launch is memory of the host"
has err "strict.mlu:20:48: error: argument 2 of the launch is memory of the host"
has err "strict.mlu:21:40: error: argument 1 of the launch is memory of the host"
has err "strict.mlu:21:50: error: argument 2 of the launch is memory of the host"
[ "$(grep -c . err)" = 10 ] || fail "$(grep -c . err) messages: $(cat err)"

# On-chip variables are counted per kernel, with those of the functions it calls.
cat >strict.mlu <<'END'
__nram__ char one[400 * 1024];
__nram__ char two[300 * 1024];
__mlu_func__ void both() { one[0] = two[0]; }
__mlu_global__ void small(float *out) { one[0] = 1; }
__mlu_global__ void large(float *out) { both(); }
END
refuse "strict.mlu:5:21: error: kernel 'large' takes 716800 bytes of NRAM (one 409600, two 307200), mtp_592 has 512 KB" --bang-mlu-arch=mtp_592
has_not err small
run 0 "$CNCC" --bang-strict --bang-mlu-arch=mtp_372 -fsyntax-only strict.mlu

# Calls whose length is known to be zero.
cat >strict.mlu <<'END'
__nram__ float a[64];
template <int N>
__mlu_func__ void fill(float *x) { __bang_write_value(x, N, 1.0f); }
__mlu_global__ void K(float *out, int n) {
  fill<0>(a);
  fill<4>(a);
  __bang_add(a, a, a, n);
  __memcpy(out, a, 0, NRAM2GDRAM);
}
END
refuse "strict.mlu:3:36: error: __bang_write_value of no elements"
has err "strict.mlu:8:3: error: __memcpy of no elements"
[ "$(grep -c . err)" = 2 ] || fail "$(grep -c . err) messages: $(cat err)"

finish

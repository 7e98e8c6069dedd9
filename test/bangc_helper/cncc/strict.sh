#!/bin/sh
# SPDX-License-Identifier: MIT
# --bang-strict: a call with public evidence compiles. Any other call is an error that names its line, its operand types
# and the nearest known call.
. "$(dirname "$0")/common.sh"

# refuse <text> [option]...: compiling strict.mlu must fail with that text in a message
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

# With g++, a survey without messages also serves as the syntax check. Messages never show the code of the survey.
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

# const, volatile and __restrict__ do not change the type of an operand.
cat >qualified.mlu <<'END'
__nram__ float a[64];
__mlu_func__ void twice(float *__restrict__ x, const float *const __restrict__ y, const volatile float *z) {
  __bang_add(x, y, (float *)z, 64);
}
__mlu_global__ void K() { twice(a, a, a); }
END
run 0 "$CNCC" --bang-strict -fsyntax-only qualified.mlu

# In a template, the types of the instantiation decide whether a call has evidence.
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

# bfloat16_t has evidence for later architectures only.
cat >strict.mlu <<'END'
__nram__ bfloat16_t a[64];
__mlu_global__ void K() { __bang_add(a, a, a, 64); }
END
run 0 "$CNCC" --bang-strict --bang-mlu-arch=mtp_592 -fsyntax-only strict.mlu
refuse "known: __bang_add(bfloat16_t*, bfloat16_t*, bfloat16_t*, int), for mtp_592 and later, not for mtp_372" --bang-mlu-arch=mtp_372

# So have calls that public kernels make only in branches for these architectures.
cat >strict.mlu <<'END'
__nram__ float a[64];
__nram__ uint32_t offsets[64];
__mlu_global__ void K(float *in) { __gather_async(a, in, offsets, 4, GDRAM2NRAM, 4, 64); }
END
run 0 "$CNCC" --bang-strict --bang-mlu-arch=mtp_592 -fsyntax-only strict.mlu
refuse ", for mtp_592 and later, not for mtp_372" --bang-mlu-arch=mtp_372
sed 's/__gather_async/__gather/' strict.mlu >s2 && mv s2 strict.mlu
run 0 "$CNCC" --bang-strict --bang-mlu-arch=mtp_372 -fsyntax-only strict.mlu

# A fill with a 64-bit value: it is unknown which overload it would choose.
cat >strict.mlu <<'END'
__mlu_global__ void K(int64_t *x) { __gdramset(x, 8, (int64_t)0); }
END
refuse "no public evidence for __gdramset(int64_t*, int32_t, int64_t)"

# ---- Other rules ----

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

# The same without "std::" and through aliases. A variable named "list" is no container, placement new no allocation.
cat >strict.mlu <<'END'
#include <string>
#include <vector>
using namespace std;
typedef std::vector<int> Numbers;
using Text = std::string;
__mlu_global__ void K(float *out, int list, int n) {
  vector<int> v;
  string text;
  if (list < n && n > 3) out[0] = 1;
  Numbers numbers;
  Text other;
  int *one = new (int);
  void *two = std::malloc(4), *three = ::calloc(1, 4);
  void *four = ::operator new(4);
  int *five = new (out) int;
}
END
refuse "strict.mlu:7:3: error: a container"
has err "strict.mlu:8:3: error: a container"
has err "strict.mlu:10:3: error: a container"
has err "strict.mlu:11:3: error: a container"
has err "strict.mlu:12:14: error: allocation on the device"
has err "strict.mlu:13:20: error: allocation on the device"
has err "strict.mlu:13:42: error: allocation on the device"
has err "strict.mlu:14:27: error: allocation on the device"
[ "$(grep -c . err)" = 8 ] || fail "$(grep -c . err) messages: $(cat err)"

# A constant without an f is only a warning, because kernels that run on cards have such constants.
echo '__mlu_global__ void K(float *out) { out[0] = out[0] * 0.5; }' >strict.mlu
run 0 "$CNCC" --bang-strict -c strict.mlu -o strict.o
has err "warning: a double operand (0.5 is one, 0.5f is not) on the device"
rm strict.o

# double without the word: through a template argument, a typedef, auto, a member or a function.
cat >strict.mlu <<'END'
#include <cmath>
typedef double Real;
struct Pair { double x, y; };
template <typename T>
__mlu_func__ T square(T x) { return x * x; }
template <typename T>
__mlu_func__ T larger(T a, T b) {
  return a > b ? a : b;
}
template <typename T = Real>
__mlu_func__ float cube(float x) {
  return (float)((T)x * (T)x * x);
}
template <typename T>
__mlu_global__ void Halve(T *x, int n) {
  for (int i = 0; i < n; ++i) x[i] /= 2;
}
__mlu_global__ void K(float *out, Pair pair, int n) {
  out[0] = square(1.0) + square(out[0]);
  out[1] = larger(1.0, 2.0) + cube(out[1]);
  Real real = out[2];
  auto half_of = 0.5;
  out[2] = -real;
  out[3] = half_of * 3;
  out[4] = pair.x + pair.y;
  out[5] = std::pow(2, n);
  auto third = [](auto x) { return x / 3; };
  out[6] = third(1.0);
  out[7] = n * 0.7;
}
void start(cnrtQueue_t queue, double *x) {
  cnrtDim3_t dim = {1, 1, 1};
  Halve<double><<<dim, cnrtFuncTypeBlock, queue>>>(x, 4);
}
END
refuse "strict.mlu:5:39: error: double '*' in 'square' on the device: a card has no such arithmetic"
has err "strict.mlu:8:12: error: double '>' in 'larger'"
has err "strict.mlu:12:23: error: double '*' in 'cube'"
has err "strict.mlu:16:36: error: double '/=' in 'Halve'"
has err "strict.mlu:23:12: error: double '-' in 'K'"
has err "strict.mlu:24:20: error: double '*' in 'K'"
has err "strict.mlu:25:19: error: double '+' in 'K'"
has err "strict.mlu:26:17: error: double 'pow' in 'K'"
has err "strict.mlu:27:38: error: double '/' in 'K'"
has err "strict.mlu:29:14: warning: a double operand"

# Legal code without a message: double on the host, templates without double, lengths checked by a condition.
cat >strict.mlu <<'END'
#include <cmath>
#include <vector>
struct Timer { double begin; double twice() const { return begin * 2.0; } };
template <typename T> T hostSquare(T x) { return x * x; }
template <typename T> __mlu_func__ T square(T x) { return x * x; }
template <typename T> __mlu_func__ T larger(T a, T b) { return a > (T)-1e6f && a > b ? a : b; }
template <int N> __mlu_func__ void fill(float *x) { if (N > 0) __bang_write_value(x, N, 1.0f); }
template <typename T> __mlu_global__ void Copy(T *dst, const T *src, int n) {
  for (int i = 0; i < n; ++i) dst[i] = src[i];
}
enum { WIDTH = 4 * 4 };
__nram__ float a[64], b[64];
__mlu_global__ void K(float *out, const float *in, int n) {
  const int rest = 128 % 64, whole = 128 / 64;
  if (rest > 0) __bang_add(a, a, a, rest);
  for (int i = 0; i < rest; i += 64) __bang_add(a, a, a, rest);
  float *p = n > 3 ? a : b, *q;
  q = a + 3;
  __bang_relu(p, q, n ? whole * 32 : 32);
  fill<0>(a);
  float s = square(in[0]) * -square(2.0f) + larger(1, n) - (float)(n - 1) * (in[1] + in[2]);
  for (const float *x = in; x < in + n && s < 100.0f; ++x) s += *x * *x;
  if (q == 0 || p != nullptr || q == NULL) *q = s;
  switch (n) { case WIDTH * 2: s /= 2; break; default: float *x = b; *x = s; }
  auto f = [&](float *x, int k) { return x[k] * x[k] + (unsigned)k * sizeof(float); };
  half h = (half)s;
  h = h * (half)2 + (half)f(a, n >> 1);
  int *words = (int *)out + n * 2, bounds[WIDTH * 2 + 1] = {n * n, -n};
  words[0] = bounds[0] * bounds[1] > 3 || (unsigned long long)n * n > 5;
  out[1] = __half2float(h) * fabsf(s) + std::sqrt(s);
  printf("%f\n", s);
}
void start(cnrtQueue_t queue, double *x, Timer t) {
  cnrtDim3_t dim = {1, 1, 1};
  std::vector<double> v(3, t.twice() * hostSquare(*x));
  Copy<double><<<dim, cnrtFuncTypeBlock, queue>>>(x, x, (int)(v[0] * 2.0));
}
END
run 0 "$CNCC" -v --bang-strict -fsyntax-only strict.mlu
grep -e ': error: ' -e ': warning: ' err && fail "a legal kernel is reported"
[ "$(grep -c -F survey.ii err)" = 1 ] || fail "the marks at operators do not compile"

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

# Pointers that arrive indirectly: through functions, ?:, assignments, casts, and other kinds of host memory.
cat >strict.mlu <<'END'
__nram__ float a[64], b[64];
__nram__ uint32_t offsets[64];
template <typename T>
__mlu_func__ void addTo(T *x, const T *y) { __bang_add(x, x, y, 64); }
__mlu_func__ void load(float *to, float *from) { __memcpy(to, from, 256, GDRAM2NRAM); }
__mlu_func__ void twice(float *x) { __bang_add(x, x, x, 64); }
__mlu_global__ void K(float *in, void *raw, float list[], int n) {
  addTo<float>(a, in + 64);
  load(in, a);
  twice(a);
  twice(in);
  __bang_relu(a, n ? in : b, 64);
  float *later;
  later = in;
  __bang_relu(a, later, 64);
  auto next = in + 4;
  __bang_relu(a, next, 64);
  __bang_relu(a, static_cast<float *>(raw), 64);
  __bang_relu(a, list, 64);
  __gather(a, in, offsets, 4, NRAM2NRAM, 4, 64);
}
float ofFile[16];
void show(float device[4]);
void start(cnrtQueue_t queue) {
  float local[4], *alias = local, *pinned, *device;
  cnrtHostMalloc((void **)&pinned, 64);
  cnrtMalloc((void **)&device, 64);
  cnrtDim3_t dim = {1, 1, 1};
  K<<<dim, cnrtFuncTypeBlock, queue>>>(ofFile, alias, pinned, 3);
  K<<<dim, cnrtFuncTypeBlock, queue>>>(device, device + 1, device, 3);
}
END
refuse "strict.mlu:4:62: error: __bang_add computes in NRAM; operand 3 lies in GDRAM"
has err "strict.mlu:5:59: error: the direction GDRAM2NRAM does not fit: operand 1 lies in GDRAM"
has err "strict.mlu:5:63: error: the direction GDRAM2NRAM does not fit: operand 2 lies in NRAM"
for line in 12 15 17 18 19; do
  has err "strict.mlu:$line:18: error: __bang_relu computes in NRAM; operand 2 lies in GDRAM"
done
has err "strict.mlu:20:15: error: the direction NRAM2NRAM does not fit: operand 2 lies in GDRAM"
for argument in 1 2 3; do has err "error: argument $argument of the launch is memory of the host"; done
[ "$(grep -c . err)" = 12 ] || fail "$(grep -c . err) messages: $(cat err)"

# On-chip memory is summed per kernel, including the variables of the functions it calls.
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

# A length that the compiler knows to be zero is an error.
cat >strict.mlu <<'END'
__nram__ float a[64];
template <int N>
__mlu_func__ void fill(float *x) { __bang_write_value(x, N, 1.0f); }
template <int N = 32>
__mlu_func__ void part(float *x) {
  const int parts = N / 64;
  __bang_relu(x, x, parts);
}
struct Sizes { static const int rest = 128 % 64; static constexpr int none() { return 0; } };
enum { NONE };
__mlu_global__ void K(float *out, int n) {
  const int named = 0;
  constexpr int constant = 0;
  fill<0>(a);
  fill<4>(a);
  part(a);
  __bang_add(a, a, a, n);
  __memcpy(out, a, 0, NRAM2GDRAM);
  __bang_add(a, a, a, named);
  __bang_add(a, a, a, constant);
  __bang_add(a, a, a, NONE);
  __bang_add(a, a, a, 0 * 64);
  __bang_add(a, a, a, Sizes::rest);
  __bang_add(a, a, a, Sizes::none());
  __bang_add(a, a, a, sizeof(a) / 1024);
  auto later = [&]() { __bang_add(a, a, a, named); };
  later();
}
END
refuse "strict.mlu:3:36: error: __bang_write_value of no elements"
has err "strict.mlu:7:3: error: __bang_relu of no elements"
has err "strict.mlu:18:3: error: __memcpy of no elements"
for line in 19 20 21 22 23 24 25; do has err "strict.mlu:$line:3: error: __bang_add of no elements"; done
has err "strict.mlu:26:24: error: __bang_add of no elements"
[ "$(grep -c . err)" = 11 ] || fail "$(grep -c . err) messages: $(cat err)"

finish

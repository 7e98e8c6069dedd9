#!/bin/sh
# SPDX-License-Identifier: MIT
# Options and inputs whose handling depends on the host compiler; driver.sh tests the others.
. "$(dirname "$0")/common.sh"

write_program

# Objects, assembly, preprocessing
run 0 "$CNCC" -c k.mlu -I "inc dir"
exists k.o
run 0 "$CNCC" -S k.mlu "-Iinc dir" -o k.s
has k.s kernel
run 0 "$CNCC" -E k.mlu "-Iinc dir"
has out "kernel<<<dim, cnrtFuncTypeBlock, queue>>>(x)"
run 0 "$CNCC" -E k.mlu "-Iinc dir" -o k.i
has k.i '"k.mlu"'
run 0 "$CNCC" -fsyntax-only k.mlu "-Iinc dir"
cp k.mlu other.suffix
run 0 "$CNCC" -x bang -c other.suffix -o other.o "-Iinc dir"
exists other.o
run 0 "$CNCC" -save-temps -c k.mlu "-Iinc dir"
exists k.ii
has k.lowered.ii "__bang_submit"
rm -f k.ii k.lowered.ii

# Each qualifier is a macro that expands to itself, in kernels and in host files that include bang.h
run 0 "$CNCC" -E -dM "-Iinc dir" k.mlu
sed -n 's/^#define \(__[a-z_]*__\) \1$/\1/p' out >qualifiers
for word in __mlu_global__ __mlu_entry__ __mlu_func__ __mlu_device__ __mlu_host__ __mlu_const__ __mlu_shared__ \
  __nram__ __wram__ __ldram__ __mlu_vector__ __mlu_builtin__ __mlu_simt__ __mlu_generic__; do
  has qualifiers $word
done
{
  echo '#include <bang.h>'
  sed 's/.*/#ifndef &\n#error "no &"\n#endif/' qualifiers
  echo "$(tr '\n' ' ' <qualifiers) int variable;"
} >qualified.cpp
run 0 "$CNCC" -std=c++17 -c qualified.cpp
{
  sed 's/.*/#ifndef &\n#define &\n#endif\n#define & &/' qualifiers
  echo '__mlu_func__ int three() { return 3; }'
  echo '__mlu_host__ int four() { return 4; }'
  echo '__mlu_host__ int five = 5;'
  echo '__mlu_global__ void kernel(int *x) { x[0] = three(); }'
} >guarded.mlu
run 0 "$CNCC" -Wall -Wextra -Werror -c guarded.mlu -save-temps
has guarded.lowered.ii "__bang_submit"

# Flags of the vendor's compiler and of the clang it is based on
run 0 "$CNCC" --no-neuware-version-check -mllvm --fmlu-memintr-warning=true -mllvm --fmlu-addrspace-warning \
  -Werror -Wdeprecated-declarations -Wall -std=c++17 -fPIC -pthread --neuware-path=/nowhere -O3 -DNDEBUG \
  --bang-mlu-arch=mtp_592 --bang-mlu-arch=mtp_613 --bang-mlu-arch=mtp_617 -fbang-instrument-kernels \
  -DMLUOP_BANG_PERF -Xbang-cnas -O1 --bang-device-only --bang-host-only --bang-compile-host-device \
  --bang-fatbin-only --bang-cnbin-only --bang-wram-align64 --cnas-path=/nowhere -fmlu-fast-math \
  --target=x86_64-linux-gnu -fcolor-diagnostics -ferror-limit=3 -Qunused-arguments -c k.mlu "-Iinc dir"
# Flags for instruction sets of x86-64 are accepted on other hosts
echo 'int main() { return 0; }' >host.cpp
run 0 "$CNCC" -mavx2 -mf16c -msse4.2 -mfma host.cpp -o host
for standard in c++11 gnu++14 c++17 gnu++20; do
  run 0 "$CNCC" -std=$standard -c k.mlu "-Iinc dir"
done
run 0 "$CNCC" -mllvm -enable-mlisa-sanitizer -Xbang-cnas -O1 -g -g3 -O0 -c k.mlu "-Iinc dir"
# A plain char is signed on every host, unless a flag changes it
run 0 "$CNCC" -E -dM "-Iinc dir" k.mlu
has_not out __CHAR_UNSIGNED__
run 0 "$CNCC" -E -dM "-Iinc dir" -funsigned-char k.mlu
has out __CHAR_UNSIGNED__
run 0 "$CNCC" -Xclang -disable-llvm-verifier -c k.mlu "-Iinc dir"

# A scalar loop in a function that is not inlined has forms for higher levels of the instruction set, where the compiler
# can do that; not without optimisation, nor in a function that calls vector functions or takes references
cat >loops.mlu <<'END'
__mlu_func__ __attribute__((noinline)) void loop(float *x, int n) {
  for (int i = 0; i < n; ++i) x[i] = x[i] * 2.0f + 1.0f;
}
__mlu_func__ __attribute__((noinline)) void vectors(float *x, int n) {
  for (int i = 0; i < n; i += 64) __bang_add_scalar(x + i, x + i, 1.0f, 64);
}
__mlu_func__ __attribute__((noinline)) void step(float &x, int n) {
  for (int i = 0; i < n; ++i) x = x * 2.0f + 1.0f;
}
__mlu_global__ void kernel(float *x, int n) {
  loop(x, n);
  vectors(x, n);
  step(*x, n);
}
END
for level in -O2 -O0; do
  run 0 "$CNCC" $level -E loops.mlu
  wanted=$(grep -c '^struct __bang_has_levels;' out)
  run 0 "$CNCC" $level -c loops.mlu
  nm loops.o >out
  [ "$(grep -c 'loop.*arch_x86_64_v4' out)" -eq "$wanted" ] || fail "levels with $level: wanted $wanted, got $(cat out)"
  has_not out 'vectors.*arch_x86_64'
  has_not out 'step.*arch_x86_64'
done
[ "$wanted" -eq 0 ] || fail "levels without optimisation"

# Several inputs, shared libraries, plain host sources
# shellcheck disable=SC2086
run 0 "$CNCC" ${CNCC_TEST_FLAGS:-} k.mlu main.cpp "-Iinc dir" -o program
$emulator ./program || fail "the program failed"
absent k-1.o
run 0 "$CNCC" --bang-device-only -O2 -c k.mlu "-Iinc dir" -o plain_k.o
# shellcheck disable=SC2086
run 0 ${CNCC_HOST_CXX:-c++} -shared plain_k.o -o libplain_k.so
# A library with kernels has no symbol of type "unique", which would keep dlclose from unloading it
cat >templates.mlu <<'END'
template <typename T> __mlu_global__ void templated(T *x) { x[0] = 1; }
template __mlu_global__ void templated<float>(float *);
const void *address() { return (const void *)templated<float>; }
END
run 0 "$CNCC" -shared templates.mlu -o libtemplates.so
nm -D libtemplates.so >symbols
has symbols templated
if grep ' u ' symbols; then fail "unique symbols"; fi
run 0 "$CNCC" -fPIC -shared k.mlu "-Iinc dir" -o libk.so
run 0 "$CNCC" --shared -fPIC k.mlu "-Iinc dir" -o libk2.so
# Files for cnModuleLoad need no main function.
run 0 "$CNCC" --bang-fatbin-only k.mlu "-Iinc dir" -o k.cnfatbin
run 0 "$CNCC" --bang-cnbin-only k.mlu "-Iinc dir" -o k.cnbin
# shellcheck disable=SC2086
run 0 "$CNCC" ${CNCC_TEST_FLAGS:-} main.cpp -L. -lk "-Wl,-rpath,$work" -o program2
$emulator ./program2 || fail "the program with a library failed"
echo 'int class = 3; int main(void) { return class - 3; }' >plain.c
run 0 "$CNCC" -std=c++17 plain.c -o plain
$emulator ./plain || fail "the C program failed"
case $(${CNCC_HOST_CXX:-c++} -dumpmachine) in
  x86_64*) cpu_options="-mavx2 -mf16c" ;;
  *) cpu_options="-march=armv8-a+crc" ;;
esac
run 0 "$CNCC" $cpu_options -std=c++17 -c main.cpp
exists main.o
run 0 "$CNCC" main.o k.o -o program3
run 1 "$CNCC" main.o k.o undefined.mlu -o program4
absent program4

finish

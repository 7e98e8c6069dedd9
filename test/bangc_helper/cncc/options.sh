#!/bin/sh
# SPDX-License-Identifier: MIT
# Command line handling.
. "$(dirname "$0")/common.sh"

cat >k.mlu <<'END'
#include "k.h"
__nram__ char buffer[64];
__mlu_global__ void kernel(int *x) { x[0] = VALUE + buffer[0]; }
void host_function(int *x, cnrtQueue_t queue) {
  cnrtDim3_t dim = {1, 1, 1};
  kernel<<<dim, cnrtFuncTypeBlock, queue>>>(x);
}
END
mkdir "inc dir"
echo '#define VALUE 3' >"inc dir/k.h"
cat >main.cpp <<'END'
#include <cnrt.h>
void host_function(int *x, cnrtQueue_t queue);
int main() { void (*f)(int *, cnrtQueue_t) = host_function; return f == nullptr; }
END

# Questions
run 0 "$CNCC" --version
head -1 out >line
grep -qE '^[^ ]+ v?[0-9]+(\.[0-9]+)+' line || fail "version line: $(cat line)"
run 0 "$CNCC" --help
for word in -c -S -E -o -shared -MD --bang-mlu-arch -Xbang-cnas -mllvm --neuware-path CNCC_HOST_CXX mtp_592; do
  has out "$word"
done
run 0 "$CNCC" -dumpmachine
run 1 "$CNCC"
has err "no input files"
run 1 "$CNCC" -c missing.mlu
has err "missing.mlu"
run 1 "$CNCC" missing.o -o program
has err "missing.o"
run 1 "$CNCC" -c k.mlu main.cpp -o both.o
has err "several outputs"
run 1 "$CNCC" -c k.mlu -o
has err "needs a value"
run 1 "$CNCC" -c k.mlu --bang-mlu-arch=mtp_999
has err "unknown MLU architecture 'mtp_999'"
run 1 "$CNCC" @nothing
has err "nothing"

# Architectures
run 0 "$CNCC" -E -dM -Iinc\ dir k.mlu
has out "#define __BANG__ 1"
has out "#define __BANG_ARCH__ 592"
has out "#define __MLU_NRAM_SIZE__ 512"
has out "#define __MLU_SRAM_SIZE__ 2048"
run 0 "$CNCC" -E -dM "-Iinc dir" k.mlu --bang-mlu-arch=mtp_372 --bang-mlu-arch=mtp_592
has out "#define __BANG_ARCH__ 372"
has out "#define __MLU_NRAM_SIZE__ 768"
has out "#define __MLU_WRAM_SIZE__ 1024"
for arch in 210 220 270 520 521; do # cards of a single core
  run 0 "$CNCC" -E -dM "-Iinc dir" k.mlu --bang-mlu-arch=tp_$arch
  has out "#define __BANG_ARCH__ $arch"
  has out "#define __MLU_SRAM_SIZE__ 0"
done
run 0 "$CNCC" -E -dM "-Iinc dir" k.mlu --bang-mlu-arch=MLU100 --bang-mlu-arch=MLU270
has out "#define __BANG_ARCH__ 100"
# KB of NRAM, WRAM and SRAM of the second generation
while read -r arch number nram wram sram; do
  run 0 "$CNCC" -E -dM "-Iinc dir" k.mlu --bang-mlu-arch=$arch
  has out "#define __BANG_ARCH__ $number"
  has out "#define __MLU_NRAM_SIZE__ $nram"
  has out "#define __MLU_WRAM_SIZE__ $wram"
  has out "#define __MLU_SRAM_SIZE__ $sram"
  run 0 "$CNCC" --help
  has out "$arch"
done <<'END'
tp_210 210 256 256 0
tp_220 220 512 512 0
tp_270 270 512 1024 0
mtp_220 220 512 512 2048
mtp_270 270 512 1024 2048
MLU200 270 512 1024 2048
MLU220 220 512 512 2048
END
run 0 "$CNCC" -E -dM "-Iinc dir" k.mlu --bang-arch=compute_20
has out "#define __BANG_ARCH__ 290"

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

# Dependencies: as a build tool reads them
run 0 "$CNCC" -MD -MF k.dep -MT "target" -c k.mlu "-Iinc dir"
has k.dep "target: k.mlu"
has k.dep 'inc\ dir/k.h'
has k.dep bang.h
run 0 "$CNCC" -MD -MF "k spaced.dep" -MQ "a target.o" -c k.mlu "-Iinc dir" -o "a target.o"
has "k spaced.dep" 'a\ target.o: k.mlu'
run 0 "$CNCC" -MMD -c k.mlu "-Iinc dir" -o "sub.o"
has sub.d "sub.o: k.mlu"
run 0 "$CNCC" -MM k.mlu "-Iinc dir"
has out 'inc\ dir/k.h'
has_not out stddef.h
has_not out 'inc\ dir/k.h:'
run 0 "$CNCC" -MM -MP k.mlu "-Iinc dir"
has out 'inc\ dir/k.h:'

# The qualifiers are macros that mean themselves; host files that see the language know the same ones
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

# The vendor's flags, and those of its clang
run 0 "$CNCC" --no-neuware-version-check -mllvm --fmlu-memintr-warning=true -mllvm --fmlu-addrspace-warning \
  -Werror -Wdeprecated-declarations -Wall -std=c++17 -fPIC -pthread --neuware-path=/nowhere -O3 -DNDEBUG \
  --bang-mlu-arch=mtp_592 --bang-mlu-arch=mtp_613 --bang-mlu-arch=mtp_617 -fbang-instrument-kernels \
  -DMLUOP_BANG_PERF -Xbang-cnas -O1 --bang-device-only --bang-host-only --bang-compile-host-device \
  --bang-fatbin-only --bang-cnbin-only --bang-wram-align64 --cnas-path=/nowhere -fmlu-fast-math \
  --target=x86_64-linux-gnu -fcolor-diagnostics -ferror-limit=3 -Qunused-arguments -c k.mlu "-Iinc dir"
# Instruction sets of x86-64 are no mistake on another host
echo 'int main() { return 0; }' >host.cpp
run 0 "$CNCC" -mavx2 -mf16c -msse4.2 -mfma host.cpp -o host
for standard in c++11 gnu++14 c++17 gnu++20; do
  run 0 "$CNCC" -std=$standard -c k.mlu "-Iinc dir"
done
run 0 "$CNCC" -mllvm -enable-mlisa-sanitizer -Xbang-cnas -O1 -g -g3 -O0 -c k.mlu "-Iinc dir"
# Characters are signed on every host, unless somebody wants them otherwise
run 0 "$CNCC" -E -dM "-Iinc dir" k.mlu
has_not out __CHAR_UNSIGNED__
run 0 "$CNCC" -E -dM "-Iinc dir" -funsigned-char k.mlu
has out __CHAR_UNSIGNED__
run 0 "$CNCC" -Xclang -disable-llvm-verifier -c k.mlu "-Iinc dir"

# Response files
cat >args <<'END'
-c k.mlu "-Iinc dir" -D'QUOTED=a b'
-o from\ file.o
END
run 0 "$CNCC" @args
exists "from file.o"

# Printing commands
rm -f k.o
run 0 "$CNCC" "-###" -c k.mlu "-Iinc dir"
has err "-D__BANG_ARCH__=592"
absent k.o
run 0 "$CNCC" -v -c k.mlu "-Iinc dir"
has err "lower "
exists k.o

# Several inputs, shared libraries, plain host sources
# shellcheck disable=SC2086
run 0 "$CNCC" ${CNCC_TEST_FLAGS:-} k.mlu main.cpp "-Iinc dir" -o program
$emulator ./program || fail "the program failed"
absent k-1.o
run 0 "$CNCC" --bang-device-only -O2 -c k.mlu "-Iinc dir" -o plain_k.o
# shellcheck disable=SC2086
run 0 ${CNCC_HOST_CXX:-c++} -shared plain_k.o -o libplain_k.so
# A library with kernels can be unloaded: nothing in it is unique in the process
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
# What cnModuleLoad loads: no main is wanted.
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

# A root that was moved, with spaces in its name
root=$(cd "$(dirname "$CNCC")/.." && pwd)
mkdir "moved root"
cp -R "$root/bin" "$root/include" "$root/lib64" "moved root/"
# shellcheck disable=SC2086
run 0 "moved root/bin/cncc" ${CNCC_TEST_FLAGS:-} k.mlu main.cpp "-Iinc dir" -o "moved program"
$emulator "./moved program" || fail "the program of the moved root failed"
run 0 "moved root/bin/cncc" -MD -MF moved.dep -c k.mlu "-Iinc dir"
has moved.dep 'moved\ root/include/bang.h'
ln -s "$work/moved root/bin/cncc" linked
run 0 ./linked -c k.mlu "-Iinc dir"

finish

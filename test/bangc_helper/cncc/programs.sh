#!/bin/sh
# SPDX-License-Identifier: MIT
# Builds and runs the programs in programs/. CNCC_TEST_FLAGS are the sanitizer flags that the runtime was built with.
. "$(dirname "$0")/common.sh"

src=$here/programs
flags="-Wall -Wextra -Werror -g1 ${CNCC_TEST_FLAGS:-}"
# Use only -O0 and -O2 besides these flags: each set of flags needs its own precompiled bang.h.

# check <name> <sources and flags...>: builds and runs the program <name>, which must print "passed"
check() {
  name=$1
  shift
  # shellcheck disable=SC2086
  run 0 "$CNCC" $flags "$@" -o "$name"
  [ -x "$name" ] || return
  # shellcheck disable=SC2086
  run 0 $emulator "./$name"
  has out passed
  [ $failures -eq 0 ] || cat out
}

for level in -O0 -O2; do
  for program in launches variables functions inline_asm; do
    check "$program" $level "$src/$program.mlu"
  done
done
# An integer division by zero is a fault on every CPU; with MLUOP_CPU_DIVISIONS=continue it gives a result and one
# warning. Skipped with the undefined behaviour sanitizer, which reports it first.
case ${CNCC_TEST_FLAGS:-} in
  *undefined*) ;;
  *)
    for level in -O0 -O2; do
      check divisions $level "$src/divisions.mlu"
      [ "$(grep -c 'integer division by zero' err)" -eq 8 ] || fail "divisions by zero were not all said: $(cat err)"
      run 0 env MLUOP_CPU_DIVISIONS=continue $emulator ./divisions continue
      has out passed
      [ "$(grep -c 'integer division by zero' err)" -eq 1 ] || fail "said once: $(cat err)"
      env MLUOP_CPU_FAULTS=off $emulator ./divisions >out 2>err && fail "a division by zero was passed over"
      has_not out passed
      # A shared library must not need a sanitizer's function, which no library would define.
      # shellcheck disable=SC2086
      run 0 "$CNCC" $flags $level -shared "$src/divisions.mlu" -o libdivisions.so
      nm -D libdivisions.so >out
      has_not out __ubsan
    done
    ;;
esac
check units -O2 "$src/units_main.mlu" "$src/units_other.mlu" "$src/units_host.cpp" "$src/units_c.c"

check halves -O2 "$src/halves.mlu" "$src/halves_host.cpp"
# shellcheck disable=SC2086
run 0 "$CNCC" $flags -std=c++11 -Wpedantic -c "$src/halves_host.cpp" -o halves_host.o

# The same units in a shared library, one of them compiled with hidden symbols
# shellcheck disable=SC2086
run 0 "$CNCC" $flags -O2 -fvisibility=hidden -c "$src/units_other.mlu" -o units_other.o
# shellcheck disable=SC2086
run 0 "$CNCC" $flags -O2 -Dmain=library_main -c "$src/units_main.mlu" -o library_main.o
echo 'int library_main(); int main() { return library_main(); }' >main.cpp
# shellcheck disable=SC2086
run 0 "$CNCC" $flags -shared -fPIC library_main.o units_other.o "$src/units_host.cpp" "$src/units_c.c" -o libunits.so
check from_library main.cpp -L. -lunits "-Wl,-rpath,$work"

# As in older build scripts: the kernels become assembly, cnas assembles it, and the host program is in C
# shellcheck disable=SC2086
run 0 "$CNCC" $flags -O2 -fPIC -S --bang-mlu-arch=MLU270 --bang-device-only "$src/plain_kernel.mlu" -o plain.s
run 0 "$(dirname "$CNCC")/cnas" -O2 --mcpu x86_64 -i plain.s -o plain.o
check plain "$src/plain_host.c" plain.o
run 1 "$(dirname "$CNCC")/cnas" -o nothing.o
has err "no input file"
# A C program can launch these kernels without --bang-device-only, too, if their unit launches none itself
# shellcheck disable=SC2086
run 0 "$CNCC" $flags -O0 -c "$src/plain_kernel.mlu" -o plain.o
check plain_without_flag "$src/plain_host.c" plain.o
# No kernel takes the C name of a library function, and kernels of a unit with launches have no C name at all
echo '__mlu_entry__ void div(int *x) { x[0] = 1; }' >named_div.mlu
# shellcheck disable=SC2086
run 0 "$CNCC" $flags -O0 -c named_div.mlu -o named_div.o
nm named_div.o >symbols
run 1 grep -q ' [TW] div$' symbols
cat "$src/plain_kernel.mlu" - >launching.mlu <<'END'
void start(cnrtDim3_t dim, cnrtQueue_t queue) { plainKernel<<<dim, cnrtFuncTypeBlock, queue>>>((float *)0); }
END
# shellcheck disable=SC2086
run 0 "$CNCC" $flags -O0 -c launching.mlu -o plain.o
run 1 "$CNCC" "$src/plain_host.c" plain.o -o plain

# All kernels share one NRAM, as on a card, so the memory of a thread does not grow with the number of linked kernels.
# The 200 units are copies of one assembly file with other symbol names.
cat >kernel_of_many.mlu <<'END'
__nram__ char buffer[480 * 1024];
__mlu_global__ void kernel_of_many(int *x) {
  buffer[sizeof(buffer) - 1] = x[0];
  x[0] = buffer[sizeof(buffer) - 1] + 1;
}
END
# shellcheck disable=SC2086
run 0 "$CNCC" ${CNCC_TEST_FLAGS:-} -O1 -fPIC -S kernel_of_many.mlu -o kernel_of_many.s
number=1000
while [ $number -lt 1200 ]; do
  sed "s/14kernel_of_many/19kernel_of_many_$number/g" kernel_of_many.s >of_many_$number.s
  number=$((number + 1))
done
${CNCC_HOST_CXX:-c++} -c of_many_*.s || fail "assembling 200 units"
# shellcheck disable=SC2086
run 0 "$CNCC" $flags -shared of_many_*.o -o libmany.so
# shellcheck disable=SC2086
check many -O2 "$src/many.mlu" -L. -lmany "-Wl,-rpath,$work"

# A write past an array stays inside NRAM or is a fault, which names the line if kernel code made it. The process
# continues. Skipped with the address sanitizer, which reports the write first.
case "${CNCC_TEST_FLAGS:-}" in
  *address*) ;;
  *)
    for level in -O0 -O2; do
      check past_the_end $level "$src/past_the_end.mlu"
      has err "bytes past the end of the core's NRAM; in past_the_end.mlu:26 "
      [ "$(grep -c "bytes past the end of the core's NRAM" err)" -eq 9 ] || fail "nine faults: $(cat err)"
    done
    ;;
esac

# A barrier in a Block launch waits for no other task. The runtime warns once, if there are other tasks
cat >alone.mlu <<'END'
#include <cstdio>
__mlu_global__ void alone() { __sync_cluster(); __sync_all(); }
int main(int count, char **) {
  cnrtQueue_t queue;
  cnrtDim3_t dim = {(unsigned)(count > 1 ? 4 : 1), 1, 1};
  cnrtQueueCreate(&queue);
  alone<<<dim, cnrtFuncTypeBlock, queue>>>();
  alone<<<dim, cnrtFuncTypeBlock, queue>>>();
  if (cnrtQueueSync(queue) == cnrtSuccess) puts("passed");
  return cnrtQueueDestroy(queue) != cnrtSuccess;
}
END
check alone -O0 alone.mlu
has_not err "waits for nobody"
run 0 $emulator ./alone several
has out passed
[ "$(grep -c 'kernel alone: __sync_cluster (alone.mlu:2) waits for nobody' err)" -eq 1 ] || fail "said once: $(cat err)"

# With a time limit, an endless kernel is a fault that names the line. Skipped with sanitizers, which use the signals.
if [ -z "${CNCC_TEST_FLAGS:-}" ]; then
  for level in -O0 -O2; do
    # shellcheck disable=SC2086
    run 0 "$CNCC" $flags $level "$src/endless.mlu" -o endless
    run 0 env MLUOP_CPU_TASK_LIMIT_MS=100 MLUOP_CPU_TOPOLOGY=1x4 $emulator ./endless
    has out passed
    for place in polls.*endless.mlu:11 polls_before_barrier.*endless.mlu:17 computes.*endless+0x; do
      grep -q "kernel $place" err || fail "no $place: $(cat err)"
    done
    [ "$(grep -c 'runs for more than 100 ms' err)" -eq 3 ] || fail "three faults: $(cat err)"
  done
fi

# A file of -include is read after bang.h, so it can use the language
echo '__mlu_func__ half forced(float x) { return (half)x; }' >forced.h
echo '__mlu_global__ void k(half *x) { x[0] = forced(2.0f); }' >uses_forced.mlu
# shellcheck disable=SC2086
run 0 "$CNCC" $flags -O0 -c -include forced.h uses_forced.mlu -o uses_forced.o

# Skipped with sanitizers, which handle the stack themselves, and with compilers that do not probe large frames
probe="${CNCC_HOST_CXX:-c++} -Werror -fstack-clash-protection -x c++ -c -o probe.o -"
if [ -z "${CNCC_TEST_FLAGS:-}" ] && echo 'int unused;' | $probe 2>/dev/null; then
  check deep -O2 "$src/deep.mlu"
  has err "stack overflow"
fi

# The address sanitizer finds accesses past on-chip variables
case "${CNCC_TEST_FLAGS:-}" in
  *address*)
    for level in -O0 -O2; do
      # The undefined behaviour sanitizer would report some of them first.
      check overrun $level -fno-sanitize=undefined "$src/overrun.mlu"
      for way in 1 2 3 4 5 6; do
        run 1 $emulator ./overrun $way
        has err "AddressSanitizer: use-after-poison"
      done
    done
    ;;
esac

finish

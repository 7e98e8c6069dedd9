#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: tools/ci_matrix.sh [full|quick] [PAIR...]
#
# Builds and tests every pair of a compiler (gcc, clang) and a build type (release, debug, asan, tsan), each in its own
# folder below build-matrix, and one pair for the other architecture: gcc-x86_64 on Arm, gcc-aarch64 on x86-64.
#   full    everything, for every pair
#   quick   the runtime, the compiler, one mover, one sum of rows, the sampling and multi-device operators and the test
#           framework: the parts where another compiler or a sanitizer is most likely to find an error
# PAIR, such as gcc-asan, names what to run; the default is all nine. A pair whose compiler or sanitizer library is not
# installed is skipped, and the table says why.
# The other architecture is cross-compiled and runs in qemu. It is the same in both modes: vector units for every
# instruction set that qemu has, copy engine, compiler, kernel variants, smoke cases of all operators.
#
# MLUOP_MATRIX_SECONDS (0: no limit) limits the total time: the first pair always runs, the next ones start only if a pair
# as long as the longest so far still fits. The first one is the other architecture or a sanitizer pair; the commit selects
# it, so a series of commits covers all of them. The table at the end names the pairs that did not run.
# MLUOP_MATRIX_PAIR_SECONDS (0: no limit) limits one pair's build; a build that exceeds it is reported but is no failure.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=$here/build-matrix
libraries=$folder/libraries # for the other architecture
mode=${1:-full}
shift || true
budget=${MLUOP_MATRIX_SECONDS:-0}
pair_limit=${MLUOP_MATRIX_PAIR_SECONDS:-0}
jobs=${BUILD_JOBS:-$(nproc)}

# Sanitizer pairs have even indices: a start at an even index runs one first.
turns=(gcc-asan clang-release gcc-tsan clang-debug clang-asan gcc-debug clang-tsan gcc-release)
case "$(uname -m)" in
    aarch64) other=x86_64 packages=amd64 ;;
    *) other=aarch64 packages=arm64 ;;
esac
cross=gcc-$other
all=("$cross" "${turns[@]}")

die() {
    echo "ci_matrix.sh: $*" >&2
    exit 2
}

case "$mode" in full | quick) ;; *) die "full or quick, not '$mode'" ;; esac
case "$budget$pair_limit" in *[!0-9]*) die "MLUOP_MATRIX_SECONDS and MLUOP_MATRIX_PAIR_SECONDS are numbers of seconds" ;; esac
for pair in "$@"; do
    case " ${all[*]} " in *" $pair "*) ;; *) die "no pair '$pair'; there are ${all[*]}" ;; esac
done

# describe PAIR: sets `cc`, `cxx`, the sanitizer's `flags` and CMake's `options`.
describe() {
    local type=Release
    flags=()
    case "$1" in
        "$cross") cc=$other-linux-gnu-gcc cxx=$other-linux-gnu-g++ ;;
        gcc-*) cc=gcc cxx=g++ ;;
        clang-*) cc=clang cxx=clang++ ;;
    esac
    options=(-DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx")
    case "$1" in
        "$cross")
            options=(-DCMAKE_TOOLCHAIN_FILE="$here/cmake/OtherArchitecture.cmake" -DMLUOP_OTHER_ROOT="$libraries")
            ;;
        *-debug) type=Debug ;;
        *-asan) options+=(-DMLUOP_BUILD_ASAN_CHECK=ON) flags=("-fsanitize=address,undefined") ;;
        *-tsan) options+=(-DMLUOP_BUILD_TSAN_CHECK=ON) flags=(-fsanitize=thread) ;;
    esac
    options+=(-DCMAKE_BUILD_TYPE="$type")
    ! command -v ninja >/dev/null 2>&1 || options+=(-G Ninja)
    ! command -v ccache >/dev/null 2>&1 || options+=(-DCMAKE_C_COMPILER_LAUNCHER=ccache -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
}

# can_run PAIR: fails if the pair cannot run, and stores the reason in `verdicts`.
can_run() {
    local cc cxx flags options reason
    describe "$1"
    if ! command -v "$cxx" >/dev/null 2>&1; then
        verdicts[$1]="not run: $cxx is not installed"
    elif ! echo 'int main() {}' | "$cxx" "${flags[@]}" -x c++ - -o "$folder/probe" 2>/dev/null; then
        verdicts[$1]="not run: $cxx has no library for ${flags[*]}"
    elif [ "$1" = "$cross" ] && ! command -v "qemu-$other" >/dev/null 2>&1; then
        verdicts[$1]="not run: qemu-$other is not installed"
    elif [ "$1" = "$cross" ] && ! reason=$("$here/tools/foreign_libraries.sh" "$packages" "$libraries"); then
        verdicts[$1]="not run: $reason"
    else
        return 0
    fi
    return 1
}

# choose_order [PAIR...]: sets `pairs` to the pairs that can run, `others` to those that cannot.
choose_order() {
    local pair plain=() order=("${all[@]}") commit start place
    if [ $# -gt 0 ]; then
        order=("$@")
    elif [ "$budget" -gt 0 ]; then
        commit=$(git -C "$here" rev-parse --short=7 HEAD 2>/dev/null) || commit=0
        start=$((16#${commit:0:7} % 4 * 2))
        order=("${turns[@]:start}" "${turns[@]:0:start}")
    fi
    pairs=() others=()
    for pair in "${order[@]}"; do
        if can_run "$pair"; then pairs+=("$pair"); else others+=("$pair"); fi
    done
    [ -n "${commit:-}" ] || return 0
    # If a compiler is missing, the first remaining pair may have no sanitizer.
    while [ "${#pairs[@]}" -gt 1 ]; do
        case "${pairs[0]}" in *-asan | *-tsan) break ;; esac
        plain+=("${pairs[0]}")
        pairs=("${pairs[@]:1}")
    done
    pairs+=("${plain[@]}")
    # The other architecture is first for every second of these commits, and else the second.
    place=$((16#${commit:0:7} / 4 % 2))
    if can_run "$cross"; then pairs=("${pairs[@]:0:place}" "$cross" "${pairs[@]:place}"); else others+=("$cross"); fi
    echo "-- the matrix has $budget s and begins, for commit $commit, with ${pairs[*]:0:2}"
}

# choose_parts PAIR: sets `configure`, `targets` and `tests` to what the pair builds and tests.
choose_parts() {
    configure=() targets=() tests=()
    if [ "$1" = "$cross" ]; then
        targets=(neuware mluop_gtest kernel_corpus test_copy_engine cncc_lower_test test/bangc_helper/bang/all)
        # qemu has no AVX-512.
        tests=(-R '^(bang_(elementwise|isas|math|tensor_unit|compare_bits|settings|functions).*|bangc_helper\.(copy_engine|corpus\.isa)\..*'
            -E avx512)
        tests[1]+='|cncc_(lower|programs_g..)|mluop_gtest\.isa_.*)$'
        tests+=(--timeout 600)
        return 0
    fi
    [ "$mode" = quick ] || return 0
    local operators="moe_dispatch_forward;moe_token_unpermute_with_routing_map;top_k_top_p_sample"
    operators+=";all_to_all_combine;all_to_all_dispatch"
    configure=(-DMLUOP_BUILD_SPECIFIC_OP="$operators" -DMLUOP_BUILD_SELFTEST=ON)
    targets=(neuware mluop_gtest samples/all test/bangc_helper/cnrt/all cncc_lower_test test/comm/all gtest_verdicts
        gtest_judge gtest_schema gtest_random)
    tests=(-R '^(cnrt_.*|cncc_lower|mluop_gtest\.(default_queue|threads_smoke)|gtest\.(verdicts|judge|schema|random)'
        -E 'valgrind|latency|mpi|sampling_loop')
    tests[1]+='|comm\.all_to_all_(failure_test.*|unmappable_test)|sample\..*)$'
    # The vector units take half of the time of a sanitizer build. All instruction sets share one source, so one is enough.
    [ ${#flags[@]} -eq 0 ] || configure+=(-DMLUOP_CPU_BASELINE_ONLY=ON)
    # Other builds with clang as their second compiler leave these out.
    [ ${#flags[@]} -gt 0 ] || tests[1]+='|^cncc_(options|diagnostics|precompiled)_clang..$'
    # Long enough for a busy machine: a test that exceeds it hangs.
    tests+=(--timeout 600)
}

# make_pair BUILD CONFIGURE_OPTION...: builds and tests. Returns 124 if the build exceeds its time limit.
make_pair() {
    local build=$1
    shift
    # timeout takes 0 as no limit, too.
    timeout "$pair_limit" cmake -S "$here" -B "$build" "$@" "${configure[@]}" || return
    timeout "$pair_limit" cmake --build "$build" --parallel "$jobs" ${targets:+--target "${targets[@]}"} || return
    ctest --test-dir "$build" --output-on-failure --parallel "$jobs" "${tests[@]}" || return 1
}

run_pair() {
    local cc cxx flags options verdict status=0 started=$SECONDS log="$folder/$mode-$1.log"
    if [ "$budget" -gt 0 ] && [ "$longest" -gt 0 ] && [ $((SECONDS + longest)) -gt "$budget" ]; then
        verdicts[$1]="not run: no time left, its turn comes with another commit"
        return
    fi
    describe "$1"
    choose_parts "$1"
    make_pair "$folder/$mode-$1" "${options[@]}" >"$log" 2>&1 || status=$?
    case "$status" in
        0) verdict=$(sed -n 's/^[0-9]*% tests passed.* out of \([0-9]*\)$/passed: \1 tests/p' "$log") ;;
        124) verdict="not finished: $pair_limit s were not enough to build it" ;;
        *) failed=1 verdict="FAILED, see $log"; tail -n 60 "$log" ;;
    esac
    verdicts[$1]=$verdict
    times[$1]=$((SECONDS - started))
    [ "${times[$1]}" -le "$longest" ] || longest=${times[$1]}
    echo "-- $1: $verdict (${times[$1]} s)"
}

declare -A verdicts times
failed=0 longest=0
mkdir -p "$folder"
choose_order "$@"
for pair in "${pairs[@]}"; do run_pair "$pair"; done

echo
printf '%-16s %8s  %s\n' pair seconds verdict
for pair in "${pairs[@]}" "${others[@]}"; do
    printf '%-16s %8s  %s\n' "$pair" "${times[$pair]:--}" "${verdicts[$pair]}"
done
exit $failed

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: tools/ci_matrix.sh [full|quick] [FOLDER]
#
# Builds and tests every pair of compiler (gcc, clang) and kind (release, debug, asan, tsan), each in a build folder
# below FOLDER (default: build-matrix). `quick` takes two operators and the tests that need no more; `full` takes all.
# A compiler that is not installed is skipped, and said so. MLUOP_MATRIX_SECONDS limits the time: what would start
# later is skipped, and said so; 0 means no limit.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
mode=${1:-full}
folder=${2:-$here/build-matrix}
limit=${MLUOP_MATRIX_SECONDS:-0}
jobs=${BUILD_JOBS:-$(nproc)}
case "$mode" in
    full) operators="" tests=() targets=() ;;
    quick)
        operators="moe_dispatch_forward;gather_in_ub"
        # Each pair runs the operators and the runtime's own tests.
        tests=(-R '^(mluop_gtest\.(cases|threads)|mluop_api_gtest|sample\..*|cnrt_.*)$'
            -E 'valgrind|latency')
        targets=(mluops mluop_gtest mluop_api_gtest samples/all test/bangc_helper/cnrt/all)
        ;;
    *) echo "usage: tools/ci_matrix.sh [full|quick] [FOLDER]" >&2; exit 2 ;;
esac

names=() verdicts=() times=()
failed=0
run_pair() {
    local compiler=$1 kind=$2 cc=$3 cxx=$4 started=$SECONDS verdict=passed
    local build="$folder/$compiler-$kind" log="$folder/$compiler-$kind.log" options=()
    names+=("$compiler $kind")
    if ! command -v "$cxx" >/dev/null 2>&1; then
        verdicts+=("skipped: $cxx is not installed") times+=(0)
        return
    fi
    if [ "$limit" -gt 0 ] && [ "$SECONDS" -ge "$limit" ]; then
        verdicts+=("skipped: more than $limit s have passed") times+=(0)
        return
    fi
    case "$kind" in
        release) options=(-DCMAKE_BUILD_TYPE=Release) ;;
        debug) options=(-DCMAKE_BUILD_TYPE=Debug) ;;
        asan) options=(-DCMAKE_BUILD_TYPE=Release -DMLUOP_BUILD_ASAN_CHECK=ON) ;;
        tsan) options=(-DCMAKE_BUILD_TYPE=Release -DMLUOP_BUILD_TSAN_CHECK=ON) ;;
    esac
    echo "-- $compiler $kind"
    {
        cmake -S "$here" -B "$build" -G Ninja -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" \
            -DMLUOP_BUILD_SPECIFIC_OP="$operators" "${options[@]}" &&
            ninja -C "$build" -j "$jobs" "${targets[@]}" &&
            ctest --test-dir "$build" --output-on-failure -j "$jobs" "${tests[@]}"
    } >"$log" 2>&1 || verdict="FAILED, see $log"
    [ "$verdict" = passed ] || { failed=1; tail -n 40 "$log"; }
    verdicts+=("$verdict") times+=($((SECONDS - started)))
}

mkdir -p "$folder"
# The pairs that differ most from the ordinary build come first.
for pair in "clang release" "gcc asan" "gcc tsan" "clang debug" "clang asan" "clang tsan" "gcc debug" "gcc release"; do
    set -- $pair
    case "$1" in gcc) run_pair gcc "$2" gcc g++ ;; clang) run_pair clang "$2" clang clang++ ;; esac
done

echo
printf '%-16s %8s  %s\n' pair seconds verdict
for i in "${!names[@]}"; do
    printf '%-16s %8s  %s\n' "${names[$i]}" "${times[$i]}" "${verdicts[$i]}"
done
exit $failed

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: ci_matrix_test.sh SOURCE WORK
# tools/ci_matrix.sh with fake compilers and tools: which pairs run, and how their results are reported.
set -euo pipefail
source=$1 work=$2
rm -rf "$work"
mkdir -p "$work/repo/tools" "$work/bin"
cp "$source/tools/ci_matrix.sh" "$work/repo/tools/"
printf '#!/bin/sh\n[ -z "$NO_PACKAGES" ] || { echo "the packages cannot be had"; exit 1; }\n' >"$work/repo/tools/foreign_libraries.sh"
chmod +x "$work/repo/tools/foreign_libraries.sh"
case "$(uname -m)" in aarch64) other=x86_64 ;; *) other=aarch64 ;; esac
git -C "$work/repo" init -q
commit() {
    git -C "$work/repo" -c user.name=a -c user.email=a@b -c core.hooksPath= commit -q --allow-empty -m "$1"
}
commit one

pretend() {
    printf '#!/bin/sh\n%s\n' "$2" >"$work/bin/$1"
    chmod +x "$work/bin/$1"
}
# The fake compilers read their input, as real ones do.
pretend g++ 'cat >/dev/null'
pretend clang++ 'cat >/dev/null; exit ${NO_CLANG_LIBRARIES:-0}'
pretend "$other-linux-gnu-g++" 'cat >/dev/null'
pretend "qemu-$other" ''
pretend cmake 'case "$*" in *--build*) sleep "${BUILD_TAKES:-0}" ;; esac'
pretend ctest 'echo "100% tests passed, 0 tests failed out of 7"; exit ${TESTS_END:-0}'

arguments=(quick)
# matrix WANTED_STATUS VARIABLE=VALUE...: runs ci_matrix.sh; its output is in $work/out.
matrix() {
    local wanted=$1 status=0
    shift
    env PATH="$work/bin:$PATH" "$@" "$work/repo/tools/ci_matrix.sh" "${arguments[@]}" >"$work/out" 2>&1 || status=$?
    [ "$status" -eq "$wanted" ] || fail "ended with $status instead of $wanted"
}
fail() {
    cat "$work/out"
    echo "FAIL: $*" >&2
    exit 1
}
# expect COUNT PATTERN: COUNT lines of the table must match.
expect() {
    local count
    count=$(sed -n '/^pair /,$p' "$work/out" | grep -cE "$2" || true)
    [ "$count" -eq "$1" ] || fail "$count lines match '$2' instead of $1"
}

matrix 0 MLUOP_MATRIX_SECONDS=0
expect 9 'passed: 7 tests$'

# If the other architecture is unavailable, a line says so, and nothing fails.
matrix 0 NO_PACKAGES=1
expect 8 'passed: 7 tests$'
expect 1 "^gcc-$other .*not run: the packages cannot be had"

# The matrix begins with the other architecture and a sanitizer pair, in this order or the other one, as the commit says.
# With no time left only the first one runs.
firsts=""
for i in $(seq 40); do
    matrix 0 MLUOP_MATRIX_SECONDS=1 BUILD_TAKES=1.1
    begin=$(sed -n 's/^-- the matrix .* with //p' "$work/out")
    first=${begin% *}
    case "$begin" in "gcc-$other "*-[at]san | *-[at]san" gcc-$other") ;; *) fail "began with $begin" ;; esac
    expect 1 "^$first .*passed: 7 tests$"
    expect 8 'not run: no time left'
    case " $firsts " in *" $first "*) ;; *) firsts="$firsts $first" ;; esac
    [ "$(echo "$firsts" | wc -w)" -lt 3 ] || break
    commit "$i"
done
[ "$(echo "$firsts" | wc -w)" -ge 3 ] || fail "forty commits all began with$firsts"

matrix 0 MLUOP_MATRIX_SECONDS=1 BUILD_TAKES=1.1 NO_CLANG_LIBRARIES=1
expect 1 "^gcc-(asan|tsan|$other) .*passed"
expect 4 '^clang-.*not run: clang\+\+ has no library'

matrix 1 TESTS_END=8
expect 9 'FAILED, see '
matrix 0 MLUOP_MATRIX_PAIR_SECONDS=1 BUILD_TAKES=3 MLUOP_MATRIX_SECONDS=1
expect 1 'not finished: 1 s were not enough'
arguments=(quick gcc-tsan) && matrix 0
expect 1 'passed'
arguments=(quick gcc-tsun) && matrix 2
arguments=(half) && matrix 2
arguments=(quick) && matrix 2 MLUOP_MATRIX_SECONDS=soon
echo "passed"

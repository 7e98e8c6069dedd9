#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: user_lists_test.sh SOURCE WORK
# Tests that install from the build folder restore the user's own install manifests, even those that a killed run had moved
# away.
set -euo pipefail
source=$1 work=$2
build=$work/build
rm -rf "$work"
mkdir -p "$build/neuware/include"
: >"$build/neuware/include/cnrt.h"
printf '%s\n' '```sh' "echo '$work/tests/home/made' >build/install_manifest.txt" '```' >"$work/document.md"

fail() {
    echo "FAIL: $*" >&2
    exit 1
}
# killed LIST: recreates the state after a killed run. LIST is in the build folder.
killed() {
    rm -rf "$work/tests" "$build"/install_*.txt
    mkdir -p "$work/tests/kept"
    echo /home/user/lib/libmluops.so >"$work/tests/kept/install_manifest.txt"
    echo "$1" >"$build/install_manifest.txt"
    echo "$work/tests/third" >"$build/install_folders.txt"
}
# gives_back LIST COMMAND...: LIST must be back in the build folder after the command.
gives_back() {
    local wanted=$1
    shift
    "$@" >"$work/log" 2>&1 || true
    [ "$(cat "$build/install_manifest.txt")" = "$wanted" ] || { cat "$work/log"; fail "$1 gave back another list"; }
    [ ! -e "$build/install_folders.txt" ] || fail "$1 left a list of its own"
}

snippets=("$source/test/docs/run_snippets.sh" "$work/document.md" "$source" "$build" "$work/tests")
# The build folder has nothing to install, so the test ends early.
install=("$source/test/install/install_test.sh" "$source" "$build" "$work/tests")
for test in snippets install; do
    declare -n command=$test
    killed "$work/tests/second/lib/libmluops.so"
    gives_back /home/user/lib/libmluops.so "${command[@]}"
    gives_back /home/user/lib/libmluops.so "${command[@]}"
    killed /home/user/newer/libmluops.so
    gives_back /home/user/newer/libmluops.so "${command[@]}"
done
"${snippets[@]}" >"$work/log" && grep -q '^PASS: 1 blocks' "$work/log" || fail "the document did not run"
rm -rf "$work"

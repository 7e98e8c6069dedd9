#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: minimal_root_test.sh SOURCE WORK GENERATOR [CMAKE_OPTION...]
# Adds a root as docs/porting.md describes, with only a folder and a name in the list, and runs the kernel corpus on it.
set -euo pipefail
source=$1 work=$2 generator=$3
shift 3
tree="$work/tree"
rm -rf "$tree"
mkdir -p "$tree"
for file in "$source"/*; do
    case "${file##*/}" in build* | bangc_helper) ;; *) ln -s "$file" "$tree/" ;; esac
done
cp -r "$source/bangc_helper" "$tree/"
cp -r "$source/test/roots/minimal" "$tree/bangc_helper/roots/"
sed 's/^    cpu$/&\n    minimal/' "$source/bangc_helper/roots/list.cmake" >"$tree/bangc_helper/roots/list.cmake"
[ "$(diff "$source/bangc_helper/roots/list.cmake" "$tree/bangc_helper/roots/list.cmake" | grep -c '^[<>]')" -eq 1 ]

cmake -G "$generator" -S "$tree" -B "$work/build" -DMLUOP_NEUWARE_TARGET=minimal -DMLUOP_CPU_BASELINE_ONLY=ON \
    -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 -DCMAKE_CXX_FLAGS_DEBUG=-O0 "$@" >"$work/configure.log" || { cat "$work/configure.log"; exit 1; }
cmake --build "$work/build" --target kernel_corpus >"$work/build.log" || { tail -40 "$work/build.log"; exit 1; }
"$work/build/neuware-minimal/bin/cncc" --version | grep -q 'BANG C for one core'
# This root copies synchronously, so the test of a missing sync does not apply.
"$work/build/test/kernel_corpus" -missing_sync

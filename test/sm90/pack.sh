#!/bin/sh
# SPDX-License-Identifier: MIT
# pack.sh <build folder> <target folder>: copies what runs on a machine with a GPU and nothing else - libraries, stripped
# programs, cases, run.sh - in the layout of the build folder.
set -eu
[ $# -eq 2 ] || { echo "usage: pack.sh <build folder> <target folder>" >&2; exit 2; }
here=$(cd "$(dirname "$0")" && pwd)
build=$(cd "$1" && pwd)
mkdir -p "$2"
target=$(cd "$2" && pwd)
limit_kb=65536

rm -rf "$target/lib" "$target/neuware-sm90" "$target/test" "$target/samples"
mkdir -p "$target/lib" "$target/neuware-sm90/lib64" "$target/test" "$target/samples"

# Libraries under their sonames; the rest of the root is needed only to compile.
cp -L "$build"/lib/libmluops*.so.[0-9] "$target/lib/"
cp -L "$build"/neuware-sm90/lib64/libcnrt.so.[0-9] "$build"/neuware-sm90/lib64/libcncl.so.[0-9] "$build"/neuware-sm90/lib64/libcudart.so.[0-9]* "$target/neuware-sm90/lib64/"
for program in mluop_gtest mluop_api_gtest cnrt_memory_test cnrt_queue_test cnrt_implicit_queue_test cnrt_capture_test cnrt_capture_refused_test cnrt_convert_test cnrt_cndev_test cnrt_ipc_test cnrt_ipc_notifier_test cncl_apart_test \
               all_to_all_matrix_test all_to_all_failure_own_mpi all_to_all_killed_test sm90_launch_test kernel_corpus \
               "$build"/test/bench_*; do
    program=$(basename "$program")
    [ ! -f "$build/test/$program" ] || cp "$build/test/$program" "$target/test/"
done
for module in "$build"/neuware-sm90/lib64/libcncl_mpi.so.[0-9]; do
    [ ! -f "$module" ] || cp -L "$module" "$target/neuware-sm90/lib64/"
done
cp "$here/../bangc_helper/cncl/mpi.sh" "$target/test/cncl_mpi.sh"
for sample in "$build"/samples/*; do
    [ ! -f "$sample" ] || [ ! -x "$sample" ] || cp "$sample" "$target/samples/"
done
strip "$target"/lib/* "$target"/neuware-sm90/lib64/libcn* "$target"/test/* "$target"/samples/* 2>/dev/null || true

zoo=$here/../mlu_op_gtest/pb_gtest/zoo
for cases in "$zoo"/*/test_case; do
    operator=$(basename "$(dirname "$cases")")
    mkdir -p "$target/test/zoo/$operator"
    cp -R "$cases" "$target/test/zoo/$operator/"
done
cp "$here/run.sh" "$target/"

size_kb=$(du -sk "$target" | cut -f1)
echo "$target: $size_kb KB"
[ "$size_kb" -le "$limit_kb" ] || { echo "pack.sh: more than $limit_kb KB" >&2; exit 1; }

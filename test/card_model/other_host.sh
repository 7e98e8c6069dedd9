#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: other_host.sh WORK BUILD NEUWARE CLANG
# Rows of the calibration take the same time, within 1 %, on another kind of processor. A cross compiler builds the runtime, clang the
# kernels; qemu runs them, and the times are compared with those of this build.
# Exit code 77: no cross compiler, no emulator, or no C++ headers for that processor.
set -euo pipefail
work=$1 build=$2 neuware=$3 clang=$4
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
case $(uname -m) in
    aarch64) other=x86_64 ;;
    *) other=aarch64 ;;
esac
triple=$other-linux-gnu
rm -rf "$work"
mkdir -p "$work/objects"
cd "$work"
for program in "$triple-gcc" "$triple-g++" "qemu-$other"; do
    command -v "$program" >/dev/null || { echo "no $program: nothing to compare with"; exit 77; }
done
printf '#!/bin/sh\nexec "%s" --target=%s "$@"\n' "$clang" "$triple" >clang
chmod +x clang
if ! echo '#include <tuple>' | ./clang -x c++ -fsyntax-only - 2>none; then
    echo "no headers for $triple: nothing to compare with"
    exit 77
fi

# Builds libcnrt with the compile commands of this build.
sed -n 's/^ *"command": "[^ ]* \(.*\/\(cnrt\|bang_vector_baseline\)\.dir\/.*\)",*$/\1/p' "$build/compile_commands.json" |
    sed "s/ -o [^ ]*/ /; s/ -O3 / -O1 /; s/ -g1 / /; s/-DBANG_VECTOR_[A-Z0-9]* //; s/ -include [^ ]*old_glibc[^ ]*//" | awk -v cc="$triple-gcc" '{ print cc, $0, "-o objects/" NR ".o" }' >commands
[ "$(wc -l <commands)" -gt 100 ] || { echo "FAIL: the build's commands are not those of libcnrt"; exit 1; }
xargs -P "${BUILD_JOBS:-2}" -d '\n' -n 1 sh -c <commands
"$triple-gcc" -shared -o libcnrt.so objects/*.o -lpthread -ldl -lm -lrt

# Builds the rows and the library that makes functions empty.
for kernel in "$here"/kernels/*.mlu; do
    printf '%s\n' "CNCC_HOST_CXX=$work/clang $neuware/bin/cncc --no-bang-strict -O2 -fPIC -c $kernel -o $(basename "$kernel" .mlu).o"
done | xargs -P "${BUILD_JOBS:-2}" -d '\n' -n 1 sh -c
"$triple-gcc" -O1 -I"$neuware/include" -I"$here" -c "$here/record_rows.c" -o record_rows.o
"$triple-g++" -o rows ./*.o -L. -lcnrt -Wl,-rpath,"$work"
"$triple-gcc" -O1 -shared -fPIC "$here/no_work.c" -o no_work.so

status=0
for row in prefix_sums running_products_41 softmax_exp columns_norm trace_float hard_tanh; do
    here_us=$(LD_PRELOAD=$build/test/card_model/libcard_no_work.so "$build/test/card_model/card_record_rows" "$row")
    there_us=$("qemu-$other" -L "/usr/$triple" -E LD_PRELOAD="$work/no_work.so" ./rows "$row")
    echo "$row: $here_us us here, $there_us on $other"
    awk -v a="$here_us" -v b="$there_us" 'BEGIN { d = a > b ? a - b : b - a; exit !(a > 0 && 100 * d < a) }' || status=1
done
[ "$status" -eq 0 ] || echo "FAIL: 1 % apart or more"
exit "$status"

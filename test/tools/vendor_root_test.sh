#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: vendor_root_test.sh SOURCE NEUWARE WORK GENERATOR
# Builds an operator with an existing Neuware root, from sources in a folder whose name has spaces. Checks that cncc gets the
# root's path, that warnings in the root's headers are no errors, that kernel symbols are not hidden, and that changing a
# header recompiles its kernels.
set -eu
source=$1 neuware=$2 work="$3 of a vendor" generator=$4
rm -rf "$work"
mkdir -p "$work/the sources"
for part in CMakeLists.txt bangc_helper cmake core kernels python samples mlu_op.h mlu_op_comm.h LICENSE; do
    cp -r "$source/$part" "$work/the sources/"
done

root=$3.root
rm -rf "$root"
mkdir -p "$root/bin"
cp -r "$neuware/include" "$root/include"
ln -s "$neuware/lib64" "$root/lib64"
printf '%s\n' '#ifndef UNUSED_OF_AN_SDK' '#define UNUSED_OF_AN_SDK' 'static int unused_function(void) { return 0; }' '#endif' \
    >>"$root/include/cnrt.h"
printf '#!/bin/sh\necho "$*" >>"%s"\nexec "%s" "$@"\n' "$work/calls" "$neuware/bin/cncc" >"$root/bin/cncc"
chmod +x "$root/bin/cncc"

fail() {
    echo "FAIL: $*" >&2
    exit 1
}
build() { cmake --build "$work/the build" >"$work/log" 2>&1 || { cat "$work/log"; fail "does not build"; }; }
kernels() { grep -c 'cncc .*\.mlu\.o' "$work/log" || true; }

cmake -S "$work/the sources" -B "$work/the build" -G "$generator" -DMLUOP_NEUWARE_HOME="$root" -DMLUOP_BUILD_GTEST=OFF \
    -DMLUOP_BUILD_SPECIFIC_OP=moe_dispatch_forward
build
first=$(kernels)
[ "$first" -gt 0 ] || fail "no kernel was compiled"
grep 'kernels/' "$work/calls" >"$work/kernel_calls"
for flag in "--neuware-path=$root" "-isystem $root/include"; do
    [ "$(grep -c -F -e "$flag" "$work/kernel_calls")" -eq "$first" ] || fail "not every kernel is compiled with $flag"
done
grep -q -e -fvisibility "$work/kernel_calls" && fail "symbols of kernels are hidden"
"$work/the build/samples/first_call"
build
[ "$(kernels)" -eq 0 ] || fail "kernels were compiled again though nothing changed"
touch "$work/the sources/kernels/kernel.h"
build
[ "$(kernels)" -eq "$first" ] || fail "kernel.h changed, and $(kernels) of $first kernels were compiled"
rm -rf "$work" "$root"

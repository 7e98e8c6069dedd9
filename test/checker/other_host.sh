#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: other_host.sh NEUWARE CHECKER_TEST OTHER WORK
# Defects are found and twins are silent on a processor of another kind: kernels by clang for that processor, the runtime that
# card_model/other_host.sh has built in the folder OTHER, both run by qemu.
# Exit code 77: there is no such runtime, as tools for it are missing.
set -eu
neuware=$1 checker_test=$2 other=$3 work=$4
source=$(cd "$(dirname "$0")" && pwd)/kernels/mixtures.mlu
[ -f "$other/libcnrt.so" ] || { echo "no runtime for another processor in $other"; exit 77; }
case $(uname -m) in
    aarch64) processor=x86_64 ;;
    *) processor=aarch64 ;;
esac
triple=$processor-linux-gnu
rm -rf "$work"
mkdir -p "$work"
cd "$work"
CNCC_HOST_CXX=$other/clang "$neuware/bin/cncc" --bang-strict -O2 -c "$source" -o mixtures.o
"$triple-g++" -o mixtures mixtures.o -L"$other" -lcnrt -Wl,-rpath,"$other"
printf '#!/bin/sh\nexec qemu-%s -L /usr/%s %s/mixtures "$@"\n' "$processor" "$triple" "$work" >program
chmod +x program
"$checker_test" "$work/program" "$source" "$work"

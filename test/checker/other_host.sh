#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: other_host.sh NEUWARE CHECKER_TEST OTHER WORK
# The checks on a processor of another kind: kernels are compiled for it by clang, the runtime is the one that
# card_model/other_host.sh has built in the folder OTHER, and qemu runs both.
# Exit code 77: there is no such runtime, as tools for it are missing.
set -eu
neuware=$1 checker_test=$2 other=$3 work=$4
here=$(cd "$(dirname "$0")" && pwd)
[ -f "$other/libcnrt.so" ] || { echo "no runtime for another processor in $other"; exit 77; }
case $(uname -m) in
    aarch64) processor=x86_64 ;;
    *) processor=aarch64 ;;
esac
triple=$processor-linux-gnu
rm -rf "$work"
mkdir -p "$work"
cd "$work"

# build SOURCE NAME: NAME runs the program under qemu.
build() {
    CNCC_HOST_CXX=$other/clang "$neuware/bin/cncc" --bang-strict -O2 -c "$1" -o "$2.o"
    "$triple-g++" -o "$2.program" "$2.o" -L"$other" -lcnrt -Wl,-rpath,"$other"
    printf '#!/bin/sh\nexec qemu-%s -L /usr/%s %s/%s.program "$@"\n' "$processor" "$triple" "$work" "$2" >"$2"
    chmod +x "$2"
}

# Defects are found, and kernels without them are silent.
for family in mixtures rules choices memory_scalar; do
    build "$here/kernels/$family.mlu" "$family"
    "$checker_test" "$work/$family" "$here/kernels/$family.mlu" "$work"
done

# Launches that were stopped leave nothing in the way of later ones.
build "$here/after_stop.mlu" after_stop
sh "$here/after_stop.sh" "$work/after_stop" "$work/after_stop.work"

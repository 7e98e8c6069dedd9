#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: one_form.sh WORK NEUWARE SOURCE CLANG
# Kernels cost the same in every build and on every host: scalar code costs the same with debug information, and less than
# 1 % more or less when compiled for another processor.
# Exit code 77: there are no headers for another processor.
set -eu
work=$1 neuware=$2 source=$3 clang=$4
case $(uname -m) in
aarch64) other=x86_64-linux-gnu ;;
*) other=aarch64-linux-gnu ;;
esac
rm -rf "$work"
mkdir -p "$work/here" "$work/there" "$work/debug"
printf '#!/bin/sh\nexec "%s" --target=%s "$@"\n' "$clang" "$other" >"$work/clang"
chmod +x "$work/clang"
if ! echo '#include <tuple>' | "$work/clang" -x c++ -fsyntax-only - 2>"$work/none"; then
    echo "no headers for $other: nothing to compare with"
    exit 77
fi
# costs FOLDER FILE OPTION...: the sum over the file's functions, in half cycles.
costs() {
    (
        cd "$work/$1"
        file=$2
        shift 2
        "$neuware/bin/cncc" "$@" -save-temps -O2 -std=c++17 -fPIC --bang-mlu-arch=mtp_372 -I"$source" -c "$source/$file" -o kernel.o
        name=$(basename "$file" .mlu)
        "$neuware/bin/bang-card" --include="$neuware/include" --architecture=372 --list=list "$name.bc" -o /dev/null
        # The function that starts a task is not part of a kernel.
        sed -n '/11__bang_task/!s/.* half_cycles=\([0-9]*\) .*/\1/p' list | awk '{ sum += $1 } END { print sum + 0 }'
    )
}
status=0
# Files whose kernels take structures by value.
for file in kernels/gather_in_ub/unit_gather.mlu kernels/all_to_all/exchange_kernels.mlu; do
    here=$(costs here "$file")
    there=$(CNCC_HOST_CXX=$work/clang costs there "$file")
    debug=$(costs debug "$file" -g)
    echo "$file: $here here, $debug with debug information, $there for $other"
    [ "$debug" -eq "$here" ] || status=1
    [ "$here" -gt 0 ] && [ $((100 * (here > there ? here - there : there - here))) -le "$here" ] || status=1
done
[ "$status" -eq 0 ] || echo "FAIL: other costs with debug information, or more than 1 % apart on the other processor"
exit "$status"

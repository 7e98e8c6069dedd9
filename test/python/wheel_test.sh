#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: wheel_test.sh PYTHON SOURCE BUILD WORK
# Makes the wheel, unpacks it elsewhere and runs the examples with nothing but it; then again through pip, if there.
set -euo pipefail
python=$1 source=$2 build=$3 work=$4
rm -rf "$work"
mkdir -p "$work/made" "$work/site" "$work/elsewhere"
export MLUOPS_LIBDIR="$build/lib" MLUOP_MIN_LOG_LEVEL=FATAL PYTHONDONTWRITEBYTECODE=1
unset LD_LIBRARY_PATH MLUOPS_LIBRARY

wheel=$("$python" "$source/python/mluops_build.py" "$work/made")
"$python" -m zipfile -e "$wheel" "$work/site"
cmp "$source/LICENSE" "$work"/site/mluops-*.dist-info/LICENSE
cp "$source/python/doctests.py" "$work/elsewhere/"
cd "$work/elsewhere"
PYTHONPATH="$work/site" "$python" doctests.py
loaded=$(PYTHONPATH="$work/site" "$python" -c 'import mluops; print(open("/proc/self/maps").read())' | grep -c "$work/site/mluops/" || true)
[ "$loaded" -gt 0 ] || { echo "FAIL: the wheel's own library was not loaded" >&2; exit 1; }

if "$python" -m pip --version >/dev/null 2>&1; then
    "$python" -m pip install --quiet --no-index --no-deps --target "$work/by_pip" "$source/python" 2>"$work/log" ||
        { cat "$work/log" >&2; exit 1; }
    PYTHONPATH="$work/by_pip" "$python" doctests.py
else
    echo "pip is not installed: only the wheel itself was tried"
fi

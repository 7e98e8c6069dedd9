#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: wheel_test.sh PYTHON SOURCE BUILD WORK
# Makes the wheel, unpacks it elsewhere and runs the examples with nothing else; then again through pip, if available.
set -euo pipefail
python=$1 source=$2 build=$3 work=$4
rm -rf "$work"
mkdir -p "$work/made" "$work/site" "$work/elsewhere"
export MLUOPS_LIBDIR="$build/lib" MLUOP_MIN_LOG_LEVEL=FATAL PYTHONDONTWRITEBYTECODE=1
unset LD_LIBRARY_PATH MLUOPS_LIBRARY

wheel=$("$python" "$source/python/mluops_build.py" "$work/made")
"$python" -m zipfile -e "$wheel" "$work/site"
# The tag promises what the symbols need, as another program than the builder finds them: glibc 2.28 or an earlier one. The
# headers of 2.38 and later ask for newer functions.
fail() { echo "FAIL: $wheel: $*" >&2; exit 1; }
case $wheel in *-py3-none-manylinux_2_[0-9]*_"$(uname -m)".whl) ;; *) fail "wanted a manylinux wheel" ;; esac
tagged=$(sed -E 's/.*manylinux_([0-9]+)_([0-9]+)_.*/\1.\2/' <<<"$wheel")
needed=$(find "$work/site/mluops" -name '*.so.*' -exec objdump -T {} + | sed -nE 's/.*GLIBC_([0-9.]+).*/\1/p' | sort -uV | tail -1)
[ "$tagged" = "$needed" ] || fail "its symbols need glibc $needed"
here=$(getconf GNU_LIBC_VERSION | cut -d' ' -f2)
is_older() { [ "$1" != "$2" ] && [ "$(printf '%s\n' "$1" "$2" | sort -V | head -1)" = "$1" ]; }
if is_older "$here" 2.38 && is_older 2.28 "$needed"; then fail "wanted glibc 2.28 or earlier to be enough"; fi
# All dependencies are inside or in glibc; sources and stubs are valid for Python 3.9.
"$python" - "$source" "$work/site/mluops" <<'EOF'
import ast, pathlib, sys
sys.path.insert(0, sys.argv[1] + "/python")
from mluops_build import GLIBC, Needs
site = pathlib.Path(sys.argv[2])
libraries = list((site / "lib").rglob("*.so.*")) + list((site / "neuware").rglob("*.so.*"))
inside = {path.name for path in libraries}
assert {"libmluops.so.1", "libmluops_comm.so.1", "libcnrt.so.6", "libcncl.so.1"} == inside, inside
for path in libraries:
    missing = [name for name in Needs(path.read_bytes()).libraries if name not in inside and not GLIBC.fullmatch(name)]
    assert not missing, (path, missing)
for path in (*site.rglob("*.py"), *site.rglob("*.pyi")):
    ast.parse(path.read_text(), feature_version=(3, 9))
assert (site / "py.typed").exists() and (site / "__init__.pyi").exists() and (site / "torch" / "__init__.pyi").exists()
EOF
cmp "$source/LICENSE" "$work"/site/mluops-*.dist-info/LICENSE
cp "$source/python/doctests.py" "$work/elsewhere/"
cd "$work/elsewhere"
PYTHONPATH="$work/site" "$python" doctests.py
# One wheel for all versions: also try the other Pythons here that have numpy.
for other in python3.9 python3.10 python3.11 python3.12 python3.13; do
    if PYTHONPATH="$work/site" "$other" -c 'import mluops, platform; print("also with", platform.python_version())' 2>/dev/null; then
        PYTHONPATH="$work/site" "$other" doctests.py
    fi
done
loaded=$(PYTHONPATH="$work/site" "$python" -c 'import mluops; print(open("/proc/self/maps").read())' | grep -c "$work/site/mluops/" || true)
[ "$loaded" -gt 0 ] || { echo "FAIL: the wheel's own library was not loaded" >&2; exit 1; }

if "$python" -m pip --version >/dev/null 2>&1; then
    "$python" -m pip install --quiet --no-index --no-deps --target "$work/by_pip" "$source/python" 2>"$work/log" ||
        { cat "$work/log" >&2; exit 1; }
    PYTHONPATH="$work/by_pip" "$python" doctests.py
else
    echo "pip is not installed: only the wheel itself was tried"
fi

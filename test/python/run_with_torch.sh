#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Runs the tests of the Python package that need third-party packages, in an environment created from PyPI.
# usage: run_with_torch.sh BUILD_FOLDER [VENV]     (VENV: by default BUILD_FOLDER/torch_venv; kept for the next time)
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# -ge 1 ] && [ $# -le 2 ] || { echo "usage: $0 BUILD_FOLDER [VENV]" >&2; exit 2; }
build=$(cd "$1" && pwd) venv=${2:-$1/torch_venv}
if [ ! -x "$venv/bin/python" ]; then
    python3 -m venv "$venv"
fi
for package in torch numpy transformers; do
    "$venv/bin/python" -c "import $package" 2>/dev/null || "$venv/bin/pip" install --quiet "$package" ||
        echo "$package cannot be had from PyPI here: what needs it is skipped"
done
export MLUOPS_LIBRARY="$build/lib/libmluops.so.1" PYTHONPATH="$here/../../python" PYTHONDONTWRITEBYTECODE=1
export MLUOP_MIN_LOG_LEVEL=FATAL
"$venv/bin/python" "$here/../../python/doctests.py"
for program in "$here"/torch*_test.py "$here"/../../samples/python/*.py; do
    "$venv/bin/python" "$program"
done

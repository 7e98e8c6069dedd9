#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Adds PyTorch's times to a report: creates an environment with PyTorch from PyPI, measures, and regenerates the pages.
# usage: run_rivals.sh BUILD_FOLDER REPORT_FOLDER
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# -eq 2 ] || { echo "usage: $0 BUILD_FOLDER REPORT_FOLDER" >&2; exit 2; }
build=$1 report=$2
[ -s "$report/report.json" ] || { echo "$0: no report.json in $report; run mluop_gtest --perf_acceptance first" >&2; exit 2; }
if [ ! -x "$build/rivals_venv/bin/python" ]; then
    python3 -m venv "$build/rivals_venv"
fi
"$build/rivals_venv/bin/python" -c 'import torch' 2>/dev/null || "$build/rivals_venv/bin/pip" install --quiet torch
"$build/rivals_venv/bin/python" "$here/rivals.py" --out "$report/rivals.json"
"$build/test/mluop_gtest" --perf_render="$report/report.json" --rivals="$report/rivals.json"

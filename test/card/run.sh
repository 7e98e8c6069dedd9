#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: test/card/run.sh BUILD
# The tests of the card root in its build folder: its own, and what shows that programs run on it as on the CPU.
set -euo pipefail
cd "$1"
ctest --no-tests=error --output-on-failure --parallel "$(nproc)" -L '^card$'

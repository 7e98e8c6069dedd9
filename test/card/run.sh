#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: test/card/run.sh BUILD
# The tests of the card root in its configured build folder: its own, and what shows that programs run on it as on the CPU.
# Builds what they need first.
set -euo pipefail
cmake --build "$1" --parallel "${BUILD_JOBS:-$(nproc)}" --target card_root_tests
cd "$1"
ctest --no-tests=error --output-on-failure --parallel "${BUILD_JOBS:-$(nproc)}" -L '^card$'

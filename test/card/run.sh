#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: test/card/run.sh BUILD
# Builds and runs the tests of the card root in its configured build folder: its own tests, and those that compare results
# with the CPU root's.
set -euo pipefail
cmake --build "$1" --parallel "${BUILD_JOBS:-$(nproc)}" --target card_root_tests
cd "$1"
ctest --no-tests=error --output-on-failure --parallel "${BUILD_JOBS:-$(nproc)}" -L '^card$'

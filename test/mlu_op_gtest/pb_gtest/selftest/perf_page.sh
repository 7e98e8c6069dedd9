#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Renders the report in a real browser: it must give a picture and log no errors.
# usage: perf_page.sh MLUOP_GTEST
set -euo pipefail

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$browser" ]; then
    echo "perf_page: no chromium here, the page was not looked at (apt-get install chromium)"
    exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for run in 1 2; do # the second run has a history to draw
    status=0
    "$1" --perf_acceptance="$folder" --perf_budget=1 --gtest_filter='*moe_dispatch_forward*samples_00288*' || status=$?
    # A case below the standard (1), or undecided beside other work (3), does not matter for the page.
    [ "$status" -le 1 ] || [ "$status" -eq 3 ]
done
grep -q '<h2>History</h2>' "$folder/report.html"

# Chromium needs a writable home; messages of the page go to the log.
HOME="$folder" timeout 60 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars \
    --user-data-dir="$folder/profile" --window-size=1100,1600 --enable-logging=stderr --v=0 \
    --screenshot="$folder/page.png" "file://$folder/report.html" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
size=$(stat -c %s "$folder/page.png")
echo "perf_page: a picture of $size bytes"
[ "$size" -gt 20000 ] # an empty page is smaller
if grep -E 'CONSOLE|Uncaught|ERR_' "$folder/log"; then
    echo "perf_page: the browser complains"
    exit 1
fi

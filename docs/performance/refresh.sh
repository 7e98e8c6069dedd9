#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the documents of a report of mluop_gtest --perf_acceptance: report.html and report.json here, ../performance.md,
# and, with chromium, the picture of the README. tools/report_age.sh adds how far the sources have gone since.
# usage: refresh.sh REPORT_FOLDER
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
[ $# -eq 1 ] && [ -s "$1/report.json" ] || { echo "usage: $0 REPORT_FOLDER (of mluop_gtest --perf_acceptance)" >&2; exit 2; }
cp "$1/report.html" "$here/report.html"
sed 's/"host_name": "[^"]*"/"host_name": "example"/' "$1/report.json" >"$here/report.json"
cp "$1/performance.md" "$here/../performance.md"
"$here/../../tools/report_age.sh"

browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
[ -n "$browser" ] || { echo "$0: no chromium, efficiency.png stays as it is" >&2; exit 0; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# The first picture of the page by itself, in its own size.
{
    echo '<!DOCTYPE html><meta charset="utf-8">'
    sed -n '/<style>/,/<\/style>/p' "$here/report.html"
    echo '<style>body{margin:12px}svg{margin:0}</style>'
    awk '/<svg / && !done { on = 1 } on { print } /<\/svg>/ { if (on) done = 1; on = 0 }' "$here/report.html"
} >"$folder/picture.html"
read -r width height < <(sed -n 's/.*<svg viewBox="0 0 \([0-9]*\) \([0-9]*\)".*/\1 \2/p' "$folder/picture.html")
HOME="$folder" "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --user-data-dir="$folder/profile" \
    --force-device-scale-factor=0.8 --window-size="$((width + 24)),$((height + 24))" \
    --screenshot="$folder/efficiency.png" "file://$folder/picture.html" >/dev/null 2>&1
mv "$folder/efficiency.png" "$here/efficiency.png"

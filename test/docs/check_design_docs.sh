#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: check_design_docs.sh SOURCE
# Checks that the design documents of all operators, and those of tools/new_op.sh, have the same sections.
set -euo pipefail
cd "$1"

wanted=$'## 1 Requirements\n## 2 Interface\n## 3 Implementation\n## 4 Cases'
measured=$'\n## 5 Measured' # if it has one
departures=$'\n## Departures'
checked=0
for document in docs/design_docs/*/*.md tools/new_op/*/design_doc.md; do
    sections=$(grep '^## ' "$document")
    before_departures=${sections%"$departures"}
    if [ "$before_departures" = "$sections" ] || [ "${before_departures%"$measured"}" != "$wanted" ]; then
        printf 'FAIL: %s has these sections:\n%s\n' "$document" "$sections" >&2
        exit 1
    fi
    checked=$((checked + 1))
done
echo "PASS: $checked documents"

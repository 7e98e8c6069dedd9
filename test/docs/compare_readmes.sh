#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: compare_readmes.sh SOURCE
# Checks that the two READMEs link to the same files, name the same operators and show the same code, so that neither
# becomes outdated.
set -euo pipefail
cd "$1"

# Links, pictures and names in backticks, without the link to the other language. Each README links to pages in its own
# language.
facts() { grep -oE '\]\([^)]*\)|`[a-z0-9_.]+`' "$1" | grep -vE 'README(_zh)?\.md' | sed 's/_zh\.md/.md/' | sort -u; }
if ! diff <(facts README.md) <(facts README_zh.md); then
    echo "FAIL: README.md (<) and README_zh.md (>) differ in the lines above" >&2
    exit 1
fi

# The fenced blocks without comments, which are in the language of the README.
code() { awk '/^```/ { print; inside = !inside; next } inside' "$1" | sed -E 's/(^|[[:space:]]+)#[[:space:]].*//'; }
if ! diff <(code README.md) <(code README_zh.md); then
    echo "FAIL: README.md (<) and README_zh.md (>) differ in the code above" >&2
    exit 1
fi

grep -oE '\]\([^)#:]*\)' README.md | sed 's/^](//; s/)$//' | while IFS= read -r file; do
    [ -e "$file" ] || { echo "FAIL: README.md leads to $file, which is not there" >&2; exit 1; }
done
echo "PASS"

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: compare_translations.sh SOURCE
# Checks that every page docs/NAME_zh.md matches docs/NAME.md: the same headings by level and number, the same code
# except comments, and the same names in backticks and links. Pages for beginners must have a translation. <!-- tables:
# NAME.md --> in a translation: tables are only in the English page.
set -euo pipefail
cd "$1/docs"
wanted=(user_guide add_an_operator troubleshooting architecture card_model checker)

# outside FILE / inside FILE: the text without, or only, the fenced blocks.
outside() { awk '/^```/ { inside = !inside; next } !inside' "$1"; }
inside() { awk '/^<!-- snippet: / || /^```/ { print } /^```/ { inside = !inside; next } inside' "$1"; }
# Levels, and numbers where there are any.
headings() { outside "$1" | grep -E '^#+ ' | sed -E 's/^(#+ ([0-9]+\.)?).*/\1/'; }
# Code without comments, which are in the page's language; lines with only a comment become empty.
code() { inside "$1" | sed -E 's://? ?\*[^*]*\*/::g; s:/\*[^*]*\*/::g; s/(^|[[:space:]]+)#[[:space:]].*//; s/[[:space:]]+$//' | grep -v '^$'; }
# Names and links, except the link to the page in the other language.
facts() {
    outside "$1" | { [ "$2" = all ] && cat || grep -v '^|'; } | grep -oE '`[^`]+`|\]\([^)#]+' |
        grep -vE "\]\(($3|$3_zh)\.md" | sed 's/_zh\.md/.md/' | sort -u
}
# same WHAT FUNCTION ARGUMENT...: compares the function's output for both pages.
same() {
    local what=$1 function=$2
    shift 2
    diff <("$function" "$name.md" "$@") <("$function" "${name}_zh.md" "$@") ||
        { echo "FAIL: docs/$name.md (<) and docs/${name}_zh.md (>) differ in their $what" >&2; exit 1; }
}

for name in "${wanted[@]}"; do
    [ -f "${name}_zh.md" ] || { echo "FAIL: there is no docs/${name}_zh.md" >&2; exit 1; }
done
checked=0
for page in *_zh.md; do
    name=${page%_zh.md}
    [ -f "$name.md" ] || { echo "FAIL: docs/$page has no docs/$name.md" >&2; exit 1; }
    same headings headings
    same code code
    tables=all
    ! grep -q "^<!-- tables: $name.md -->$" "$page" || tables=none
    same "names and links" facts "$tables" "$name"
    for one in "$name.md" "$page"; do
        grep -q "](${name}.md)\|](${name}_zh.md)" "$one" || { echo "FAIL: docs/$one does not lead to the other language" >&2; exit 1; }
    done
    checked=$((checked + 1))
done
echo "PASS: $checked pages"

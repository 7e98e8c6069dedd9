#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: compare_translations.sh SOURCE
# Every page docs/NAME_zh.md says what docs/NAME.md says: as many headings of the same levels and numbers, the same code but
# for its comments, and the same names between backticks and links. Pages for those who begin have a translation.
# <!-- tables: NAME.md --> in a translation: tables stand in the English page only.
set -euo pipefail
cd "$1/docs"
wanted=(user_guide add_an_operator troubleshooting architecture card_model checker)

# outside FILE / inside FILE: the text without, or only, the fenced blocks.
outside() { awk '/^```/ { inside = !inside; next } !inside' "$1"; }
inside() { awk '/^<!-- snippet: / || /^```/ { print } /^```/ { inside = !inside; next } inside' "$1"; }
# Levels, and the number of those that have one.
headings() { outside "$1" | grep -E '^#+ ' | sed -E 's/^(#+ ([0-9]+\.)?).*/\1/'; }
# Code without comments, which are in the language of the page; of whole lines nothing is left.
code() { inside "$1" | sed -E 's://? ?\*[^*]*\*/::g; s:/\*[^*]*\*/::g; s/(^|[[:space:]]+)#[[:space:]].*//; s/[[:space:]]+$//' | grep -v '^$'; }
# Names and links, without those to the page in the other language.
facts() {
    outside "$1" | { [ "$2" = all ] && cat || grep -v '^|'; } | grep -oE '`[^`]+`|\]\([^)#]+' |
        grep -vE "\]\(($3|$3_zh)\.md" | sed 's/_zh\.md/.md/' | sort -u
}
# same WHAT FUNCTION ARGUMENT...: of both pages.
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

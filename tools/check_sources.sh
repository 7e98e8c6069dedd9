#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: tools/check_sources.sh [FILE...]
# Checks the form of the given files, or of all files of the repository: licence line, whitespace, words that have no
# place in sources, formatting (when clang-format is installed; kernels are left to their authors, as it does not know
# <<<...>>>). Needs no network.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

problems=0
problem() {
    echo "$*" >&2
    problems=$((problems + 1))
}

if [ $# -eq 0 ]; then
    if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        mapfile -d '' files < <(git ls-files -z)
    else
        mapfile -d '' files < <(find . -type f ! -path './build*' ! -path './.git/*' -printf '%P\0')
    fi
else
    files=("$@")
fi

formatter=$(command -v clang-format || true)
to_format=()
for file in "${files[@]}"; do
    [ -f "$file" ] || continue
    case "$file" in
        *.c | *.h | *.cc | *.cpp | *.mlu | *.mluh | *.cu | *.cuh | *.sh | *.py | *.cmake | CMakeLists.txt | */CMakeLists.txt)
            head -n 5 "$file" | grep -q 'SPDX-License-Identifier: MIT' || problem "$file: no SPDX-License-Identifier in the first lines"
            ;;
        *.md | *.prototxt | *.inc | *.def | *.proto) ;;
        *) continue ;;
    esac
    case "$file" in
        *.md) ;; # two spaces at the end of a line mean something there
        *) ! grep -nE '[[:space:]]+$' "$file" /dev/null >&2 || problem "$file: whitespace at the end of lines" ;;
    esac
    case "$file" in
        *.mlu | *.mluh | *.c | *.h | *.cc | *.cpp)
            ! grep -nE '\b(TODO|FIXME|XXX)\b' "$file" /dev/null >&2 || problem "$file: finish it instead of marking it"
            ;;
    esac
    case "$file" in *.c | *.h | *.cc | *.cpp) to_format+=("$file") ;; esac
done

if [ -n "$formatter" ] && [ ${#to_format[@]} -gt 0 ]; then
    "$formatter" --dry-run --Werror "${to_format[@]}" || problem "clang-format -i the files above"
fi
[ -n "$formatter" ] || echo "clang-format is not installed: the formatting was not checked"
if [ "$problems" -gt 0 ]; then
    echo "$problems problems" >&2
    exit 1
fi
echo "${#files[@]} files checked"

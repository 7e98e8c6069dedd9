#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: tools/check_sources.sh [FILE...]
# Checks the given files, or all files of the repository, tracked or not: licence line, whitespace, words that do not belong
# in sources, private words for common things, and, if clang-format is installed, formatting. Kernels are not checked for
# formatting, because clang-format does not know <<<...>>>. Without arguments it also checks includes
# (tools/check_includes.sh). Needs no network.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

problems=0
problem() {
    echo "$*" >&2
    problems=$((problems + 1))
}

if [ $# -eq 0 ]; then
    if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
        mapfile -d '' files < <(git ls-files -z --cached --others --exclude-standard)
    else
        mapfile -d '' files < <(find . -type f ! -path './build*' ! -path './.git/*' -printf '%P\0')
    fi
else
    files=("$@")
fi

licensed=() clean=() finished=() to_format=() worded=()
for file in "${files[@]}"; do
    [ -f "$file" ] || continue
    case "$file" in
        *.c | *.h | *.cc | *.cpp | *.mlu | *.mluh | *.cu | *.cuh)
            licensed+=("$file") clean+=("$file") finished+=("$file")
            ;;
        *.sh | *.py | *.cmake | CMakeLists.txt | */CMakeLists.txt | *.def | *.proto)
            licensed+=("$file") clean+=("$file")
            ;;
        *.prototxt | *.inc) clean+=("$file") ;;
    esac
    case "$file" in *.c | *.h | *.cc | *.cpp) to_format+=("$file") ;; esac
    case "$file" in *.c | *.h | *.cc | *.cpp | *.mlu | *.mluh) worded+=("$file") ;; esac
done

# look MESSAGE PATTERN FILE...: reports every line that matches.
look() {
    local message=$1 pattern=$2
    shift 2
    [ $# -eq 0 ] || ! printf '%s\0' "$@" | xargs -0 grep -nE "$pattern" /dev/null >&2 || problem "the lines above: $message"
}
if [ ${#licensed[@]} -gt 0 ]; then
    missing=$(printf '%s\0' "${licensed[@]}" | xargs -0 awk '
        FNR <= 3 && /SPDX-License-Identifier: MIT/ { found[FILENAME] = 1 }
        END { for (i = 1; i < ARGC; ++i) if (!found[ARGV[i]]) print ARGV[i] }')
    [ -z "$missing" ] || problem "no SPDX-License-Identifier in the first three lines of:" $missing
fi
look "whitespace at the end" '[[:space:]]+$' "${clean[@]}"
look "finish it instead of marking it" '\b(TODO|FIXME|XXX)\b' "${finished[@]}"

look "limits are called MAX_ and MIN_" '\b(MOST|LEAST)_[A-Z]|[A-Z]_(MOST|LEAST)\b' "${worded[@]}"
look "the usual words are thread, CPU, in flight" '\b(rt_)?(crew|seat)s?(_[a-z_]*)?\b|\bunder_way\b' "${worded[@]}"

formatter=$(command -v clang-format || true)
if [ -n "$formatter" ] && [ ${#to_format[@]} -gt 0 ]; then
    "$formatter" --dry-run --Werror "${to_format[@]}" || problem "clang-format -i the files above"
fi
if [ $# -eq 0 ] && [ -x tools/check_includes.sh ]; then
    tools/check_includes.sh || problem "the lines above: see tools/check_includes.sh"
fi
[ -n "$formatter" ] || echo "clang-format is not installed: the formatting was not checked"
if [ "$problems" -gt 0 ]; then
    echo "$problems problems" >&2
    exit 1
fi
echo "${#files[@]} files checked"

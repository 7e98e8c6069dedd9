#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: check_paths.sh SOURCE DOCUMENT...
# Checks that every path a document names in backticks, and every file it links to, exists: relative to the top or to
# the document's folder. Names without a '/' are not checked, nor are names of files in a root.
set -euo pipefail
source=$1
shift
cd "$source"
missing=0 seen=0
for document; do
    folder=$(dirname "$document")
    while read -r path; do
        case "$path" in *'<'* | *'*'* | *' '* | http* | bin/* | lib64/* | include/ | cmake/) continue ;; esac
        seen=$((seen + 1))
        [ -e "$path" ] || [ -e "$folder/$path" ] || { echo "$document: there is no $path"; missing=$((missing + 1)); }
    done < <(grep -oE '`[A-Za-z0-9_.<>*-]+(/[A-Za-z0-9_.<>*-]*)+`|\]\([^)#]+' "$document" |
        sed -e 's/`//g' -e 's/^\](//' | sort -u)
done
[ "$seen" -gt 20 ] || { echo "found only $seen paths"; exit 1; }
[ "$missing" -eq 0 ]
echo "$seen paths"

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: operators_alone_test.sh SOURCE BUILD
# Every operator can be built alone (MLUOP_BUILD_SPECIFIC_OP): an object file below kernels/ uses nothing that is defined
# in the folder of another operator. Compared are the symbols of the library's object files.
set -euo pipefail
source=$(cd "$1" && pwd) build=$2
mapfile -t folders < <(sed -nE 's/^MLUOP_(COMM_)?OP\(([a-z0-9_]+), ([a-z0-9_.]+)\)$/\3\/\2/p' "$source/core/op_list.inc" | sed 's|^\./||')
[ ${#folders[@]} -gt 10 ] || { echo "core/op_list.inc was not understood: ${#folders[@]} operators"; exit 1; }

# The operator that a source file belongs to; nothing if a family or all operators share it.
operator_of() {
    local folder best=
    for folder in "${folders[@]}"; do
        case "$1" in "$folder"/*) [ ${#folder} -le ${#best} ] || best=$folder ;; esac
    done
    # An operator that is also its family's folder: files directly in it belong to the family.
    for folder in "${folders[@]}"; do
        case "$folder" in "$best"/*) best= ;; esac
    done
    echo "$best"
}

facts=$(cd "$build/kernels" && find . -name '*.o' -not -path './CMakeFiles/*_static.dir/*' | while read -r object; do
    file=$(echo "${object%.o}" | sed -E 's|^\./(CMakeFiles/[^/]*/)?||')
    [ -f "$source/kernels/$file" ] || continue # left by a file that was moved
    operator=$(operator_of "$file")
    nm "$object" | awk -v object="$object" -v operator="${operator:--}" '
        $1 == "U" { print "uses", $2, operator, object; next }
        $2 ~ /[TDBR]/ { print "defines", $3, operator, object }'
done)
objects=$(echo "$facts" | awk '{ seen[$4] } END { print length(seen) }')
[ "$objects" -ge ${#folders[@]} ] || { echo "only $objects object files in $build/kernels"; exit 1; }

problems=$(echo "$facts" | awk '
    $1 == "defines" && $3 != "-" { owner[$2] = $3 }
    $1 == "uses" { name[++uses] = $2; user[uses] = $3; file[uses] = $4 }
    END {
        for (i = 1; i <= uses; ++i) {
            if (name[i] in owner && owner[name[i]] != user[i]) print file[i] " uses " name[i] " of " owner[name[i]]
        }
    }')
[ -z "$problems" ] || { echo "$problems"; exit 1; }
echo "$objects object files of ${#folders[@]} operators use nothing of another operator"

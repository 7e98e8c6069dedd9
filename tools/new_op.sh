#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: tools/new_op.sh [--kind=elementwise|reduction|mover] NAME
#
# Creates the files of a new operator: kernel, declaration in mlu_op.h, line in the registry, entry in the case schema if it
# has scalars, reference, executor, cases, argument test and design document. The result builds and passes its tests:
#   elementwise  multiplies every element by a factor (the default)
#   reduction    takes the largest element of every row; the result has a data type of its own
#   mover        copies rows by their indices, bit by bit
# docs/add_an_operator.md describes how to turn it into an operator of your own.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
header=$here/mlu_op.h
registry=$here/core/op_list.inc
zoo=$here/test/mlu_op_gtest/pb_gtest/zoo
schema=$here/test/mlu_op_gtest/pb_gtest/schema/mlu_op_test.proto

die() {
    echo "new_op.sh: $*" >&2
    exit 1
}

kind=elementwise
case "${1:-}" in --kind=*) kind=${1#--kind=}; shift ;; esac
templates=$here/tools/new_op/$kind
[[ "$kind" =~ ^[a-z]+$ ]] && [ -d "$templates" ] || die "'$kind' is no kind: elementwise, reduction or mover"
[ $# -eq 1 ] || die "usage: tools/new_op.sh [--kind=elementwise|reduction|mover] NAME, for example tools/new_op.sh leaky_relu"
name=$1
[[ "$name" =~ ^[a-z][a-z0-9]*(_[a-z0-9]+)*$ ]] ||
    die "'$name' is no operator name: lower-case words of letters and digits with single underscores between them"
! grep -qE "^MLUOP_OP\($name," "$registry" || die "$registry has an operator '$name' already"
camel=$(sed -E 's/(^|_)([a-z0-9])/\U\2/g' <<<"$name")
upper=${name^^}
! grep -q "mluOp$camel(" "$header" || die "$header declares mluOp$camel already"
for folder in "$here/kernels/$name" "$zoo/$name" "$here/docs/design_docs/$name"; do
    [ ! -e "$folder" ] || die "$folder is there already"
done

# fill TEMPLATE: prints the template with this operator's names.
fill() { sed -e "s/my_op/$name/g; s/MyOp/$camel/g; s/MY_OP/$upper/g" "$templates/$1"; }

# make TEMPLATE FILE: creates a file in the tree.
make() {
    mkdir -p "$(dirname "$here/$2")"
    fill "$1" >"$here/$2"
    echo "new     $2"
}

# edit FILE AWK: replaces a file of the tree with the program's output.
edit() {
    # Passed through the environment, because awk would interpret backslashes in a -v value.
    block=$(fill "${3:-header_block.inc}") awk -v name="$name" -v camel="$camel" "$2" "$1" >"$1.new"
    cat "$1.new" >"$1"
    rm "$1.new"
    echo "edited  ${1#"$here"/}"
}

test=test/mlu_op_gtest
make my_op.h "kernels/$name/$name.h"
make my_op.c "kernels/$name/$name.c"
make my_op.mlu "kernels/$name/$name.mlu"
make my_op_ref.h "$test/pb_gtest/zoo/$name/${name}_ref.h"
make my_op_ref.c "$test/pb_gtest/zoo/$name/${name}_ref.c"
make executor.c "$test/pb_gtest/zoo/$name/$name.c"
for file in "$templates"/test_case/*/*.prototxt; do
    make "${file#"$templates/"}" "$test/pb_gtest/zoo/$name/${file#"$templates/"}"
done
make my_op_test.cpp "$test/api_gtest/$name/${name}_test.cpp"
make design_doc.md "docs/design_docs/$name/$name.md"

# The line goes after the last single-device operator.
edit "$registry" '
    { lines[NR] = $0 }
    /^MLUOP_OP\(/ { last = NR }
    END { for (i = 1; i <= NR; ++i) { print lines[i]; if (i == last) print "MLUOP_OP(" name ", .)" } }'
# The declaration goes before the end of the header's declarations.
edit "$header" '
    { lines[NR] = $0 }
    /^#pragma GCC visibility pop/ { last = NR - 1 }
    END { for (i = 1; i <= NR; ++i) { if (i == last) print ENVIRON["block"] "\n"; print lines[i] } }'
# Scalars: the message goes before Node; its field goes to the end of Node with the next free number.
[ ! -f "$templates/schema_message.inc" ] || edit "$schema" '
    /^message Node / { print ENVIRON["block"] "\n" }
    match($0, /= 73[0-9][0-9][0-9][0-9][0-9][0-9];/) { n = substr($0, RSTART + 2, 8) + 0; if (n > most) most = n }
    { lines[++count] = $0; if ($0 == "}") last = count; else if (/^message Node /) start = count
      if (!start) print }
    END { for (i = start; i <= count; ++i) {
              if (i == last) print "  optional " camel "Param " name "_param = " most + 1 ";"
              print lines[i] } }' schema_message.inc

if command -v clang-format >/dev/null 2>&1; then
    clang-format -i --style=file "$here/kernels/$name/$name".[ch] "$zoo/$name"/*.[ch] "$here/$test/api_gtest/$name"/*.cpp
fi

cat <<END

Build and test it:
    ./independent_build.sh --filter=$name
    build/test/mluop_gtest --gtest_filter=*$name*
    build/test/mluop_api_gtest --gtest_filter=$camel.*
END

#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# usage: tools/check_includes.sh [FOLDER...]
# Checks the includes of the given folders; by default of core, the embedded Neuware and the tests. A .c and the .h of the
# same name count as one file:
#   - no file includes itself, directly or through others;
#   - a .h with a .c of the same name declares only functions of that .c, or functions that several files define, as each
#     root does. A .h without a .c is the interface of files in its folder or below.
# Not checked: public headers (include/ folders, mlu_op.h), macro lists (.def, .inc), and kernels/, which does not pass yet.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1
[ $# -gt 0 ] || set -- bangc_helper core test

if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
    list() { git ls-files --cached --others --exclude-standard -- "$@"; }
else
    list() { find "$@" -type f; }
fi
mapfile -t files < <(list "$@" | grep -E '\.(c|h|cc|cpp)$' | grep -vE '(^|/)(include|build[^/]*)/' | sort -u)
existing=()
for file in "${files[@]}"; do [ ! -f "$file" ] || existing+=("$file"); done
[ ${#existing[@]} -gt 0 ] || { echo "no files in:" "$@" >&2; exit 1; }

# One line per fact: "include FROM TEXT", "declare FILE NAME", "define FILE NAME". Sources are formatted, so a top-level
# declaration starts in the first column, ends with ';' or '{', and its body ends with a '}' in the first column.
facts=$(awk '
    FNR == 1 { in_comment = in_body = in_list = in_macro = 0; statement = "" }
    {
        line = $0
        if (in_comment) {
            if ((at = index(line, "*/")) == 0) next
            line = substr(line, at + 2)
            in_comment = 0
        }
        while ((at = index(line, "/*")) > 0) {
            rest = substr(line, at + 2)
            line = substr(line, 1, at - 1)
            if ((at = index(rest, "*/")) == 0) { in_comment = 1; break }
            line = line " " substr(rest, at + 2)
        }
        sub(/\/\/.*/, "", line)
        sub(/[ \t]+$/, "", line)
    }
    in_macro || line ~ /^[ \t]*#/ {
        if (!in_macro && match(line, /^[ \t]*#[ \t]*include[ \t]*"[^"]*"/)) {
            text = line
            sub(/^[^"]*"/, "", text)
            sub(/".*/, "", text)
            print "include", FILENAME, text
        }
        in_macro = line ~ /\\$/
        next
    }
    line == "" { next }
    in_body { if (line ~ /^}/ || (in_list && line ~ /};$/)) in_body = in_list = 0; next }
    statement == "" && line !~ /^[A-Za-z_]/ { next }
    statement == "" && line ~ /^(extern "C" \{|namespace .*\{)$/ { next }
    {
        statement = statement " " line
        if (line !~ /[;{}]$/) next
        is_body = line ~ /\{$/
        if (is_body) { in_body = 1; in_list = line ~ /= *\{$/ }
        text = statement
        statement = ""
        gsub(/__attribute__ *\(\([^;{]*\)\)/, "", text)
        if (text ~ /^ *(typedef|static|using|template)/ || text ~ /=/) next
        if (match(text, /[A-Za-z_][A-Za-z_0-9]*\(/) == 0) next
        name = substr(text, RSTART, RLENGTH - 1)
        if (is_body && FILENAME ~ /\.(c|cc|cpp)$/) print "define", FILENAME, name
        if (!is_body && FILENAME ~ /\.h$/) print "declare", FILENAME, name
    }
' "${existing[@]}")

problems=$(printf '%s\n' "${existing[@]}" | sed 's/^/file /' | cat - <(echo "$facts") | awk '
    function stem(path) { sub(/\.[a-z]+$/, "", path); return path }
    # Number of leading folders that two paths share.
    function kinship(a, b,    x, y, n, i) {
        n = split(a, x, "/")
        split(b, y, "/")
        for (i = 1; i < n && x[i] == y[i]; ++i) {}
        return i
    }
    # The file that an include refers to: beside the including file, else the nearest one of that name.
    function resolve(from, text,    path, parts, n, i, best, most) {
        path = from
        sub(/[^\/]*$/, "", path)
        while (text ~ /^\.\.\//) { text = substr(text, 4); sub(/[^\/]+\/$/, "", path) }
        if ((path text) in known) return path text
        if (text in known) return text
        n = split(named[base(text)], parts, " ")
        most = 0
        for (i = 1; i <= n; ++i) {
            if (index("/" parts[i] "\n", "/" text "\n") && kinship(parts[i], from) > most) {
                most = kinship(parts[i], from)
                best = parts[i]
            }
        }
        return best
    }
    # Removes edges that are in no cycle; returns how many are left.
    function trim(    e, p, out, in_, gone, left) {
        do {
            gone = left = 0
            split("", out)
            split("", in_)
            for (e in edge) { split(e, p, SUBSEP); out[p[1]]; in_[p[2]] }
            for (e in edge) {
                split(e, p, SUBSEP)
                if (p[1] in in_ && p[2] in out) ++left; else { delete edge[e]; gone = 1 }
            }
        } while (gone)
        return left
    }
    function follow(node,    e, p) {
        for (e in edge) { split(e, p, SUBSEP); if (p[1] == node) return p[2] }
    }
    function base(path) { sub(/.*\//, "", path); return path }
    $1 == "file" { known[$2]; named[base($2)] = named[base($2)] " " $2 }
    $1 == "include" { from[++includes] = $2; what[includes] = $3 }
    $1 == "declare" { header[++declarations] = $2; declared[declarations] = $3 }
    $1 == "define" { owner[$3] = owner[$3] " " $2 }
    END {
        for (i = 1; i <= includes; ++i) {
            to = resolve(from[i], what[i])
            a = stem(from[i])
            b = stem(to)
            if (to == "" || a == b || ((a, b) in edge)) continue
            edge[a, b]
            node[a]
            node[b]
        }
        # A file that nothing includes, or that includes nothing, is in no cycle. After removing those, following the
        # includes from any remaining edge leads into a cycle.
        while (trim() > 0) {
            for (e in edge) break
            split(e, p, SUBSEP)
            split("", at)
            n = 0
            for (here = p[1]; !(here in at); here = follow(here)) { at[here] = ++n; path[n] = here }
            text = here
            for (i = at[here] + 1; i <= n; ++i) text = text " > " path[i]
            print "circle: " text " > " here
            delete edge[path[n], here]
        }
        for (i = 1; i <= declarations; ++i) {
            own = stem(header[i]) ".c"
            if (!(own in known) || !(declared[i] in owner)) continue
            if (index(owner[declared[i]] " ", " " own " ")) continue
            if (split(owner[declared[i]], parts, " ") > 1) continue
            print header[i] " declares " declared[i] ", which is in" owner[declared[i]]
        }
    }' | sort)
if [ -n "$problems" ]; then
    echo "$problems" >&2
    exit 1
fi
echo "includes of ${#existing[@]} files checked"

/* SPDX-License-Identifier: MIT
 *
 * Kinds of rows in the tables. A reader of the tables defines the kinds it wants and includes
 * bang/all.def, which includes this file: kinds nobody defined expand to nothing.
 *
 *   BANG_GROUP(letter, title)
 *   BANG_UNARY(name, op, set, limits, note)            (dst, src, n)
 *   BANG_BINARY(name, op, set, limits, note)           (dst, a, b, n)
 *   BANG_SCALAR(name, op, set, limits, note)           (dst, src, scalar, n)
 *   BANG_CYCLE(name, op, set, limits, note)            (dst, src, segment, n, segment_n)
 *   BANG_BITINDEX(name, op, set, limits, note)         (bits, a, b, n)
 *   BANG_BITINDEX_SCALAR(name, op, set, limits, note)  (bits, src, scalar, n)
 *   BANG_CONVERT(name, dst, src, round, note)          (dst, src, n)
 *   BANG_CONVERT_FIX(name, dst, src, round, note)      (dst, src, n, position)
 *   BANG_CONVERT_FIX2(name, dst, src, round, note)     (dst, src, n, dst position, src position)
 *   BANG_ONE(name, dst, src, round, note)              (x) -> converted number
 *   BANG_FUNCTION(name, signature, types, limits, note)
 *
 * op is a code of BANG_BINARY_OP_LIST or BANG_UNARY_OP_LIST without its prefix; set is a set of
 * types, dst and src are type codes, round is a code of BANG_ROUND_LIST without its prefix.
 */
#ifndef BANG_GROUP
#define BANG_GROUP(...)
#endif
#ifndef BANG_UNARY
#define BANG_UNARY(...)
#endif
#ifndef BANG_BINARY
#define BANG_BINARY(...)
#endif
#ifndef BANG_SCALAR
#define BANG_SCALAR(...)
#endif
#ifndef BANG_CYCLE
#define BANG_CYCLE(...)
#endif
#ifndef BANG_BITINDEX
#define BANG_BITINDEX(...)
#endif
#ifndef BANG_BITINDEX_SCALAR
#define BANG_BITINDEX_SCALAR(...)
#endif
#ifndef BANG_CONVERT
#define BANG_CONVERT(...)
#endif
#ifndef BANG_CONVERT_FIX
#define BANG_CONVERT_FIX(...)
#endif
#ifndef BANG_CONVERT_FIX2
#define BANG_CONVERT_FIX2(...)
#endif
#ifndef BANG_ONE
#define BANG_ONE(...)
#endif
#ifndef BANG_FUNCTION
#define BANG_FUNCTION(...)
#endif

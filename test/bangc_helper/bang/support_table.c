/* SPDX-License-Identifier: MIT
 *
 * Prints docs/bang_c_support.md, which is generated from the tables.
 */
#include <stdio.h>
#include <string.h>

#include "bang/table.h"
#include "support_evidence.h"

typedef enum Shape {
  SHAPE_GROUP,
  SHAPE_TYPED,   /* name, arguments, meaning, set of types */
  SHAPE_CONVERT, /* name, arguments, types, rounding */
} Shape;

typedef struct Line {
  Shape shape;
  const char *name, *arguments;
  const char *const *meanings; /* indexed by op; NULL if the line has none */
  int op;
  unsigned set;
  int dst, src, round;
  const char *limits, *note;
  EvidenceShape evidence;
} Line;

/* Indexed by operation or type. */
static const char *const unary_text[] = {
#define TEXT(code, text) [BANG_##code] = text,
    BANG_UNARY_OP_LIST(TEXT)
#undef TEXT
};
static const char *const binary_text[] = {
#define TEXT(code, text) [BANG_##code] = text,
    BANG_BINARY_OP_LIST(TEXT)
#undef TEXT
};
static const char *const type_text[] = {
#define TEXT(code, tag, type) [code] = #type,
    BANG_TYPE_LIST(TEXT)
#undef TEXT
};

static const Line lines[] = {
#define ADD_TYPED(name, arguments, meanings, op, set, limits, note, evidence) \
  {SHAPE_TYPED, #name, arguments, meanings, op, set, 0, 0, 0, limits, note, evidence},
#define ADD_CONVERSION(name, arguments, dst, src, round, note) \
  {SHAPE_CONVERT, #name, arguments, NULL, 0, 0, dst, src, BANG_##round, "", note, EVIDENCE_ANY},
#define BANG_GROUP(letter, title) \
  {SHAPE_GROUP, #letter, title, NULL, 0, 0, 0, 0, 0, "", "", EVIDENCE_ANY},
#define BANG_UNARY(name, op, set, limits, note) \
  ADD_TYPED(name, "(dst, src, n)", unary_text, BANG_##op, set, limits, note, EVIDENCE_UNARY)
#define BANG_BINARY(name, op, set, limits, note) \
  ADD_TYPED(name, "(dst, a, b, n)", binary_text, BANG_##op, set, limits, note, EVIDENCE_BINARY)
#define BANG_SCALAR(name, op, set, limits, note)                                      \
  ADD_TYPED(name, "(dst, a, scalar b, n)", binary_text, BANG_##op, set, limits, note, \
            EVIDENCE_SCALAR)
#define BANG_CYCLE(name, op, set, limits, note)                                                   \
  ADD_TYPED(name, "(dst, a, segment b, n, segment_n)", binary_text, BANG_##op, set, limits, note, \
            EVIDENCE_CYCLE)
#define BANG_BITINDEX(name, op, set, limits, note) \
  ADD_TYPED(name, "(bits, a, b, n)", binary_text, BANG_##op, set, limits, note, EVIDENCE_BINARY)
#define BANG_BITINDEX_SCALAR(name, op, set, limits, note)                              \
  ADD_TYPED(name, "(bits, a, scalar b, n)", binary_text, BANG_##op, set, limits, note, \
            EVIDENCE_SCALAR)
#define BANG_FUNCTION(name, signature, set, limits, note) \
  ADD_TYPED(name, signature, NULL, 0, set, limits, note, EVIDENCE_ANY)
#define BANG_CONVERT(name, dst, src, round, note) \
  ADD_CONVERSION(name, "(dst, src, n[, dst_stride, src_stride, segments])", dst, src, round, note)
#define BANG_CONVERT_FIX(name, dst, src, round, note)                                             \
  ADD_CONVERSION(name, "(dst, src, n[, position[, dst_stride, src_stride, segments]])", dst, src, \
                 round, note)
#define BANG_CONVERT_FIX2(name, dst, src, round, note) \
  ADD_CONVERSION(name, "(dst, src, n[, dst_position, src_position])", dst, src, round, note)
#define BANG_ONE(name, dst, src, round, note) ADD_CONVERSION(name, "(x)", dst, src, round, note)
#include "bang/all.def"
};
enum { line_count = sizeof lines / sizeof *lines };

static void print_set(unsigned set) {
  const char *separator = "";
  if (set == BANG_SET_ALL) {
    printf("all");
  } else if (set == BANG_SET_FLOAT) {
    printf("floats");
  } else if (set == BANG_SET_INT) {
    printf("integers");
  } else if (set == BANG_SET_INT32) {
    printf("integers of up to 32 bits");
  } else if (set == (BANG_SET_FLOAT | BANG_SET_SIGNED)) {
    printf("floats, signed integers");
  } else {
    for (int type = 0; type < BANG_TYPE_COUNT; type++) {
      if (set >> type & 1) {
        printf("%s%s", separator, type_text[type]);
        separator = ", ";
      }
    }
  }
}

/* Escapes bars, which would end a cell. */
static void print_cell(const char *text) {
  for (; *text != '\0'; text++) {
    printf(*text == '|' ? "\\|" : "%c", *text);
  }
}

static void print_typed(const Line *line) {
  printf("| `%s` | ", line->name);
  print_cell(line->arguments);
  printf(" | ");
  print_set(line->set);
  printf(" | ");
  print_cell(line->meanings ? line->meanings[line->op] : "");
  printf(" | ");
  print_cell(line->limits);
  printf(" | ");
  print_cell(line->note);
  printf(" | ");
  print_evidence(line->name, line->evidence);
  printf(" |\n");
}

/* Conversions that differ only in the rounding suffix share a line. */
static int same_base(const Line *base, const Line *line) {
  size_t length = strlen(base->name);
  return line->shape == SHAPE_CONVERT && strncmp(base->name, line->name, length) == 0 &&
         line->name[length] == '_' && line->dst == base->dst && line->src == base->src;
}

static int print_conversions(int i) {
  const Line *base = &lines[i];
  int end = i + 1;
  printf("| `%s`", base->name);
  while (end < line_count && same_base(base, &lines[end])) {
    printf(" `%s`", lines[end].name + strlen(base->name));
    end++;
  }
  printf(" | ");
  print_cell(base->arguments);
  printf(" | %s from %s | | | %s | ", type_text[base->dst], type_text[base->src], base->note);
  const char *separator = "";
  for (int k = i; k < end; k++) {
    char before[32];
    const char *suffix = lines[k].name + strlen(base->name);
    snprintf(before, sizeof before, *suffix ? "%s`%s` " : "%s%s", separator, suffix);
    if (print_letters(before, lines[k].name)) separator = ", ";
  }
  printf(" |\n");
  return end;
}

static const char introduction[] =
    "# BANG C: what is there\n"
    "\n"
    "Written by the build from the tables in `bangc_helper/include/bang/*.def`; do not edit. A "
    "test compares this\n"
    "file with the tables, and another one runs every line of it against a reference.\n"
    "\n"
    "Types: `all` is half, bfloat16_t, float and the signed and unsigned integers of 8, 16, 32 and "
    "64 bits (`char` is\n"
    "`int8_t`). `n` counts elements, of any integer type; zero or less does nothing. Scalar "
    "operands convert to the\n"
    "element type. `int4x2_t` is a type to store, without operations.\n"
    "\n"
    "What the language's public documents leave open, and what is chosen here:\n"
    "\n"
    "* 16-bit floats are widened, computed in float and rounded once, to nearest even; denormals "
    "are kept.\n"
    "* Comparison and logic give 1 or 0 in the element type; a NaN is unequal to everything and "
    "true.\n"
    "* Maximum and minimum pass over a NaN; `__bang_nan_*` return it, `__bang_maxequal` and its "
    "kin "
    "the first operand. The\n"
    "  sign of a zero is open.\n"
    "* Integers wrap. Division by zero gives 0, the remainder is the dividend.\n"
    "* Atomic operations on vectors are done after what the IO pipe has under way, as synchronous "
    "copies are.\n"
    "* Float to integer saturates, NaN becomes 0; integer to integer saturates. Conversions "
    "without suffix round\n"
    "  toward zero.\n"
    "* `min` and `max` of two scalars give the narrower float of the two, or the wider integer; "
    "signed with unsigned is\n"
    "  an error. Functions and macros of these names in a program, and those of `std`, go before.\n"
    "* Suffixes: ";

static const char evidence[] =
    "\n"
    "## What is publicly known\n"
    "\n"
    "The column `known` says for which element types an overload is publicly known, and from "
    "where; "
    "the operands are\n"
    "named where they are not those of the line. An empty cell, and every type that is not named, "
    "is this language's\n"
    "extension: kernels for a card do without, and `cncc --bang-strict` sees to it. What has a "
    "bfloat16_t operand is known\n"
    "for mtp_592 and later architectures only.\n"
    "\n"
    "| letter | seen in |\n"
    "|---|---|\n"
    "| H | a public header of the third generation of the toolkit |\n"
    "| M | kernels of MLU-OPS |\n"
    "| I | kernels of InfiniCore |\n"
    "| T | kernels of torch_mlu |\n"
    "| O | other public kernels |\n"
    "\n"
    "`int` is any integer, `int32` one of at most 32 bits, `real` half or float.\n";

static const char missing[] =
    "\n"
    "## Known, and not there\n"
    "\n"
    "| name | operands |\n"
    "|---|---|\n";

static const char launches[] =
    "\n"
    "## Kernels and launches\n"
    "\n"
    "A kernel is a `void` function marked `__mlu_global__` (or `__mlu_entry__`), started from host "
    "code by\n"
    "`kernel<<<dim, type, queue>>>(arguments)`; without a queue, in the default one. The arguments "
    "are copied at that\n"
    "moment; results are there after `cnrtQueueSync`. What kernels call is marked `__mlu_func__`.\n"
    "\n"
    "| qualifier | where the variable lives |\n"
    "|---|---|\n"
    "| `__nram__`, `__wram__` | on the chip, one per task; undefined when a task begins, unless "
    "`__nram__` has an initial value |\n"
    "| `__mlu_shared__` | on the chip, one per cluster: for unions only |\n"
    "| `__ldram__` | memory of the task |\n"
    "| `__mlu_device__`, `__mlu_const__` | device memory, one for all tasks and devices of a "
    "process, also after cnrtDeviceReset |\n"
    "\n"
    "| `type` | `dim.x` | tasks that can wait for each other |\n"
    "|---|---|---|\n"
    "| `cnrtFuncTypeBlock` | any | none: tasks are independent, and barriers wait for nobody (the "
    "CPU "
    "root says so once, if there are several tasks) |\n"
    "| `cnrtFuncTypeUnionN`, N = 1, 2, 4, 8, 16 | a multiple of N times the cores of a cluster "
    "(`cnrtAttrMcorePerCluster`, 4 unless set otherwise) | the tasks of N clusters, which run at "
    "the same time: `__sync_cluster`, `__sync_all`; N is at most "
    "`cnrtAttrMaxClusterPerUnionLimitTask` |\n"
    "\n"
    "`dim.x`, `dim.y` and `dim.z` are 1 to 65535 each. A launch of any other shape is not started: "
    "a line on the standard\n"
    "error says why (`cnrt: kernel k not started: Union2 needs a first dimension that is a "
    "multiple of 8, got 4; ...`) and\n"
    "`cnrtGetLastError` has the code. `cnrtQueueSync` reports faults of kernels that were "
    "started.\n"
    "\n"
    "| variable | Block | UnionN |\n"
    "|---|---|---|\n"
    "| `taskDimX`, `taskDimY`, `taskDimZ`, `taskDim` | `dim`, and its product | the same |\n"
    "| `taskIdX`, `taskIdY`, `taskIdZ`, `taskId` | place in `dim`; `taskId` = (`taskIdZ` "
    "`taskDimY` + `taskIdY`) `taskDimX` + `taskIdX` | the same; neighbours in x share a cluster |\n"
    "| `clusterDim`, `clusterId` | 0, 0 | N, and the cluster's number within its union |\n"
    "| `coreDim`, `coreId` | not to be used, 0 | cores of a cluster, and the number within it; the "
    "memory core has 0x80 |\n"
    "\n"
    "`__BANG_ARCH__` is the number of the architecture that `--bang-mlu-arch` names: 592 for "
    "`mtp_592`, the default, 372 for\n"
    "`mtp_372`. It is defined in the host code of a `.mlu` too, and is the same on the CPU and on "
    "Hopper.\n";

int main(void) {
  fputs(introduction, stdout);
  const char *separator = "";
#define SUFFIX(code, suffix, text)               \
  printf("%s`%s` %s", separator, #suffix, text); \
  separator = ", ";
  BANG_ROUND_LIST(SUFFIX)
#undef SUFFIX
  printf(
      ".\n"
      "* The instruction set (`MLUOP_CPU_ISA` = baseline, avx2 or avx512; on Arm baseline, which "
      "is NEON) does not\n"
      "  change a bit of a result: where both operands are NaNs, the first one's bits count on "
      "each. Between x86-64 and Arm\n"
      "  the sign and the other bits of a NaN may differ.\n"
      "* The tensor unit rounds every product to float and adds in ascending k, except where the "
      "processor has matrix\n"
      "  instructions (`MLUOP_CPU_ISA` = bf16 on Arm, avx512_bf16 or avx512_amx on x86-64; the "
      "default there). Like a card's\n"
      "  unit they round in their own way: sums of bfloat16 products over a multiple of 32 "
      "elements "
      "are off by at most\n"
      "  k * 2^-23 times the sum of the products' magnitudes, operands and results below 2^-126 "
      "count as 0, and a partial sum\n"
      "  too large for float is an infinity. A sum still depends on its two rows alone. With the "
      "other values of\n"
      "  `MLUOP_CPU_ISA` the bits are the same everywhere, less those of NaNs.\n");
  fputs(launches, stdout);
  fputs(evidence, stdout);
  for (int i = 0; i < line_count;) {
    switch (lines[i].shape) {
      case SHAPE_GROUP:
        printf(
            "\n## %s: %s\n\n| name | arguments | types | result | limits | note | known "
            "|\n|---|---|---|---|---|---|---|\n",
            lines[i].name, lines[i].arguments);
        i++;
        break;
      case SHAPE_TYPED:
        print_typed(&lines[i]);
        i++;
        break;
      default:
        i = print_conversions(i);
        break;
    }
  }
  fputs(missing, stdout);
  print_absent();
  return 0;
}

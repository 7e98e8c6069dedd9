/* SPDX-License-Identifier: MIT
 *
 * What the parts of the lowering share. Names they emit are defined in bang_lowering.h and
 * bang_asm.h.
 */
#ifndef CNCC_LOWER_INTERNAL_H_
#define CNCC_LOWER_INTERNAL_H_

#include "declaration.h"
#include "lower.h"
#include "rewrite.h"
#include "scope.h"

/* A file-scope variable in an arena; names with its id lie in the namespace `path`. */
typedef struct Onchip {
  char *name;
  char *path;
  int id;
  int space;
  bool has_image;
} Onchip;

typedef struct OnchipList {
  Onchip *items;
  int count;
} OnchipList;

typedef struct Lowering {
  const Source *source;
  Rewrite *rewrite;
  const LowerOptions *options;
  const ScopeStack *scopes; /* around the construct being lowered */
  OnchipList onchip;
  bool has_local[4];    /* functions have variables in NRAM, WRAM, shared RAM, LDRAM */
  StrList extern_names; /* device globals announced by an extern declaration */
  StrList plain_names;  /* kernels that have their C name already */
  int counter;          /* makes generated names unique */
  enum { MEMORY_CORE_UNKNOWN, MEMORY_CORE_IDLE, MEMORY_CORE_BUSY } memory_core;
} Lowering;

/* Each looks at the construct around or at a token and records the changes. */
void lower_kernel(Lowering *lowering, const Declaration *decl, ScopeKind scope);
void lower_function(Lowering *lowering, const Declaration *decl, ScopeKind scope);
void lower_variable(Lowering *lowering, const Declaration *decl, ScopeKind scope);
void lower_launch(Lowering *lowering, int index);
void lower_asm(Lowering *lowering, int index);

/* Makes a kernel known to cnrtInvokeKernel: a single function by its address or by that of `stub`,
 * beside its definition; the function of a template or a member from its own body. */
void register_kernel(Lowering *lowering, const Declaration *decl, const char *stub);
void register_from_body(Lowering *lowering, const Declaration *decl);

/* Is the token the name of the parameter that begins at `begin`, not the end of its type? */
bool is_parameter_name(const Source *source, int begin, int index);

/* For the GPU root: a variable in an arena; what a device function's body begins and ends with;
 * what the unit ends with. */
void lower_onchip_variable(Lowering *lowering, const Declaration *decl, ScopeKind scope);
void open_device_body(Lowering *lowering, const Declaration *decl, StrBuf *open, StrBuf *close);
void finish_device_unit(Lowering *lowering, StrBuf *out);
void onchip_free(OnchipList *list);

/* Parts of a variable's declaration: its type without qualifiers and storage words, its declarator
 * under another name, its alignment as alignas words, its name. */
void append_variable_type(StrBuf *out, const Source *source, const Declaration *decl);
void append_renamed(StrBuf *out, const Source *source, const Declarator *variable,
                    const char *name);
void append_onchip_alignment(StrBuf *out, const Source *source, const Declaration *decl);
char *declarator_name(const Source *source, const Declarator *variable);
/* Lets the compiler refuse a variable of this type that is larger than the memory it is for. */
void append_size_check(StrBuf *out, const char *type, const char *name, const char *qualifier,
                       int limit_kb, const Arch *arch);

/* Where the address sanitizer looks: puts a gap behind every variable of a declaration, the last
 * one's into `behind`. Returns the number of the first, 0 for none; the others count on. */
int lower_gaps(Lowering *lowering, const Declaration *decl, const char *storage, bool in_function,
               StrBuf *behind);

/* Of an array declared without a bound: the name in its definition elsewhere in the unit, -1 for
 * none; and the bound it therefore has. */
int array_definition(const Source *source, const Declaration *decl, const Declarator *variable);
void append_array_bound(StrBuf *out, Lowering *lowering, const Declaration *decl,
                        const Declarator *variable);

/* Does the memory core have nothing of its own to do in this unit? */
bool memory_core_is_idle(Lowering *lowering);

/* What ends the process ends only the launch in a device function's or a kernel's body. */
void lower_exits(Lowering *lowering, const Declaration *decl);

/* Blanks the BANG C qualifiers among tokens [begin, end). */
void drop_qualifiers(Lowering *lowering, int begin, int end);

#endif /* CNCC_LOWER_INTERNAL_H_ */

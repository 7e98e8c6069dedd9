/* SPDX-License-Identifier: MIT
 *
 * Variables in arenas. A file-scope variable gets a place in its arena, which is counted at compile
 * time from the previous variable. A device function that names it starts with a reference to that
 * place, so names, shadowing and types follow the rules of C++.
 */
#ifndef CNCC_ONCHIP_PLACES_H_
#define CNCC_ONCHIP_PLACES_H_

#include "lowering.h"

enum { ONCHIP_NRAM, ONCHIP_WRAM, ONCHIP_SRAM, ONCHIP_LDRAM, ONCHIP_SPACES };

typedef struct OnchipSpace {
  int qualifier;
  const char *keyword; /* in messages */
  const char *space;   /* bangSpace */
} OnchipSpace;
extern const OnchipSpace onchip_spaces[ONCHIP_SPACES];

/* A file-scope variable; names with its id lie in the namespace `path`. */
typedef struct Onchip {
  char *name;
  char *path;
  int id;
  int space;
  bool has_image;
} Onchip;

/* On-chip variables of the unit so far. */
typedef struct OnchipList {
  Onchip *items;
  int count;
  bool has_local[ONCHIP_SPACES]; /* functions have variables there */
} OnchipList;

/* The list of the unit is in lowering->state. */
void onchip_begin_unit(Lowering *lowering);
void onchip_end_unit(Lowering *lowering);
OnchipList *onchip_of(const Lowering *lowering);

/* Index of the memory that a declaration names. */
int onchip_space_of(const Declaration *decl);

/* "::a::b::" for the construct being lowered, inside namespaces a and b; unnamed ones need no name.
 * The caller frees it. */
char *namespace_path(const Lowering *lowering);

bool has_initialiser(const Declarator *variable);

/* Describes a variable before it is placed: an image of its initial value with this storage (NULL:
 * none), its type __bang_type_<id>, and a class __bang_slot_<id> with its alignment. */
void append_onchip_description(StrBuf *text, Lowering *lowering, const Declaration *decl,
                               const Declarator *variable, int id, const char *image_storage);

/* Its place __bang_reach_<id>, for a number of bytes given as an expression; adds it to the list.
 */
Onchip *append_onchip_place(StrBuf *text, Lowering *lowering, const Declaration *decl,
                            const Declarator *variable, int id, const char *bytes);

/* An expression for the variable at its place. */
void append_onchip_variable(StrBuf *text, const Onchip *item);

/* True if [begin, end) uses this name, other than as a member. */
bool is_named_in(const Source *source, int begin, int end, const char *name);

/* References at the start of a function: to the variables it names, if `wants` is NULL or accepts
 * them. */
void append_onchip_references(StrBuf *text, Lowering *lowering, const Declaration *decl,
                              bool (*wants)(const Lowering *lowering, const Declaration *decl,
                                            const Onchip *item));

/* The function that returns how much on-chip memory the unit uses. */
void append_unit_sizes(StrBuf *out, const Lowering *lowering);

#endif /* CNCC_ONCHIP_PLACES_H_ */

/* SPDX-License-Identifier: MIT */
#include "lowering.h"

void drop_qualifiers(Lowering *lw, int begin, int end) {
  for (int i = begin; i < end; ++i) {
    if (qualifier_of(lw->source, i)) rewrite_drop(lw->rewrite, i);
  }
}

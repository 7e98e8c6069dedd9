/* SPDX-License-Identifier: MIT
 *
 * A defect that a check has found.
 */
#ifndef CARD_CHECKS_FINDING_H_
#define CARD_CHECKS_FINDING_H_

#include "check.h"
#include "events.h"

enum { CARD_FINDING_TEXT = 160, CARD_OBJECT_TEXT = 96, CARD_CALLERS = 8 };

struct card_finding {
  enum card_check check;
  char what[CARD_FINDING_TEXT];
  char kernel[CARD_OBJECT_TEXT];
  struct card_site site;
  struct card_site callers[CARD_CALLERS]; /* innermost first; line 0 ends the list */
  struct card_site other;                 /* line 0: none */
  char other_what[CARD_OBJECT_TEXT];
  uint32_t task, task_count, core, cluster;
  /* Name of the object; empty if the finding has no address. */
  char object[CARD_OBJECT_TEXT];
  uint64_t address;
  int64_t offset; /* offset in the object */
  int64_t past;   /* bytes past the object's end; negative: before its start */
  bool has_address;
  uint64_t count;
  struct card_finding *next;
};

const char *card_check_name(enum card_check check);

#endif /* CARD_CHECKS_FINDING_H_ */

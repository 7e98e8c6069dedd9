/* SPDX-License-Identifier: MIT
 *
 * Findings of all launches of a process in the file that MLUOP_CHECK_JSON names.
 */
#ifndef CARD_CHECKS_JSON_H_
#define CARD_CHECKS_JSON_H_

struct card_finding;

/* Adds the findings of a launch. Not from two threads at a time. */
void card_json_add(const struct card_finding *findings);

#endif /* CARD_CHECKS_JSON_H_ */

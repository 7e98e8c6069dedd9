/* SPDX-License-Identifier: MIT
 *
 * Writes the findings of all launches of the process to the file that MLUOP_CHECK_JSON names.
 */
#ifndef CARD_CHECKS_JSON_H_
#define CARD_CHECKS_JSON_H_

struct card_finding;

/* Adds the findings of a launch. Callers must not run in parallel. */
void card_json_add(const struct card_finding *findings);

#endif /* CARD_CHECKS_JSON_H_ */

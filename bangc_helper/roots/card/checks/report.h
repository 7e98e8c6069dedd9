/* SPDX-License-Identifier: MIT
 *
 * Findings of a launch, one per place, and their reports: on stderr, and as JSON.
 */
#ifndef CARD_CHECKS_REPORT_H_
#define CARD_CHECKS_REPORT_H_

#include "finding.h"

/* Adds a finding to the launch of the calling core's task and fills in kernel and task. False if it
 * is suppressed. */
bool card_report_add(struct card_core *core, struct card_finding *finding);
/* The same for a launch whose tasks have ended. */
bool card_report_add_to(struct card_run *run, const struct card_finding *finding);
/* Prints the findings of a launch of this kernel, which had `tasks` tasks. */
void card_report_print(struct card_run *run, const char *kernel, uint32_t tasks);
void card_report_free(struct card_run *run);

/* Source place for a site of the module that the calling core runs. */
struct card_site card_report_site(const struct card_core *core, uint32_t site);
/* The places of its callers. */
void card_report_callers(const struct card_core *core, uint32_t site,
                         struct card_site callers[CARD_CALLERS]);
/* Source place by its number in the launch. */
struct card_site card_report_launch_site(struct card_run *run, uint32_t site);
/* Number in the launch for a site of the calling core's module. */
uint32_t card_report_number(const struct card_core *core, uint32_t site);

#endif /* CARD_CHECKS_REPORT_H_ */

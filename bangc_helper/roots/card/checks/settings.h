/* SPDX-License-Identifier: MIT
 *
 * Settings from the environment: places that the checks ignore.
 */
#ifndef CARD_CHECKS_SETTINGS_H_
#define CARD_CHECKS_SETTINGS_H_

#include <stdbool.h>

#include "finding.h"

/* True if the file that MLUOP_CHECK_SUPPRESS names lists this place. */
bool card_is_suppressed(const struct card_finding *finding);

#endif /* CARD_CHECKS_SETTINGS_H_ */

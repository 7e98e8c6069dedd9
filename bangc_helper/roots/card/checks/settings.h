/* SPDX-License-Identifier: MIT
 *
 * What the environment asks for: places that the checks leave alone.
 */
#ifndef CARD_CHECKS_SETTINGS_H_
#define CARD_CHECKS_SETTINGS_H_

#include <stdbool.h>

#include "finding.h"

/* Does the file of MLUOP_CHECK_SUPPRESS name this place? */
bool card_is_suppressed(const struct card_finding *finding);

#endif /* CARD_CHECKS_SETTINGS_H_ */

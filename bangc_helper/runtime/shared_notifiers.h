/* SPDX-License-Identifier: MIT
 *
 * Notifiers that several processes use, on roots that have them.
 */
#ifndef RUNTIME_SHARED_NOTIFIERS_H_
#define RUNTIME_SHARED_NOTIFIERS_H_

#include "queues.h"

/* By the root: whether there are such notifiers. */
bool rt_notifiers_may_be_shared(void);
/* For the root: a notifier of a device whose latest placement is there already. What becomes of
 * that on failure is left to the caller. */
cnrtRet_t rt_notifier_adopt(struct rt_device *device, unsigned flags, void *latest,
                            cnrtNotifier_t *result);

#endif /* RUNTIME_SHARED_NOTIFIERS_H_ */

/* SPDX-License-Identifier: MIT
 *
 * Entities: topologies that queues run.
 */
#ifndef RUNTIME_TASK_TOPO_ENTITY_H_
#define RUNTIME_TASK_TOPO_ENTITY_H_

#include "root.h"

/* Before a device's notifiers are destroyed. */
void rt_entities_reset(const struct rt_device *device);

#endif /* RUNTIME_TASK_TOPO_ENTITY_H_ */

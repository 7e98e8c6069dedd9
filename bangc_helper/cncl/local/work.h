/* SPDX-License-Identifier: MIT
 *
 * Copies and reductions between buffers of this process, cut into pieces that all worker threads
 * share.
 */
#ifndef CNCL_LOCAL_WORK_H_
#define CNCL_LOCAL_WORK_H_

#include "common.h"

struct cncl_work;

/* An empty list of copies and reductions; `finished` is called once when all are done. NULL when
 * memory is short. */
struct cncl_work *cncl_work_create(void (*finished)(void *argument), void *argument);

/* Adds a copy of ranges that are the same or do not overlap; false when memory is short. */
bool cncl_work_add_copy(struct cncl_work *work, char *target, const char *source, size_t bytes);

/* Adds a reduction, see cncl_reduce; the lists are copied. */
bool cncl_work_add_reduction(struct cncl_work *work, char *const *targets, int target_count,
                             const char *const *sources, int source_count, size_t count,
                             uint32_t type, uint32_t op);

/* Runs the list and frees it. Returns when the calling thread has no work left; with `leave` it
 * returns at once unless the work is tiny. */
void cncl_work_run(struct cncl_work *work, bool leave);
/* Frees a list that was not run. */
void cncl_work_discard(struct cncl_work *work);

#endif /* CNCL_LOCAL_WORK_H_ */

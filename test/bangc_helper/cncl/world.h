/* SPDX-License-Identifier: MIT
 *
 * The ranks of a test. Alone, this process has all of them; under mpirun they are divided among the
 * processes of the job, and the tests are the same.
 */
#ifndef CNCL_TEST_WORLD_H_
#define CNCL_TEST_WORLD_H_

#include <pthread.h>

#include "cncl.h"
#include "harness.h"

enum { MAX_RANKS = 8 };

struct world {
  int ranks;
  int first; /* this process has the ranks first .. first + local - 1 */
  int local;
  cnclComm_t comm[MAX_RANKS]; /* per local rank, on the device of the same number */
  cnrtQueue_t queue[MAX_RANKS];
};

#define CHECK_CNCL(call) CHECK_EQ(call, CNCL_RET_SUCCESS)

/* Number of processes in the job, and the index of this one. */
int job_size(void);
int job_index(void);

/* Ranks first .. first + local - 1 of `ranks` belong to this process. */
void share_of_process(int ranks, int *first, int *local);

/* Creates communicators and queues; false if the job cannot divide this many ranks. */
bool world_open(struct world *world, int ranks);
void world_close(struct world *world);
/* Waits for all queues and checks that each returns `expected`. */
void world_sync(struct world *world, cnrtRet_t expected);

/* Device memory that the host may read and write as well. */
void *device_alloc(size_t bytes);
void device_free(void *address);

/* Blocks a queue: the host function wait_at_gate returns when the gate is open. */
struct gate {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool open;
};
#define GATE_INITIALIZER \
  { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, false }
void wait_at_gate(void *gate);
void open_gate(struct gate *gate);

/* ---- Elements ---- */

struct element_type {
  cnclDataType_t type;
  const char *name;
  size_t size;
};

enum { TYPE_COUNT = 11 };
extern const struct element_type element_types[TYPE_COUNT];

/* Writes element `index` of the contribution of rank `rank`. */
void put_element(void *buffer, size_t position, const struct element_type *type, int rank,
                 size_t index);
/* Fills `count` elements, numbered from `first`. */
void fill_elements(void *buffer, const struct element_type *type, int rank, size_t first,
                   size_t count);
/* Writes the reduction of element `index` over all ranks, added in the order of ranks. */
void put_reduced(void *buffer, size_t position, const struct element_type *type, cnclReduceOp_t op,
                 int ranks, size_t index);

#endif /* CNCL_TEST_WORLD_H_ */

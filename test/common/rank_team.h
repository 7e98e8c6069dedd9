/* SPDX-License-Identifier: MIT
 *
 * A team of ranks for tests: a thread with a device, a queue, a handle and a communicator for every
 * rank of this process. Under mpirun the ranks are spread evenly over the processes. */
#ifndef TEST_COMMON_RANK_TEAM_H_
#define TEST_COMMON_RANK_TEAM_H_

#include "mlu_op_comm.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct RankContext {
  int rank, ranks;
  mluOpHandle_t handle;
  cnrtQueue_t queue;
  cnclComm_t comm;
} RankContext;

typedef struct RankTeam RankTeam;

/* NULL with a line on stderr when the team cannot be made. */
RankTeam *rank_team_create(int ranks);
void rank_team_destroy(RankTeam *team);

/* The ranks of this process: [first, first + count). */
int rank_team_first(const RankTeam *team);
int rank_team_count(const RankTeam *team);
/* One of them. */
const RankContext *rank_team_at(const RankTeam *team, int rank);

/* Whether the ranks of a team are spread over processes. */
int rank_team_processes(void);

/* Runs body on the thread of every rank of this process, its device being current, and waits.
 * Returns what the lowest rank returned that did not return 0, or 0. */
int rank_team_run(RankTeam *team, int (*body)(const RankContext *rank, void *arg), void *arg);

/* Aborts the communicator of a rank of this process; the rank has none afterwards. */
cnclResult_t rank_team_abort(RankTeam *team, int rank);

/* Describes a tensor; NULL when that fails. */
mluOpTensorDescriptor_t rank_team_describe(mluOpDataType_t dtype, int dim_num, const int64_t *dims);

#ifdef __cplusplus
}
#endif
#endif /* TEST_COMMON_RANK_TEAM_H_ */

/* SPDX-License-Identifier: MIT
 *
 * CNCL: collective communication between devices. Names, values and argument order are those of the
 * vendor's public header; all functions but the ones without a result return cnclResult_t. */
#ifndef CNCL_H_
#define CNCL_H_

#include <stddef.h>
#include <stdint.h>

#include "cnrt.h"

#define CNCL_MAJOR_VERSION 1
#define CNCL_MINOR_VERSION 25
#define CNCL_PATCH_VERSION 0
#define CNCL_VERSION (CNCL_MAJOR_VERSION * 10000 + CNCL_MINOR_VERSION * 100 + CNCL_PATCH_VERSION)

#ifdef __cplusplus
extern "C" {
#endif

/* The low four bits give the class: 1 internal, 2 system, 3 runtime, 6 asynchronous, 7 arguments, 8
 * device memory. */
typedef enum cnclResult {
  CNCL_RET_SUCCESS = 0,
  CNCL_RET_ERR_UNSUPPORTED = 0x11,
  CNCL_RET_ERR_NULL_POINTER = 0x21,
  CNCL_RET_ERR_BUILD_RING = 0x31,
  CNCL_RET_ERR_BUILD_TREE = 0x41,
  CNCL_RET_ERR_INIT = 0x51,
  CNCL_RET_ERR_NOT_INIT = 0x61,
  CNCL_RET_ERR_REINIT = 0x71,
  CNCL_RET_ERR_NO_ALGO = 0x81,
  CNCL_RET_ERR_INVALID_VERSION = 0x91,
  CNCL_RET_ERR_SYS_MALLOC = 0x12,
  CNCL_RET_ERR_SYS_SOCKET = 0x22,
  CNCL_RET_ERR_SYS_IBV = 0x32,
  CNCL_RET_ERR_CNRT_DEVICE = 0x13,
  CNCL_RET_ERR_CNRT_MEMCOPY = 0x23,
  CNCL_RET_ERR_CNRT_MALLOC = 0x33,
  CNCL_RET_ASYNC_IN_PROGRESS = 0x06,
  CNCL_RET_ASYNC_ERROR = 0x16,
  CNCL_RET_ERR_UNKNOWN = 0x26,
  CNCL_RET_ERR_ARGUMENTS = 0x07,
  CNCL_RET_ERR_MLU_ALLOCATE = 0x08,
  CNCL_RET_ERR_MLU_DEALLOCATE = 0x18,
  CNCL_RET_ERR_IB_RECV_NOTREADY = 0x09,
} cnclResult_t;

typedef enum cnclDataType {
  cnclInvalid = 0,
  cnclHalf = 0x10,
  cnclFloat16 = 0x10,
  cnclBfloat16 = 0x11,
  cnclFloat = 0x12,
  cnclFloat32 = 0x12,
  cnclInt8 = 0x20,
  cnclChar = 0x20,
  cnclInt16 = 0x21,
  cnclInt = 0x22,
  cnclInt32 = 0x22,
  cnclInt64 = 0x23,
  cnclUint8 = 0x30,
  cnclUint16 = 0x31,
  cnclUint32 = 0x32,
  cnclUint64 = 0x33,
} cnclDataType_t;

typedef enum cnclReduceOp {
  cnclSum = 0,
  cnclProd = 1,
  cnclMax = 2,
  cnclMin = 3,
} cnclReduceOp_t;

typedef enum cnclPriority {
  CNCL_PRIORITY_DEFAULT = 0,
  CNCL_PRIORITY_HIGH = 0x10,
  CNCL_PRIORITY_HIGH_FOR_ONCE = 0x11,
} cnclPriority_t;

/* One rank of a clique. */
typedef struct cnclComm *cnclComm_t;

#define CNCL_CLIQUE_ID_BYTES_SIZE 128

/* Identifies a clique: one process makes it and passes it to the others, which need only `data`. */
struct cnclCliqueId {
  char data[CNCL_CLIQUE_ID_BYTES_SIZE];
  uint64_t hash;
};
typedef struct cnclCliqueId *cnclCliqueId_t;

struct cnclCommConfig {
  cnclPriority_t priority;
};
typedef struct cnclCommConfig *cnclCommConfig_t;

/* ---- Cliques and communicators ---- */

cnclResult_t cnclGetCliqueId(cnclCliqueId_t clique_id);

/* Creates num_comm ranks of a clique of nrank: comms[i] is rank rank_list[i] on device dev_list[i].
 * - rank_list NULL: ranks 0 .. num_comm - 1.
 * - clique_id NULL: this call creates all ranks. In a process of an MPI job, the other ranks come
 * from the calls that the other processes make in the same order.
 * Blocks until all ranks have called. Inside a group the end of the group blocks instead, so
 * `comms` must stay valid until then. If the other ranks do not come, comms[] are NULL, also after
 * a group whose end reports the error. */
cnclResult_t cnclInitComms(cnclComm_t *comms, int num_comm, const int *dev_list,
                           const int *rank_list, int nrank, const cnclCliqueId_t clique_id);

/* Frees ranks; all ranks of a clique must be freed. Operations already submitted still complete.
 * Abort instead fails all waiting operations, on all ranks. */
cnclResult_t cnclDestroyComms(cnclComm_t *comms, int num_comm);
cnclResult_t cnclFreeComm(cnclComm_t comm);
cnclResult_t cnclAbortComm(cnclComm_t comm);

cnclResult_t cnclSetCommConfig(cnclComm_t comm, const cnclCommConfig_t config);
cnclResult_t cnclGetCommCount(int *count, const cnclComm_t comm);
cnclResult_t cnclGetCommRank(int *rank, const cnclComm_t comm);
cnclResult_t cnclGetCommDevice(int *device, const cnclComm_t comm);
/* Success, or the error that broke this communicator's work in a queue; after an error no call is
 * possible. */
cnclResult_t cnclGetCommAsyncError(const cnclComm_t comm);

/* ---- Collectives: every rank calls, each with its own queue ----
 *
 * No call blocks. The queue continues after all ranks have reached the call and its data has moved.
 * The queue must belong to the communicator's device, and the buffers must be device memory.
 * In-place use means equal buffers; for AllGather send == recv + rank * count, for ReduceScatter
 * recv == send + rank * count. AlltoAll(v) has no in-place form. */

cnclResult_t cnclBcast(void *buffer, size_t count, cnclDataType_t datatype, int root,
                       cnclComm_t comm, cnrtQueue_t queue);
cnclResult_t cnclBroadcast(const void *send_buffer, void *recv_buffer, size_t count,
                           cnclDataType_t datatype, int root, cnclComm_t comm, cnrtQueue_t queue);
cnclResult_t cnclAllGather(const void *send_buffer, void *recv_buffer, size_t count_per_rank,
                           cnclDataType_t datatype, cnclComm_t comm, cnrtQueue_t queue);
cnclResult_t cnclReduce(const void *send_buffer, void *recv_buffer, size_t count,
                        cnclDataType_t datatype, cnclReduceOp_t op, int root, cnclComm_t comm,
                        cnrtQueue_t queue);
cnclResult_t cnclAllReduce(const void *send_buffer, void *recv_buffer, size_t count,
                           cnclDataType_t datatype, cnclReduceOp_t op, cnclComm_t comm,
                           cnrtQueue_t queue);
cnclResult_t cnclReduceScatter(const void *send_buffer, void *recv_buffer, size_t recv_count,
                               cnclDataType_t datatype, cnclReduceOp_t op, cnclComm_t comm,
                               cnrtQueue_t queue);
cnclResult_t cnclAlltoAll(const void *send_buffer, void *recv_buffer, size_t count_per_peer,
                          cnclDataType_t datatype, cnclComm_t comm, cnrtQueue_t queue);
/* One buffer, element count and type per peer. The lists are read before the call returns. */
cnclResult_t cnclAlltoAllv(const void **send_buffers, uint32_t *send_counts,
                           cnclDataType_t *send_types, void **recv_buffers, uint32_t *recv_counts,
                           cnclDataType_t *recv_types, cnclComm_t comm, cnrtQueue_t queue);

/* ---- Point to point, and groups of calls that start together ---- */

cnclResult_t cnclSend(void *buffer, size_t count, cnclDataType_t datatype, int peer,
                      cnclComm_t comm, cnrtQueue_t queue);
cnclResult_t cnclRecv(void *buffer, size_t count, cnclDataType_t datatype, int peer,
                      cnclComm_t comm, cnrtQueue_t queue);
cnclResult_t cnclGroupStart(void);
cnclResult_t cnclGroupEnd(void);

/* ---- Information ---- */

const char *cnclGetErrorStr(cnclResult_t result);
cnclResult_t cnclGetLibVersion(int *major, int *minor, int *patch);

#ifdef __cplusplus
}
#endif

/* Runs a call; if it fails, returns its result from the enclosing function. */
#define CNCL_CHECK(call)                                                   \
  do {                                                                     \
    cnclResult_t cncl_check_result_ = (call);                              \
    if (cncl_check_result_ != CNCL_RET_SUCCESS) return cncl_check_result_; \
  } while (0)

#endif /* CNCL_H_ */

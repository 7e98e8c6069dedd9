/* SPDX-License-Identifier: MIT
 *
 * Checks of arguments, queries, error texts.
 */
#include <stdlib.h>
#include <string.h>

#include "cncl_external.h"
#include "world.h"

enum { RANKS = 2, COUNT = 16 };

static void versions_and_texts(void) {
  int major = 0;
  int minor = 0;
  int patch = -1;
  CHECK_CNCL(cnclGetLibVersion(&major, &minor, &patch));
  CHECK_EQ(major * 10000 + minor * 100 + patch, CNCL_VERSION);
  CHECK_EQ(cnclGetLibVersion(&major, NULL, &patch), CNCL_RET_ERR_NULL_POINTER);
  CHECK(strcmp(cnclGetErrorStr(CNCL_RET_SUCCESS), "success") == 0);
  CHECK(strcmp(cnclGetErrorStr(CNCL_RET_ERR_ARGUMENTS), "invalid argument") == 0);
  CHECK(cnclGetErrorStr((cnclResult_t)12345) != NULL);
  CHECK(strcmp(cnclGetErrorStr(CNCL_RET_ASYNC_ERROR), cnclGetErrorStr(CNCL_RET_ERR_INIT)) != 0);
}

static void init_arguments(void) {
  const int devices[3] = {0, 1, 2};
  const int bad_device[3] = {0, 1, 1000};
  const int twice[3] = {0, 1, 1};
  const int bad_rank[3] = {0, 1, 3};
  struct cnclCliqueId id;
  cnclComm_t comm[3];
  memset(&id, 0, sizeof(id));
  CHECK_EQ(cnclInitComms(NULL, 3, devices, NULL, 3, NULL), CNCL_RET_ERR_NULL_POINTER);
  CHECK_EQ(cnclInitComms(comm, 3, NULL, NULL, 3, NULL), CNCL_RET_ERR_NULL_POINTER);
  CHECK_EQ(cnclInitComms(comm, 0, devices, NULL, 3, NULL), CNCL_RET_ERR_ARGUMENTS);
  CHECK_EQ(cnclInitComms(comm, 3, devices, NULL, 2, NULL), CNCL_RET_ERR_ARGUMENTS);
  CHECK_EQ(cnclInitComms(comm, 3, bad_device, NULL, 3, NULL), CNCL_RET_ERR_ARGUMENTS);
  CHECK_EQ(cnclInitComms(comm, 3, devices, twice, 3, NULL), CNCL_RET_ERR_ARGUMENTS);
  CHECK_EQ(cnclInitComms(comm, 3, devices, bad_rank, 3, NULL), CNCL_RET_ERR_ARGUMENTS);
  CHECK_EQ(cnclInitComms(comm, 2, devices, NULL, 3, NULL), CNCL_RET_ERR_ARGUMENTS);
  CHECK_EQ(cnclInitComms(comm, 3, devices, NULL, 3, &id), CNCL_RET_ERR_ARGUMENTS);
  CHECK_EQ(cnclGetCliqueId(NULL), CNCL_RET_ERR_NULL_POINTER);
  CHECK_CNCL(cnclGetCliqueId(&id));
  id.data[20] ^= 1;
  CHECK_EQ(cnclInitComms(comm, 3, devices, NULL, 3, &id), CNCL_RET_ERR_ARGUMENTS);
  id.data[20] ^= 1;
  id.data[50] ^= 1; /* breaks the checksum */
  CHECK_EQ(cnclInitComms(comm, 3, devices, NULL, 3, &id), CNCL_RET_ERR_ARGUMENTS);
  id.data[50] ^= 1;
  CHECK_CNCL(cnclInitComms(comm, 3, devices, NULL, 3, &id));
  cnclComm_t more[3] = {comm[0], comm[1], comm[2]};
  CHECK_EQ(cnclInitComms(more, 3, devices, NULL, 3, &id), CNCL_RET_ERR_REINIT);
  for (int i = 0; i < 3; ++i) {
    CHECK(more[i] == NULL); /* a refused call creates no handles */
  }
  CHECK_CNCL(cnclDestroyComms(comm, 3));
}

/* Frameworks send only the bytes of id.data to other ranks. */
static void id_sent_as_bytes(void) {
  const int devices[RANKS] = {0, 1};
  struct cnclCliqueId made;
  struct cnclCliqueId received;
  cnclComm_t comm[RANKS];
  CHECK_CNCL(cnclGetCliqueId(&made));
  CHECK_EQ(sizeof(made.data), CNCL_CLIQUE_ID_BYTES_SIZE);
  memset(&received, 0x5a, sizeof(received));
  memcpy(&received, &made, CNCL_CLIQUE_ID_BYTES_SIZE);
  CHECK_CNCL(cnclInitComms(comm, RANKS, devices, NULL, RANKS, &received));
  CHECK_CNCL(cnclDestroyComms(comm, RANKS));
}

static void queries(void) {
  const int devices[RANKS] = {3, 1};
  const int ranks[RANKS] = {1, 0};
  struct cnclCommConfig config = {CNCL_PRIORITY_HIGH};
  cnclComm_t comm[RANKS];
  CHECK_CNCL(cnclInitComms(comm, RANKS, devices, ranks, RANKS, NULL));
  for (int i = 0; i < RANKS; ++i) {
    int value = -1;
    CHECK_CNCL(cnclGetCommCount(&value, comm[i]));
    CHECK_EQ(value, RANKS);
    CHECK_CNCL(cnclxGetLocalRankCount(&value, comm[i]));
    CHECK_EQ(value, RANKS);
    CHECK_CNCL(cnclxGetReachableRankCount(&value, comm[i]));
    CHECK_EQ(value, RANKS);
    CHECK_CNCL(cnclGetCommRank(&value, comm[i]));
    CHECK_EQ(value, ranks[i]);
    CHECK_CNCL(cnclGetCommDevice(&value, comm[i]));
    CHECK_EQ(value, devices[i]);
    CHECK_CNCL(cnclGetCommAsyncError(comm[i]));
  }
  CHECK_EQ(cnclGetCommRank(NULL, comm[0]), CNCL_RET_ERR_NULL_POINTER);
  CHECK_CNCL(cnclSetCommConfig(comm[0], &config));
  config.priority = (cnclPriority_t)7;
  CHECK_EQ(cnclSetCommConfig(comm[0], &config), CNCL_RET_ERR_ARGUMENTS);
  CHECK_EQ(cnclSetCommConfig(comm[0], NULL), CNCL_RET_ERR_NULL_POINTER);
  CHECK_EQ(cnclDestroyComms(NULL, RANKS), CNCL_RET_ERR_NULL_POINTER);
  CHECK_CNCL(cnclDestroyComms(comm, RANKS));
  int value = 0;
  CHECK_EQ(cnclGetCommRank(&value, comm[0]), CNCL_RET_ERR_NOT_INIT);
  CHECK_EQ(cnclGetCommAsyncError(comm[1]), CNCL_RET_ERR_NOT_INIT);
  CHECK_EQ(cnclFreeComm(comm[0]), CNCL_RET_ERR_NOT_INIT);
  CHECK_EQ(cnclAbortComm(NULL), CNCL_RET_ERR_NOT_INIT);
}

/* Every refused call leaves the queues empty. */
static void call_arguments(void) {
  struct world world;
  CHECK(world_open(&world, RANKS));
  cnclComm_t comm = world.comm[0];
  cnrtQueue_t queue = world.queue[0];
  int32_t *send = device_alloc(RANKS * COUNT * sizeof(*send));
  int32_t *recv = device_alloc(RANKS * COUNT * sizeof(*recv));
  int32_t *host = malloc(RANKS * COUNT * sizeof(*host));

  const cnclResult_t bad = CNCL_RET_ERR_ARGUMENTS;
  CHECK_EQ(cnclAllReduce(send, recv, COUNT, cnclInvalid, cnclSum, comm, queue), bad);
  CHECK_EQ(cnclAllReduce(send, recv, COUNT, (cnclDataType_t)0x77, cnclSum, comm, queue), bad);
  CHECK_EQ(cnclAllReduce(send, recv, COUNT, cnclInt32, (cnclReduceOp_t)4, comm, queue), bad);
  CHECK_EQ(cnclAllReduce(NULL, recv, COUNT, cnclInt32, cnclSum, comm, queue),
           CNCL_RET_ERR_NULL_POINTER);
  CHECK_EQ(cnclAllReduce(send, NULL, COUNT, cnclInt32, cnclSum, comm, queue),
           CNCL_RET_ERR_NULL_POINTER);
  CHECK_EQ(cnclAllReduce(host, recv, COUNT, cnclInt32, cnclSum, comm, queue), bad);
  CHECK_EQ(cnclAllReduce(send, recv, RANKS * COUNT + 1, cnclInt32, cnclSum, comm, queue), bad);
  CHECK_EQ(cnclAllReduce(send, recv, SIZE_MAX / 2, cnclInt32, cnclSum, comm, queue), bad);
  CHECK_EQ(cnclAllReduce(send, send + 1, COUNT, cnclInt32, cnclSum, comm, queue), bad);
  CHECK_EQ(cnclAllReduce(send, recv, COUNT, cnclInt32, cnclSum, comm, world.queue[1]), bad);
  CHECK_EQ(cnclAllReduce(send, recv, COUNT, cnclInt32, cnclSum, comm, (cnrtQueue_t)host), bad);
  CHECK_EQ(cnclAllReduce(send, recv, COUNT, cnclInt32, cnclSum, (cnclComm_t)host, queue),
           CNCL_RET_ERR_NOT_INIT);
  CHECK_EQ(cnclAllGather(recv + COUNT, recv, COUNT, cnclInt32, comm, queue), bad);
  CHECK_EQ(cnclReduceScatter(send, send + COUNT, COUNT, cnclInt32, cnclSum, comm, queue), bad);
  CHECK_EQ(cnclAlltoAll(send, send, COUNT, cnclInt32, comm, queue), bad);
  CHECK_EQ(cnclBroadcast(send, recv, COUNT, cnclInt32, RANKS, comm, queue), bad);
  CHECK_EQ(cnclBcast(send, COUNT, cnclInt32, -1, comm, queue), bad);
  CHECK_EQ(cnclReduce(send, recv, COUNT, cnclInt32, cnclSum, RANKS, comm, queue), bad);
  CHECK_EQ(cnclSend(send, COUNT, cnclInt32, RANKS, comm, queue), bad);
  CHECK_EQ(cnclRecv(recv, COUNT, cnclInt32, -1, comm, queue), bad);
  CHECK_EQ(cnclGroupEnd(), bad);

  const void *out[RANKS] = {send, send + COUNT};
  void *in[RANKS] = {recv, recv + COUNT};
  uint32_t counts[RANKS] = {COUNT, COUNT};
  uint32_t too_many[RANKS] = {COUNT, COUNT + 1};
  cnclDataType_t types[RANKS] = {cnclInt32, cnclInt32};
  cnclDataType_t no_types[RANKS] = {cnclInt32, cnclInvalid};
  CHECK_EQ(cnclAlltoAllv(NULL, counts, types, in, counts, types, comm, queue),
           CNCL_RET_ERR_NULL_POINTER);
  CHECK_EQ(cnclAlltoAllv(out, counts, types, in, too_many, types, comm, queue), bad);
  CHECK_EQ(cnclAlltoAllv(out, counts, types, in, counts, no_types, comm, queue), bad);
  CHECK_EQ(cnclAlltoAllv((const void **)in, counts, types, in, counts, types, comm, queue), bad);
  CHECK_EQ(cnclAlltoAllv(out, counts, types, in, counts, types, NULL, queue),
           CNCL_RET_ERR_NOT_INIT);

  /* If one call of a group is refused, none of its calls is made. */
  int depth = -1;
  CHECK_CNCL(cnclGroupStart());
  CHECK_CNCL(cnclxGetGroupDepth(&depth));
  CHECK_EQ(depth, 1);
  CHECK_EQ(cnclxGetGroupDepth(NULL), CNCL_RET_ERR_NULL_POINTER);
  CHECK_CNCL(cnclSend(send, COUNT, cnclInt32, 1, comm, queue));
  CHECK_EQ(cnclRecv(NULL, COUNT, cnclInt32, 1, comm, queue), CNCL_RET_ERR_NULL_POINTER);
  CHECK_EQ(cnclGroupEnd(), CNCL_RET_ERR_NULL_POINTER);
  CHECK_CNCL(cnclxGetGroupDepth(&depth));
  CHECK_EQ(depth, 0);

  world_sync(&world, cnrtSuccess);
  CHECK_CNCL(cnclGetCommAsyncError(comm));
  free(host);
  device_free(send);
  device_free(recv);
  world_close(&world);
}

/* Collectives cannot be captured: the call is refused and the capture becomes invalid. */
static void captured_queues(void) {
  struct world world;
  CHECK(world_open(&world, 1));
  int32_t *data = device_alloc(COUNT * sizeof(*data));
  const void *out[1] = {data};
  void *in[1] = {data};
  uint32_t counts[1] = {0};
  cnclDataType_t types[1] = {cnclInt32};
  for (int grouped = 0; grouped < 2; ++grouped) {
    for (int vectors = 0; vectors < 2; ++vectors) {
      cnclComm_t comm = world.comm[0];
      cnrtQueue_t queue = world.queue[0];
      cnrtTaskTopo_t topo = (cnrtTaskTopo_t)&topo;
      cnrtQueueCaptureStatus_t status = cnrtQueueCaptureStatusNone;
      CHECK_OK(cnrtQueueBeginCapture(queue, cnrtQueueCaptureModeRelaxed));
      if (grouped) {
        CHECK_CNCL(cnclGroupStart());
      }
      CHECK_EQ(vectors ? cnclAlltoAllv(out, counts, types, in, counts, types, comm, queue)
                       : cnclAllReduce(data, data, COUNT, cnclInt32, cnclSum, comm, queue),
               CNCL_RET_ERR_UNSUPPORTED);
      if (grouped) {
        CHECK_EQ(cnclGroupEnd(), CNCL_RET_ERR_UNSUPPORTED);
      }
      CHECK_OK(cnrtQueueIsCapturing(queue, &status));
      CHECK_EQ(status, cnrtQueueCaptureStatusInvalidated);
      CHECK_EQ(cnrtQueueEndCapture(queue, &topo), cnrtErrorQueueCaptureInvalidated);
      CHECK(topo == NULL);
    }
  }
  /* The communicator still works. */
  CHECK_CNCL(cnclAllReduce(data, data, COUNT, cnclInt32, cnclSum, world.comm[0], world.queue[0]));
  world_sync(&world, cnrtSuccess);
  device_free(data);
  world_close(&world);
}

/* ---- Settings ---- */

static void child_timeout(void) {
  struct cnclCliqueId id;
  cnclComm_t comm = NULL;
  const int device = 0;
  const int rank = 0;
  CHECK_CNCL(cnclGetCliqueId(&id));
  CHECK_EQ(cnclInitComms(&comm, 1, &device, &rank, 2, &id), CNCL_RET_ERR_INIT);
}

/* A group whose communicators cannot be created cleans up like a single call. */
static void child_group(void) {
  struct cnclCliqueId id;
  cnclComm_t comms[2] = {NULL, NULL};
  cnclComm_t freed = NULL;
  cnclComm_t whole = NULL;
  const int devices[2] = {0, 1};
  const int ranks[2] = {1, 2};
  void *data = device_alloc(COUNT);
  CHECK_CNCL(cnclGetCliqueId(&id));
  CHECK_CNCL(cnclGroupStart());
  CHECK_CNCL(cnclInitComms(comms, 2, devices, ranks, 3, &id));
  CHECK_CNCL(cnclInitComms(&whole, 1, devices, NULL, 1, NULL));
  CHECK_CNCL(cnclGetCliqueId(&id));
  CHECK_CNCL(cnclInitComms(&freed, 1, devices, NULL, 2, &id));
  CHECK_CNCL(cnclFreeComm(freed));
  freed = whole; /* cnclGroupEnd must not write it any more */
  CHECK_CNCL(cnclBcast(data, COUNT, cnclInt8, 0, comms[0], NULL));
  const cnclComm_t before = comms[0];
  CHECK_EQ(cnclGroupEnd(), CNCL_RET_ERR_INIT);
  int count = 0;
  CHECK(comms[0] == NULL && comms[1] == NULL);
  CHECK(freed == whole);
  CHECK_EQ(cnclGetCommCount(&count, before), CNCL_RET_ERR_NOT_INIT);
  CHECK_CNCL(cnclGetCommCount(&count, whole));
  CHECK_EQ(count, 1);
  CHECK_CNCL(cnclFreeComm(whole));
  device_free(data);
}

static void settings(void) {
  char output[4096];
  CHECK(cnclxSettingCount() == 2);
  for (size_t i = 0; i < cnclxSettingCount(); ++i) {
    const cnrtxSetting *setting = cnclxGetSetting(i);
    CHECK(strncmp(setting->name, "MLUOP_CNCL_", 11) == 0);
    CHECK(strlen(setting->default_value) > 0 && strlen(setting->meaning) > 0);
  }
  CHECK(cnclxGetSetting(cnclxSettingCount()) == NULL);
  CHECK_EQ(run_self("MLUOP_CNCL_TIMEOUT_MS=50 MLUOP_CNCL_TRANSPORT=local", "_timeout", output,
                    sizeof(output)),
           0);
  CHECK(strstr(output, "gave up after 50 ms") != NULL);
  CHECK_EQ(run_self("MLUOP_CNCL_TIMEOUT_MS=50 MLUOP_CNCL_TRANSPORT=pigeon", "_timeout", output,
                    sizeof(output)),
           0);
  CHECK(strstr(output, "MLUOP_CNCL_TRANSPORT=pigeon is not valid") != NULL);
}

static void failed_group(void) {
  char output[4096];
  CHECK_EQ(run_self("MLUOP_CNCL_TIMEOUT_MS=50", "_group", output, sizeof(output)), 0);
  CHECK(strstr(output, "gave up after 50 ms") != NULL);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"versions_and_texts", versions_and_texts},
      {"init_arguments", init_arguments},
      {"id_sent_as_bytes", id_sent_as_bytes},
      {"queries", queries},
      {"call_arguments", call_arguments},
      {"captured_queues", captured_queues},
      {"settings", settings},
      {"failed_group", failed_group},
      {"_timeout", child_timeout},
      {"_group", child_group},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}

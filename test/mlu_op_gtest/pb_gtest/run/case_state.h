/* SPDX-License-Identifier: MIT
 *
 * One case on its way through the framework: everything between its file and its verdicts. */
#ifndef MLUOP_TEST_RUN_CASE_STATE_H_
#define MLUOP_TEST_RUN_CASE_STATE_H_

#include "executor.h"
#include "judge/criteria.h"
#include "run/device_buffer.h"
#include "run/options.h"
#include "run/result.h"
#include "run/session.h"

typedef struct mluopTensorState {
  mluopTestTensor *tensor;
  char role[32]; /* "input[0]", for messages */
  bool is_output;
  bool written;                    /* the operator may change it */
  struct mluopTensorState *shares; /* the input that shares the output's memory, or NULL */
  void *image;     /* buffer content before the call, where the host keeps it: case_content.h */
  uint64_t digest; /* of an input without one */
  mluopDeviceBuffer device;
  /* What the first call made of an output: `after`, the buffer's content; or, where that would be
   * a copy of the expected values bit by bit, those. */
  void *after;
  bool as_expected;
  uint64_t expected_digest; /* digest of the expected values, if as_expected */
} mluopTensorState;

typedef struct mluopCaseState {
  const mluopTestOptions *options;
  mluopTestSession *session;
  const mluopTestExecutor *executor;
  mluopCaseResult *result;
  Mluoptest__Node *node;
  char *folder; /* of the case file */
  mluopTestContext ctx;
  mluopTensorState *tensors; /* inputs, then outputs */
  size_t n_tensors;
  mluopCriteria *criteria; /* per output */
  mluopDeviceBuffer workspace;
  uint32_t pattern;
  uint64_t seed;     /* of random addresses, different for each case */
  bool separate;     /* the reference has inputs of its own, not the device's */
  bool refused;      /* the case is one the operator must refuse */
  int status_wanted; /* if so, the status it must return; -1 for any error */
} mluopCaseState;

/* A case the operator must refuse may describe tensors larger than can be filled: they have
 * addresses but no data. */
bool mluop_case_is_sparse(const mluopCaseState *state, const mluopTensorState *tensor);

/* Adds a line to the case's failure. */
void mluop_case_fail(mluopCaseState *state, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Bytes of the buffer that `tensor` lies in on the device. */
const mluopDeviceBuffer *mluop_case_device_buffer(const mluopTensorState *tensor);

#endif /* MLUOP_TEST_RUN_CASE_STATE_H_ */

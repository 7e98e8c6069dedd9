/* SPDX-License-Identifier: MIT
 *
 * Handles, descriptors, refused calls, and operations in queues.
 */
#include <string.h>
#include <unistd.h>

#include "bed.h"

static void handles(void) {
  struct bed bed = bed_make();
  cnrtQueue_t queue = NULL;
  CHECK_CNNL(cnnlGetQueue(bed.handle, &queue));
  CHECK(queue == bed.queue);
  CHECK_EQ(cnnlCreate(NULL), CNNL_STATUS_BAD_PARAM);
  CHECK_EQ(cnnlDestroy(NULL), CNNL_STATUS_BAD_PARAM);
  CHECK_EQ(cnnlSetQueue(NULL, queue), CNNL_STATUS_BAD_PARAM);
  CHECK_EQ(cnnlGetQueue(bed.handle, NULL), CNNL_STATUS_BAD_PARAM);
  int major = 0;
  int minor = 0;
  int patch = 0;
  cnnlGetLibVersion(&major, &minor, &patch);
  CHECK_EQ(major * 10000 + minor * 100 + patch, CNNL_VERSION);
  CHECK(strcmp(cnnlGetErrorString(CNNL_STATUS_NOT_SUPPORTED), "CNNL_STATUS_NOT_SUPPORTED") == 0);
  CHECK(cnnlGetErrorString((cnnlStatus_t)99) != NULL);
  bed_free(&bed);
}

static void descriptors(void) {
  cnnlTensorDescriptor_t desc = NULL;
  const int dims[2] = {2, 3};
  const int64_t negative[2] = {2, -3};
  CHECK_EQ(cnnlCreateTensorDescriptor(NULL), CNNL_STATUS_BAD_PARAM);
  CHECK_CNNL(cnnlCreateTensorDescriptor(&desc));
  CHECK_CNNL(cnnlSetTensorDescriptor(desc, CNNL_LAYOUT_ARRAY, CNNL_DTYPE_FLOAT, 2, dims));
  CHECK_CNNL(cnnlSetTensorDescriptorEx(desc, CNNL_LAYOUT_ARRAY, CNNL_DTYPE_FLOAT, 2, dims, dims));
  CHECK_EQ(cnnlSetTensorDescriptor(desc, CNNL_LAYOUT_ARRAY, CNNL_DTYPE_FLOAT, 2, NULL),
           CNNL_STATUS_BAD_PARAM);
  CHECK_EQ(cnnlSetTensorDescriptor(desc, CNNL_LAYOUT_ARRAY, CNNL_DTYPE_FLOAT, 9, dims),
           CNNL_STATUS_NOT_SUPPORTED);
  CHECK_EQ(cnnlSetTensorDescriptor(desc, CNNL_LAYOUT_ARRAY, CNNL_DTYPE_INVALID, 2, dims),
           CNNL_STATUS_NOT_SUPPORTED);
  CHECK_EQ(cnnlSetTensorDescriptor_v2(desc, CNNL_LAYOUT_ARRAY, CNNL_DTYPE_FLOAT, 2, negative),
           CNNL_STATUS_BAD_PARAM);
  CHECK_CNNL(cnnlDestroyTensorDescriptor(desc));
}

static void wait_a_moment(void *argument) {
  usleep(50000);
  *(float *)argument = 1;
}

/* Operations run in queue order. The descriptor and the value may be gone after the call. */
static void in_queues(void) {
  struct bed bed = bed_make();
  float host[2] = {0, 0};
  void *device = upload(host, sizeof(host));
  cnnlTensorDescriptor_t desc = DENSE(CNNL_DTYPE_FLOAT, 1);
  float value = 7;
  CHECK_OK(cnrtInvokeHostFunc(bed.queue, wait_a_moment, device));
  CHECK_CNNL(cnnlCopy_v2(bed.handle, desc, device, desc, (char *)device + 4, NULL, 0));
  CHECK_CNNL(cnnlFill_v3(bed.handle, CNNL_POINTER_MODE_HOST, &value, desc, device));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(desc));
  value = 0;
  CHECK_EQ(cnrtQueueQuery(bed.queue), cnrtErrorNotReady);
  fetch(&bed, device, host, sizeof(host));
  CHECK(host[0] == 7 && host[1] == 1);
  bed_free(&bed);
}

static void refusals(void) {
  struct bed bed = bed_make();
  const float host[4] = {0};
  const float value = 0;
  void *device = upload(host, sizeof(host));
  cnnlTensorDescriptor_t four = DENSE(CNNL_DTYPE_FLOAT, 4);
  cnnlTensorDescriptor_t three = DENSE(CNNL_DTYPE_FLOAT, 3);
  cnnlTensorDescriptor_t integers = DENSE(CNNL_DTYPE_INT32, 4);
  cnnlTensorDescriptor_t unset = NULL;
  CHECK_CNNL(cnnlCreateTensorDescriptor(&unset));
  CHECK_EQ(cnnlFill_v3(NULL, CNNL_POINTER_MODE_HOST, &value, four, device), CNNL_STATUS_BAD_PARAM);
  CHECK_EQ(cnnlFill_v3(bed.handle, CNNL_POINTER_MODE_HOST, NULL, four, device),
           CNNL_STATUS_BAD_PARAM);
  CHECK_EQ(cnnlFill_v3(bed.handle, CNNL_POINTER_MODE_HOST, &value, four, NULL),
           CNNL_STATUS_BAD_PARAM);
  CHECK_EQ(cnnlFill_v3(bed.handle, CNNL_POINTER_MODE_HOST, &value, NULL, device),
           CNNL_STATUS_BAD_PARAM);
  CHECK_EQ(cnnlFill_v3(bed.handle, CNNL_POINTER_MODE_HOST, &value, unset, device),
           CNNL_STATUS_BAD_PARAM);
  CHECK_EQ(cnnlCopy_v2(bed.handle, four, device, three, device, NULL, 0), CNNL_STATUS_BAD_PARAM);
  CHECK_EQ(cnnlCopy_v2(bed.handle, four, device, integers, device, NULL, 0),
           CNNL_STATUS_NOT_SUPPORTED);
  CHECK_OK(cnrtQueueBeginCapture(bed.queue, cnrtQueueCaptureModeThreadLocal));
  CHECK_EQ(cnnlFill_v3(bed.handle, CNNL_POINTER_MODE_HOST, &value, four, device),
           CNNL_STATUS_NOT_SUPPORTED);
  cnrtTaskTopo_t topo = NULL;
  cnrtQueueEndCapture(bed.queue, &topo);
  CHECK_OK(cnrtFree(device));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(four));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(three));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(integers));
  CHECK_CNNL(cnnlDestroyTensorDescriptor(unset));
  bed_free(&bed);
}

static void child_fill(void) {
  struct bed bed = bed_make();
  const float value = 0;
  void *device = NULL;
  CHECK_OK(cnrtMalloc(&device, sizeof(value)));
  cnnlTensorDescriptor_t one = DENSE(CNNL_DTYPE_FLOAT, 1);
  CHECK_EQ(cnnlFill_v3(bed.handle, CNNL_POINTER_MODE_HOST, &value, one, device),
           CNNL_STATUS_NOT_SUPPORTED);
  CHECK_CNNL(cnnlDestroyTensorDescriptor(one));
  CHECK_OK(cnrtFree(device));
  bed_free(&bed);
}

static void memory_out_of_reach(void) {
  char output[1024];
  CHECK_EQ(run_self("MLUOP_CPU_HOST_ACCESS=0", "_fill", output, sizeof(output)), 0);
  CHECK(strstr(output,
               "cnnl: cnnlFill_v3: works on devices whose memory the host can touch only") != NULL);
}

int main(int argc, char **argv) {
  const struct test_case tests[] = {
      {"handles", handles},
      {"descriptors", descriptors},
      {"in_queues", in_queues},
      {"refusals", refusals},
      {"memory_out_of_reach", memory_out_of_reach},
      {"_fill", child_fill},
  };
  return run_tests(tests, sizeof(tests) / sizeof(tests[0]), argc, argv);
}

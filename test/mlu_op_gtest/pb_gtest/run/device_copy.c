/* SPDX-License-Identifier: MIT */
#include "run/device_copy.h"

#include <stdio.h>
#include <string.h>

void mluop_device_name(char *name, size_t size) {
  int device = 0;
  cnrtDeviceProp_t properties;
  memset(&properties, 0, sizeof(properties));
  if (cnrtGetDevice(&device) != cnrtSuccess ||
      cnrtGetDeviceProperties(&properties, device) != cnrtSuccess) {
    properties.name[0] = '\0';
  }
  snprintf(name, size, "%s", properties.name);
}

bool mluop_device_is_host(void) {
  char name[256];
  mluop_device_name(name, sizeof(name));
  return strstr(name, "CPU") != NULL;
}

bool mluop_device_copy_open(mluopDeviceCopy *copy, size_t bytes) {
  *copy = (mluopDeviceCopy){.capacity = bytes};
  if (cnrtQueueCreate(&copy->queue) == cnrtSuccess &&
      cnrtNotifierCreate(&copy->begin) == cnrtSuccess &&
      cnrtNotifierCreate(&copy->end) == cnrtSuccess &&
      cnrtMalloc(&copy->dst, bytes) == cnrtSuccess &&
      cnrtMalloc(&copy->src, bytes) == cnrtSuccess &&
      cnrtMemset(copy->src, 1, bytes) == cnrtSuccess) {
    return true;
  }
  mluop_device_copy_close(copy);
  return false;
}

void mluop_device_copy_close(mluopDeviceCopy *copy) {
  if (copy->dst) {
    cnrtFree(copy->dst);
  }
  if (copy->src) {
    cnrtFree(copy->src);
  }
  if (copy->begin) {
    cnrtNotifierDestroy(copy->begin);
  }
  if (copy->end) {
    cnrtNotifierDestroy(copy->end);
  }
  if (copy->queue) {
    cnrtQueueDestroy(copy->queue);
  }
  *copy = (mluopDeviceCopy){0};
}

double mluop_device_copy_us(const mluopDeviceCopy *copy, size_t bytes) {
  float us = -1;
  if (bytes > copy->capacity || cnrtPlaceNotifier(copy->begin, copy->queue) != cnrtSuccess ||
      cnrtMemcpyAsync(copy->dst, copy->src, bytes, copy->queue, cnrtMemcpyDevToDev) !=
          cnrtSuccess ||
      cnrtPlaceNotifier(copy->end, copy->queue) != cnrtSuccess ||
      cnrtQueueSync(copy->queue) != cnrtSuccess ||
      cnrtNotifierDuration(copy->begin, copy->end, &us) != cnrtSuccess) {
    return -1;
  }
  return us;
}

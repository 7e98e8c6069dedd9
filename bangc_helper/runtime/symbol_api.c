/* SPDX-License-Identifier: MIT
 *
 * The functions of cnrt.h for variables of kernels.
 */
#include "memory.h"
#include "root.h"
#include "transfers.h"

RT_EXPORT cnrtRet_t cnrtGetSymbolAddress(void **pPtr, const void *symbol) {
  char *start = NULL;
  size_t size = 0;
  if (pPtr == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  const cnrtRet_t error = rt_symbol_find(symbol, &start, &size);
  if (error == cnrtSuccess) {
    *pPtr = start;
  }
  return rt_fail(error);
}

RT_EXPORT cnrtRet_t cnrtGetSymbolSize(size_t *size, const void *symbol) {
  char *start = NULL;
  size_t found = 0;
  if (size == NULL) {
    return rt_fail(cnrtErrorArgsInvalid);
  }
  const cnrtRet_t error = rt_symbol_find(symbol, &start, &found);
  if (error == cnrtSuccess) {
    *size = found;
  }
  return rt_fail(error);
}

/* The part of a variable that a copy refers to. */
static cnrtRet_t part_of(const void *symbol, size_t offset, size_t bytes, char **part) {
  char *start = NULL;
  size_t size = 0;
  const cnrtRet_t error = rt_symbol_find(symbol, &start, &size);
  if (error != cnrtSuccess) {
    return error;
  }
  if (offset > size || bytes > size - offset) {
    return cnrtErrorArgsInvalid;
  }
  *part = start + offset;
  return cnrtSuccess;
}

/* True if the other side of a copy fits its direction; `host` is the direction between the variable
 * and the host. */
static cnrtRet_t check_other_side(const void *address, size_t bytes, cnrtMemTransDir_t dir,
                                  cnrtMemTransDir_t host) {
  bool device = false;
  if (dir == cnrtMemcpyDevToDev || dir == cnrtMemcpyPeerToPeer) {
    device = true;
  } else if (dir == cnrtMemcpyNoDirection) {
    device = rt_memory_touches_device(address, bytes);
  } else if (dir != host) {
    return cnrtErrorMemcpyDirectionInvalid;
  }
  return bytes == 0 || rt_copy_side_is_valid(address, bytes, device) ? cnrtSuccess
                                                                     : cnrtErrorArgsInvalid;
}

static cnrtRet_t from_symbol(void *dst, const void *symbol, size_t bytes, size_t offset,
                             cnrtMemTransDir_t dir, struct rt_transfer *transfer) {
  char *part = NULL;
  cnrtRet_t error = part_of(symbol, offset, bytes, &part);
  if (error == cnrtSuccess) {
    error = check_other_side(dst, bytes, dir, cnrtMemcpyDevToHost);
  }
  *transfer = (struct rt_transfer){.target = dst, .source = part, .bytes = bytes};
  return error;
}

static cnrtRet_t to_symbol(const void *symbol, const void *src, size_t bytes, size_t offset,
                           cnrtMemTransDir_t dir, struct rt_transfer *transfer) {
  char *part = NULL;
  cnrtRet_t error = part_of(symbol, offset, bytes, &part);
  if (error == cnrtSuccess) {
    error = check_other_side(src, bytes, dir, cnrtMemcpyHostToDev);
  }
  *transfer = (struct rt_transfer){.target = part, .source = src, .bytes = bytes};
  return error;
}

static cnrtRet_t now(cnrtRet_t error, const struct rt_transfer *transfer) {
  return rt_fail(error != cnrtSuccess || transfer->bytes == 0 ? error : rt_transfer_wait(transfer));
}

static cnrtRet_t enqueue(cnrtRet_t error, const struct rt_transfer *transfer, cnrtQueue_t queue) {
  return rt_fail(
      error != cnrtSuccess || transfer->bytes == 0 ? error : rt_transfer_enqueue(transfer, queue));
}

RT_EXPORT cnrtRet_t cnrtMemcpyFromSymbol(void *dst, const void *symbol, size_t bytes, size_t offset,
                                         cnrtMemTransDir_t dir) {
  struct rt_transfer transfer;
  const cnrtRet_t error = from_symbol(dst, symbol, bytes, offset, dir, &transfer);
  return now(error, &transfer);
}

RT_EXPORT cnrtRet_t cnrtMemcpyToSymbol(const void *symbol, const void *src, size_t bytes,
                                       size_t offset, cnrtMemTransDir_t dir) {
  struct rt_transfer transfer;
  const cnrtRet_t error = to_symbol(symbol, src, bytes, offset, dir, &transfer);
  return now(error, &transfer);
}

RT_EXPORT cnrtRet_t cnrtMemcpyFromSymbolAsync(void *dst, const void *symbol, size_t bytes,
                                              size_t offset, cnrtMemTransDir_t dir,
                                              cnrtQueue_t queue) {
  struct rt_transfer transfer;
  const cnrtRet_t error = from_symbol(dst, symbol, bytes, offset, dir, &transfer);
  return enqueue(error, &transfer, queue);
}

RT_EXPORT cnrtRet_t cnrtMemcpyToSymbolAsync(const void *symbol, const void *src, size_t bytes,
                                            size_t offset, cnrtMemTransDir_t dir,
                                            cnrtQueue_t queue) {
  struct rt_transfer transfer;
  const cnrtRet_t error = to_symbol(symbol, src, bytes, offset, dir, &transfer);
  return enqueue(error, &transfer, queue);
}

RT_EXPORT cnrtRet_t cnrtMemcpyFromSymbolAsync_V2(void *dst, const void *symbol, size_t bytes,
                                                 size_t offset, cnrtMemTransDir_t dir,
                                                 cnrtQueue_t queue) {
  return cnrtMemcpyFromSymbolAsync(dst, symbol, bytes, offset, dir, queue);
}

RT_EXPORT cnrtRet_t cnrtMemcpyToSymbolAsync_V2(const void *symbol, const void *src, size_t bytes,
                                               size_t offset, cnrtMemTransDir_t dir,
                                               cnrtQueue_t queue) {
  return cnrtMemcpyToSymbolAsync(symbol, src, bytes, offset, dir, queue);
}

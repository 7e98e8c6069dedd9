/* SPDX-License-Identifier: MIT
 *
 * A corpus of kernels in the idioms of real ones. Each file holds kernels and the host functions
 * that launch them on this machine's topology and compare the results with plain loops. */
#ifndef TEST_BANGC_HELPER_CORPUS_CORPUS_H_
#define TEST_BANGC_HELPER_CORPUS_CORPUS_H_

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "cnrt.h"

struct CorpusCase {
  const char *name;
  bool (*run)();
  CorpusCase *next;
  static CorpusCase *&first();
  CorpusCase(const char *case_name, bool (*body)()) : name(case_name), run(body), next(first()) {
    first() = this;
  }
};

/* CORPUS(name) { ... return true when the result is right; } */
#define CORPUS(name)                                          \
  static bool corpus_##name();                                \
  static CorpusCase corpus_case_##name(#name, corpus_##name); \
  static bool corpus_##name()

/* Device memory with a host copy. */
template <typename T>
struct Buffer {
  std::vector<T> host;
  T *device = nullptr;
  explicit Buffer(size_t n, T value = T()) : host(n, value) {
    if (cnrtMalloc((void **)&device, bytes()) != cnrtSuccess) fprintf(stderr, "no device memory\n");
    upload();
  }
  Buffer(const Buffer &) = delete;
  Buffer &operator=(const Buffer &) = delete;
  ~Buffer() { cnrtFree(device); }
  size_t bytes() const { return host.size() * sizeof(T); }
  void upload() { cnrtMemcpy(device, host.data(), bytes(), cnrtMemcpyHostToDev); }
  void download() { cnrtMemcpy(host.data(), device, bytes(), cnrtMemcpyDevToHost); }
  T &operator[](size_t i) { return host[i]; }
};

/* A queue whose sync prints errors. */
struct Queue {
  cnrtQueue_t queue = nullptr;
  Queue() { cnrtQueueCreate(&queue); }
  ~Queue() { cnrtQueueDestroy(queue); }
  operator cnrtQueue_t() const { return queue; }
  bool sync(const char *what) const {
    cnrtRet_t launch = cnrtGetLastError();
    cnrtRet_t run = cnrtQueueSync(queue);
    if (launch == cnrtSuccess && run == cnrtSuccess) return true;
    fprintf(stderr, "%s: launch %d (%s), run %d (%s)\n", what, (int)launch, cnrtGetErrorStr(launch),
            (int)run, cnrtGetErrorStr(run));
    return false;
  }
};

/* Reproducible numbers in [-1, 1). */
struct Numbers {
  uint32_t state;
  explicit Numbers(uint32_t seed) : state(seed) {}
  uint32_t word() { return state = state * 1664525u + 1013904223u, state >> 8; }
  float real() { return (float)(word() & 0xffff) / 32768.0f - 1.0f; }
  template <typename T>
  void fill(Buffer<T> &buffer) {
    for (T &x : buffer.host) x = (T)real();
    buffer.upload();
  }
};

inline int clusters() {
  int n = 1;
  cnrtDeviceGetAttribute(&n, cnrtAttrClusterCount, 0);
  return n;
}

inline int coresPerCluster() {
  int n = 1;
  cnrtDeviceGetAttribute(&n, cnrtAttrMcorePerCluster, 0);
  return n;
}

/* One task per core of the device. */
inline cnrtDim3_t allCores() {
  cnrtDim3_t dim = {(unsigned)(clusters() * coresPerCluster()), 1, 1};
  return dim;
}

/* The largest union the device has, and its dimension. */
inline cnrtFunctionType_t largestUnion(cnrtDim3_t *dim) {
  int n = 1;
  while (2 * n <= clusters() && n < 8) n *= 2;
  dim->x = (unsigned)(n * coresPerCluster());
  dim->y = dim->z = 1;
  return n == 8   ? cnrtFuncTypeUnion8
         : n == 4 ? cnrtFuncTypeUnion4
         : n == 2 ? cnrtFuncTypeUnion2
                  : cnrtFuncTypeUnion1;
}

template <typename T>
bool same(const char *what, Buffer<T> &got, const std::vector<T> &wanted, double tolerance = 0) {
  for (size_t i = 0; i < wanted.size(); ++i) {
    double g = (double)(float)got.host[i], w = (double)(float)wanted[i];
    if (g == w || std::fabs(g - w) <= tolerance * (1 + std::fabs(w))) continue;
    fprintf(stderr, "%s: element %zu is %.9g, wanted %.9g\n", what, i, g, w);
    return false;
  }
  return true;
}

#endif /* TEST_BANGC_HELPER_CORPUS_CORPUS_H_ */

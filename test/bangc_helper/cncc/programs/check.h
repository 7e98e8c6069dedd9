/* SPDX-License-Identifier: MIT
 *
 * Helpers of the test programs: checks with a message, device memory, launch dimensions.
 */
#ifndef CHECK_H_
#define CHECK_H_

#include <cnrt.h>

#include <iostream>

inline int &failures() {
  static int count = 0;
  return count;
}

/* Waits for all launches, then compares. */
#define CHECK_EQ(got, wanted)                                                                 \
  do {                                                                                        \
    cnrtRet_t status = cnrtSyncDevice();                                                      \
    if (status != cnrtSuccess || cnrtGetLastError() != cnrtSuccess || !((got) == (wanted))) { \
      std::cout << __FILE__ << ":" << __LINE__ << ": " #got " is " << (got) << ", not "       \
                << (wanted) << " (status " << status << ")\n";                                \
      ++failures();                                                                           \
    }                                                                                         \
  } while (0)

/* Allocates zeroed device memory for n elements. */
template <typename T>
T *device_array(int n) {
  void *memory = nullptr;
  if (cnrtMalloc(&memory, n * sizeof(T)) != cnrtSuccess) return nullptr;
  cnrtMemset(memory, 0, n * sizeof(T));
  return static_cast<T *>(memory);
}

inline cnrtDim3_t tasks(unsigned n) {
  cnrtDim3_t dim = {n, 1, 1};
  return dim;
}

inline int finish() {
  std::cout << (failures() ? "failed" : "passed") << std::endl;
  return failures() ? 1 : 0;
}

#endif /* CHECK_H_ */

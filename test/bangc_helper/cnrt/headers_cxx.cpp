// SPDX-License-Identifier: MIT
//
// The public headers are C++17 as well; compiled with -Wpedantic.
#include "cnrt.h"

#include "cn_api.h"
#include "cncl.h"
#include "cncl_external.h"
#include "cndev.h"
#include "cnrt_external.h"

extern "C" int header_check_c(void);
extern "C" int header_check_driver(void);

int main() {
  const cnrtQueue_t queue = nullptr;
  const CNqueue same = queue;  // one type for both interfaces
  CNRT_CHECK(cnrtQueueSync(same));
  return header_check_c() == CNRT_VERSION && header_check_driver() ? 0 : 1;
}

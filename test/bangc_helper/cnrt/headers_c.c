/* SPDX-License-Identifier: MIT
 *
 * The public headers are complete on their own and strict C11; compiled with -Wpedantic.
 */
#include "cn_api.h"
#include "cncl.h"
#include "cncl_external.h"
#include "cndev.h"
#include "cnrt.h"
#include "cnrt_external.h"
#include "cnrtc.h"

int header_check_c(void);

int header_check_c(void) {
  CNRT_CHECK(cnrtGetLastError());
  return CNRT_VERSION;
}

/* SPDX-License-Identifier: MIT
 *
 * Existing programs include only cnrt.h and use contexts of the driver interface.
 */
#include "cnrt.h"

int header_check_driver(void);

int header_check_driver(void) {
  CNcontext context = NULL;
  CNctxConfigParam clusters;
  return cnInit(0) == CN_SUCCESS && cnSharedContextAcquire(&context, 0) == CN_SUCCESS &&
         cnCtxSetCurrent(context) == CN_SUCCESS &&
         cnGetCtxConfigParam(context, CN_CTX_CONFIG_VISIBLE_CLUSTER_NUM, &clusters) == CN_SUCCESS;
}

/* SPDX-License-Identifier: MIT
 *
 * Programs of the SDK use the driver's contexts with cnrt.h alone.
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

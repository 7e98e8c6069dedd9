/* SPDX-License-Identifier: MIT
 *
 * Choice of the transport. The one for other processes is a separate module, loaded when a clique
 * needs it.
 */
#ifndef CNCL_LOADER_H_
#define CNCL_LOADER_H_

#include "transport.h"

/* The transport of a new clique; `alone`: all its ranks are known to be in this process. */
cnclResult_t cncl_choose_transport(bool alone, const struct cncl_transport **transport);

/* True if ranks that are not in this process may be in other processes. */
bool cncl_has_other_processes(void);

#endif /* CNCL_LOADER_H_ */

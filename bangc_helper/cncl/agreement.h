/* SPDX-License-Identifier: MIT
 *
 * Do the calls that met belong together?
 */
#ifndef CNCL_AGREEMENT_H_
#define CNCL_AGREEMENT_H_

#include "header.h"

/* "AllReduce of 4 float (sum)" */
void cncl_describe(const struct cncl_header *header, char *text, size_t size);

/* True if the calls fit together. headers[r] is rank r's; for a transfer, the sender's and the
 * receiver's. If they do not fit, text says why and names the ranks. */
bool cncl_agree(const struct cncl_header *const *headers, int count, char *text, size_t size);

#endif /* CNCL_AGREEMENT_H_ */

/* SPDX-License-Identifier: MIT */
#ifndef FAULTY_H_
#define FAULTY_H_

#include "cnrt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Starts a kernel whose task 1 writes to an address that no memory belongs to. */
void launch_faulty(cnrtQueue_t queue);
/* Starts a kernel that adds one to *counter. */
void launch_sound(cnrtQueue_t queue, int *counter);

#ifdef __cplusplus
}
#endif

#endif /* FAULTY_H_ */

/* SPDX-License-Identifier: MIT */
#ifndef FAULTY_H_
#define FAULTY_H_

#include "cnrt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Launches a kernel whose task 1 writes to an unmapped address. */
void launch_faulty(cnrtQueue_t queue);
/* Launches a kernel that adds one to *counter. */
void launch_sound(cnrtQueue_t queue, int *counter);

#ifdef __cplusplus
}
#endif

#endif /* FAULTY_H_ */

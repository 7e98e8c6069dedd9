/* SPDX-License-Identifier: MIT
 *
 * How the functions of the language are declared. On the CPU device functions are ordinary ones;
 * another root has its own version of this file.
 */
#ifndef BANG_INLINE_H_
#define BANG_INLINE_H_

#define BANG_INLINE inline
/* Scalar types and their arithmetic: host code has them, too. */
#define BANG_BOTH inline
/* Member functions of the language's types. */
#define BANG_MEMBER

/* C's memmove, by whatever runs a task. */
#define BANG_MEMMOVE memmove

#endif /* BANG_INLINE_H_ */

/* SPDX-License-Identifier: MIT
 *
 * How the functions of the language are declared. On the CPU, device functions are ordinary
 * functions; other roots have their own version of this file.
 */
#ifndef BANG_INLINE_H_
#define BANG_INLINE_H_

#define BANG_INLINE inline
/* Functions that use templates and that most kernels do not call. */
#define BANG_ON_CALL BANG_INLINE
/* Scalar types and their arithmetic, which host code uses too. */
#define BANG_BOTH inline
/* Member functions of the language's types. */
#define BANG_MEMBER

/* C's memmove, for use inside a task. */
#define BANG_MEMMOVE memmove

#endif /* BANG_INLINE_H_ */

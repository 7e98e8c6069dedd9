/* SPDX-License-Identifier: MIT
 *
 * The qualifiers of BANG C for host files, where they expand to nothing: a host file may declare
 * what a kernel file defines. In kernel files cncc handles them.
 */
#ifndef BANG_QUALIFIERS_H_
#define BANG_QUALIFIERS_H_

#ifndef __BANG__
#define __mlu_global__
#define __mlu_entry__
#define __mlu_func__
#define __mlu_vector__
#define __mlu_builtin__
#define __mlu_simt__
#define __mlu_device__
#define __nram__
#define __wram__
#define __mlu_shared__
#define __ldram__
#define __mlu_const__
#define __mlu_host__
#define __mlu_generic__
#endif

#endif /* BANG_QUALIFIERS_H_ */

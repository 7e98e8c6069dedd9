/* SPDX-License-Identifier: MIT
 *
 * BANG C for NVIDIA Hopper GPUs: everything a kernel may name without including anything else. cncc
 * includes this file before every .mlu file, with macros for what the file does not need. The
 * qualifiers (__mlu_global__, __nram__, ...) and <<<>>> are handled by cncc itself. Host files get
 * only the types.
 */
#ifndef BANG_H_
#define BANG_H_

#if !defined(__cplusplus) || __cplusplus < 201402L
#error "bang.h needs C++14 or later"
#endif

#include "bang_runtime.h"

#include "bang/types.h"

#ifdef __BANG__

#include "bang/half_math.h"
#include "bang/scalar_math.h"
#include "bang/builtin.h"
#include "bang/vector_api.h"
#include "bang/barrier.h"
#include "bang/copy.h"
#include "bang/fill.h"
#include "bang/sync.h"
#include "bang/vector.h"
#include "bang/select.h"
#include "bang/pool.h"
#include "bang/layout.h"
#include "bang/gather.h"
#include "bang/fusion.h"
#ifndef __BANG_NO_ATOMICS__
#include "bang/atomic.h"
#include "bang/atomic_async.h"
#include "bang/discrete_atomic.h"
#endif
#include "bang/integer.h"
#include "bang/tensor.h"
#include "bang/space.h"
#ifndef __BANG_NO_VECTOR_REGISTERS__
#include "bang/vv.h"
#include "bang/vv_mask.h"
#endif
#ifndef __BANG_NO_LIBDEVICE__
#include "bang/libdevice.h"
#include "bang/libdevice_round.h"
#include "bang/libdevice_math.h"
#include "bang/libdevice_cast.h"
#endif
#include "bang/older.h"

#include "bang_lowering.h"
#include "bang_asm.h"
#include "bang/output.h"
#include "bang/gcc_builtins.h"

#endif /* __BANG__ */

#endif /* BANG_H_ */

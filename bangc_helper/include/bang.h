/* SPDX-License-Identifier: MIT
 *
 * BANG C for the CPU: everything a kernel may name without including anything else. cncc includes
 * this file before every .mlu file. The qualifiers (__mlu_global__, __nram__, ...) and <<<>>> are
 * handled by cncc itself.
 */
#ifndef BANG_H_
#define BANG_H_

#if !defined(__cplusplus) || __cplusplus < 201402L
#error "bang.h needs C++14 or later"
#endif

#include <sys/time.h> /* BANG C declares gettimeofday */

#include "bang_runtime.h"

#include "bang/types.h"
#include "bang/half_math.h"
#include "bang/scalar_math.h"
#include "bang/builtin.h"
#include "bang/copy.h"
#include "bang/fill.h"
#include "bang/sync.h"
#include "bang/vector.h"
#include "bang/select.h"
#include "bang/pool.h"
#include "bang/layout.h"
#include "bang/gather.h"
#include "bang/fusion.h"
#include "bang/atomic.h"
#include "bang/atomic_async.h"
#include "bang/discrete_atomic.h"
#include "bang/integer.h"
#include "bang/tensor.h"
#include "bang/space.h"
#include "bang/vv.h"
#include "bang/vv_mask.h"
#include "bang/libdevice.h"
#include "bang/libdevice_round.h"
#include "bang/libdevice_math.h"
#include "bang/libdevice_cast.h"
#include "bang/older.h"
#include "bang/output.h"

#include "bang_lowering.h"
#include "bang_asm.h"

#endif /* BANG_H_ */

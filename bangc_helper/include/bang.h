/* SPDX-License-Identifier: MIT
 *
 * BANG C for the CPU: everything a kernel may name without including anything else. cncc includes
 * this file ahead of every .mlu; the qualifiers (__mlu_global__, __nram__, ...) and <<<>>> are
 * cncc's own work.
 */
#ifndef BANG_H_
#define BANG_H_

#if !defined(__cplusplus) || __cplusplus < 201103L
#error "bang.h needs C++11 or later"
#endif

#include "bang_runtime.h"

#include "bang/types.h"
#include "bang/half_math.h"
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
#include "bang/tensor.h"
#include "bang/space.h"
#include "bang/vv.h"
#include "bang/libdevice.h"
#include "bang/older.h"
#include "bang/output.h"

#if __has_include("bang_lowering.h")
#include "bang_lowering.h"
#endif
#if __has_include("bang_asm.h")
#include "bang_asm.h"
#endif

#endif /* BANG_H_ */

/* SPDX-License-Identifier: MIT */
#include "vector/computed.h"

__thread Computed bang_computed;

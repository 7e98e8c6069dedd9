/* SPDX-License-Identifier: MIT */
#pragma once
#include "scale.h"

void launch_shift(int *data, int n, int step, cnrtQueue_t queue);

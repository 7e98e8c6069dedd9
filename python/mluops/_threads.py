# SPDX-License-Identifier: MIT
"""Limits the runtime's threads to the number torch uses, if torch is loaded."""
import os
import sys

from ._library import library

_is_set = bool(os.environ.get("MLUOP_CPU_THREADS"))
_count_of_torch = None  # torch.get_num_threads, once torch is loaded
_limit = 0


def follow_torch():
    """Called before each operator: use torch.get_num_threads() threads, unless MLUOP_CPU_THREADS is set."""
    global _limit, _count_of_torch
    if _count_of_torch is None:
        # While torch is being imported, the function does not exist yet.
        _count_of_torch = None if _is_set else getattr(sys.modules.get("torch"), "get_num_threads", None)
        if _count_of_torch is None:
            return
    count = _count_of_torch()
    if count != _limit:
        library.cnrtxLimitThreads(count)
        _limit = count

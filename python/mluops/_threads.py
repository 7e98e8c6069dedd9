# SPDX-License-Identifier: MIT
"""How many threads work on a call: those of the runtime, and no more than torch would use where torch is loaded."""
import os
import sys

from ._library import library

_is_set = bool(os.environ.get("MLUOP_CPU_THREADS"))
_limit = 0


def follow_torch():
    """Before a call: as many threads as torch.get_num_threads(), unless MLUOP_CPU_THREADS says how many."""
    global _limit
    torch = sys.modules.get("torch")
    if torch is None or _is_set:
        return
    try:
        count = torch.get_num_threads()
    except AttributeError:  # it is just being imported
        return
    if count != _limit:
        library.cnrtxLimitThreads(count)
        _limit = count

# SPDX-License-Identifier: MIT
# The smallest root: one device of one core, in the caller's own thread. It needs nothing of the machine.
set(MLUOP_ROOT_HAS_HOST_MEMORY ON)

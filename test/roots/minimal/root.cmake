# SPDX-License-Identifier: MIT
# The smallest root: one device with one core, which is the caller's thread. It needs nothing from the machine.
set(MLUOP_ROOT_HAS_HOST_MEMORY ON)

# SPDX-License-Identifier: MIT
# The CPU root needs nothing beyond what builds the project.
set(MLUOP_ROOT_HAS_IPC ON)
set(MLUOP_ROOT_HAS_HOST_MEMORY ON)

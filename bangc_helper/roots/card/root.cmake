# SPDX-License-Identifier: MIT
# The card root needs LLVM 14 with its C interface, and clang of the same version: bang-card reads the bitcode that clang
# writes.
#   MLUOP_LLVM_INCLUDE, MLUOP_LLVM_LIBRARY   LLVM's headers and shared library
set(llvm_home /usr/lib/llvm-14)
find_program(MLUOP_CARD_CLANG clang++-14 HINTS ${llvm_home}/bin)
find_path(MLUOP_LLVM_INCLUDE llvm-c/Core.h HINTS ${llvm_home}/include NO_DEFAULT_PATH)
find_library(MLUOP_LLVM_LIBRARY LLVM-14 HINTS ${llvm_home}/lib)
foreach(part MLUOP_CARD_CLANG MLUOP_LLVM_INCLUDE MLUOP_LLVM_LIBRARY)
  if(NOT ${part})
    message(FATAL_ERROR "MLUOP_NEUWARE_TARGET=card needs LLVM 14 (Debian's clang-14 and llvm-14-dev): ${part} was not found")
  endif()
endforeach()
mark_as_advanced(MLUOP_CARD_CLANG MLUOP_LLVM_INCLUDE MLUOP_LLVM_LIBRARY)

if(MLUOP_BUILD_ASAN_CHECK OR MLUOP_BUILD_TSAN_CHECK OR MLUOP_BUILD_COVERAGE_TEST)
  message(FATAL_ERROR "kernels of the card root are instrumented otherwise: sanitizers and coverage are for the CPU root")
endif()

set(MLUOP_CNCC_CXX ${MLUOP_CARD_CLANG})
set(MLUOP_CNCC_CXX_IS_CLANG true)
set(MLUOP_ROOT_ARCH mtp_372 mtp_592)
set(MLUOP_CNCC_TOOLS bang-card)
set(MLUOP_ROOT_HAS_IPC ON)
set(MLUOP_ROOT_HAS_HOST_MEMORY ON)

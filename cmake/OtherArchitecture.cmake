# SPDX-License-Identifier: MIT
# Toolchain file for tools/ci_matrix.sh: compiles for x86-64 on an Arm machine and for Arm on an x86-64 one, with the
# distribution's cross compiler. Programs run in qemu. Libraries that tests link are searched for in MLUOP_OTHER_ROOT.
if(CMAKE_HOST_SYSTEM_PROCESSOR STREQUAL aarch64)
  set(CMAKE_SYSTEM_PROCESSOR x86_64)
else()
  set(CMAKE_SYSTEM_PROCESSOR aarch64)
endif()
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_LIBRARY_ARCHITECTURE ${CMAKE_SYSTEM_PROCESSOR}-linux-gnu)
set(CMAKE_C_COMPILER ${CMAKE_LIBRARY_ARCHITECTURE}-gcc)
set(CMAKE_CXX_COMPILER ${CMAKE_LIBRARY_ARCHITECTURE}-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${CMAKE_SYSTEM_PROCESSOR} -cpu max -L /usr/${CMAKE_LIBRARY_ARCHITECTURE})

list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES MLUOP_OTHER_ROOT)
set(CMAKE_FIND_ROOT_PATH ${MLUOP_OTHER_ROOT} /usr/${CMAKE_LIBRARY_ARCHITECTURE})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(ENV{PKG_CONFIG_SYSROOT_DIR} ${MLUOP_OTHER_ROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${MLUOP_OTHER_ROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/pkgconfig)
# That folder has only static libraries, so the tests link all but the C and C++ libraries statically.
set(MLUOP_TEST_STATIC_LIBRARIES ON)

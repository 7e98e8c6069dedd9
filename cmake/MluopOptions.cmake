# SPDX-License-Identifier: MIT
# Build options (names as in MLU-OPS) and the compiler settings that all targets share.

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release or Debug" FORCE)
endif()

set(MLUOP_NEUWARE_HOME "" CACHE PATH "Neuware root of a vendor's SDK; empty: build the embedded one")
include(${CMAKE_SOURCE_DIR}/bangc_helper/roots/list.cmake)
list(JOIN MLUOP_ROOTS ", " roots)
set(MLUOP_NEUWARE_TARGET cpu CACHE STRING "What the embedded Neuware root runs on: ${roots}")
set_property(CACHE MLUOP_NEUWARE_TARGET PROPERTY STRINGS ${MLUOP_ROOTS})
if(NOT MLUOP_NEUWARE_TARGET IN_LIST MLUOP_ROOTS)
  message(FATAL_ERROR "MLUOP_NEUWARE_TARGET: wanted one of ${roots}, got '${MLUOP_NEUWARE_TARGET}'")
endif()
# Defaults that a root may change. A root may also search for compilers and refuse options.
set(MLUOP_ROOT_TESTS_RUN_HERE ON)  # tests started by ctest can use the device
set(MLUOP_ROOT_HAS_IPC OFF)        # the root can share memory and notifiers between processes
set(MLUOP_ROOT_HAS_HOST_MEMORY OFF)  # the host can access device memory directly, as MPI does
set(MLUOP_ROOT_ARCH mtp_592)       # default architectures to compile kernels for
set(MLUOP_CNCC_TOOLS "")           # targets of this build that cncc starts
if(NOT MLUOP_NEUWARE_HOME)
  include(${CMAKE_SOURCE_DIR}/bangc_helper/roots/${MLUOP_NEUWARE_TARGET}/root.cmake)
endif()
option(MLUOP_BUILD_GTEST "Build the tests" ON)
option(MLUOP_BUILD_STATIC "Build a static library as well" OFF)
option(MLUOP_BUILD_ASAN_CHECK "Build with AddressSanitizer and UndefinedBehaviorSanitizer" OFF)
option(MLUOP_BUILD_TSAN_CHECK "Build with ThreadSanitizer" OFF)
option(MLUOP_BUILD_COVERAGE_TEST "Build with coverage counters" OFF)
set(MLUOP_BUILD_SPECIFIC_OP "" CACHE STRING "Operators to build, separated by ';'; empty: all")
option(MLUOP_CPU_BASELINE_ONLY "Vector units without AVX: builds sooner, runs slower" OFF)
set(MLUOP_CPU_ISAS baseline)  # values that MLUOP_CPU_ISA may have
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|amd64|AMD64" AND NOT MLUOP_CPU_BASELINE_ONLY)
  list(APPEND MLUOP_CPU_ISAS avx2 avx512 avx512_bf16 avx512_amx)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64" AND NOT MLUOP_CPU_BASELINE_ONLY)
  list(APPEND MLUOP_CPU_ISAS bf16)
endif()
option(MLUOP_BUILD_SELFTEST "Build the tests of the test framework and of the Neuware root even with MLUOP_BUILD_SPECIFIC_OP" OFF)
set(MLUOP_MLU_ARCH_LIST "${MLUOP_ROOT_ARCH}" CACHE STRING "Architectures handed to cncc, separated by ';'")

set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)  # pthreads, TLS, inline assembly of the runtime
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)  # the Neuware root is installed as it was staged
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)

set(MLUOP_SANITIZER_FLAGS "")
if(MLUOP_BUILD_ASAN_CHECK AND MLUOP_BUILD_TSAN_CHECK)
  message(FATAL_ERROR "AddressSanitizer and ThreadSanitizer exclude each other")
elseif(MLUOP_BUILD_ASAN_CHECK)
  set(MLUOP_SANITIZER_FLAGS -fsanitize=address,undefined -fno-sanitize-recover=undefined
                            -fno-omit-frame-pointer)
  if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    # These two checks need the sanitizer's C++ library, which C programs do not link.
    list(APPEND MLUOP_SANITIZER_FLAGS -fno-sanitize=function,vptr)
  endif()
elseif(MLUOP_BUILD_TSAN_CHECK)
  set(MLUOP_SANITIZER_FLAGS -fsanitize=thread -fno-omit-frame-pointer)
endif()
if(MLUOP_BUILD_COVERAGE_TEST)
  list(APPEND MLUOP_SANITIZER_FLAGS --coverage)
endif()
# With sanitizers, gcc warns of uninitialised values where there are none.
if(MLUOP_SANITIZER_FLAGS AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  list(APPEND MLUOP_SANITIZER_FLAGS -Wno-maybe-uninitialized)
endif()
add_compile_options(${MLUOP_SANITIZER_FLAGS})
add_link_options(${MLUOP_SANITIZER_FLAGS})

# No fused multiply-add: with it a * b + c is rounded once instead of twice, and results are compared bit by bit between CPUs.
add_compile_options(-ffp-contract=off)
add_compile_options(-Wall -Wextra -Werror)
# Line numbers in every build, for fault reports, sanitizers, debuggers and profilers; cncc does the same for kernels.
add_compile_options($<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:C,CXX>>:-g1>)

# Flags of one build type as a list, for the kernels cncc compiles.
string(TOUPPER "${CMAKE_BUILD_TYPE}" mluop_build_type)
separate_arguments(MLUOP_CNCC_FLAGS UNIX_COMMAND "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${mluop_build_type}}")
list(APPEND MLUOP_CNCC_FLAGS ${MLUOP_SANITIZER_FLAGS} -std=c++17 -fPIC -Wall -Wextra -Werror
            -fmacro-prefix-map=${CMAKE_SOURCE_DIR}/=)
# A vendor's compiler needs the path of its root. -isystem silences warnings in the root's headers. Kernel symbols stay visible,
# because the vendor's runtime finds device code by symbols.
if(MLUOP_NEUWARE_HOME)
  list(APPEND MLUOP_CNCC_FLAGS --neuware-path=${MLUOP_NEUWARE_HOME} -isystem ${MLUOP_NEUWARE_HOME}/include)
else()
  list(APPEND MLUOP_CNCC_FLAGS -fvisibility=hidden)
endif()
foreach(arch IN LISTS MLUOP_MLU_ARCH_LIST)
  list(APPEND MLUOP_CNCC_FLAGS --bang-mlu-arch=${arch})
endforeach()

function(mluop_print_summary)
  message(STATUS "mluops ${PROJECT_VERSION}")
  message(STATUS "  Neuware root  : ${NEUWARE_HOME}")
  message(STATUS "  build type    : ${CMAKE_BUILD_TYPE} ${MLUOP_SANITIZER_FLAGS}")
  message(STATUS "  operators     : ${MLUOP_OPERATORS}")
  message(STATUS "  tests         : ${MLUOP_BUILD_GTEST}")
endfunction()

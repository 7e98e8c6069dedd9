# SPDX-License-Identifier: MIT
# What the Hopper root needs from the machine, and how its programs are linked: so that libraries and programs can be
# carried to a machine with a GPU and nothing else (test/sm90/pack.sh).
#   MLUOP_NVCC, MLUOP_CUDA_INCLUDE, MLUOP_CUDA_RUNTIME   compiler, headers and shared CUDA runtime

find_program(MLUOP_NVCC nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin)
if(NOT MLUOP_NVCC)
  message(FATAL_ERROR "MLUOP_NEUWARE_TARGET=sm90 needs the CUDA toolkit: nvcc was not found (PATH, CUDA_HOME, "
                      "/usr/local/cuda)")
endif()
get_filename_component(cuda_root ${MLUOP_NVCC} REALPATH)
get_filename_component(cuda_root ${cuda_root} DIRECTORY)
get_filename_component(cuda_root ${cuda_root} DIRECTORY)
find_path(MLUOP_CUDA_INCLUDE cuda_runtime_api.h HINTS ${cuda_root}/include ${cuda_root}/targets/x86_64-linux/include)
find_library(MLUOP_CUDA_RUNTIME cudart HINTS ${cuda_root}/lib64 ${cuda_root}/targets/x86_64-linux/lib)
foreach(part MLUOP_CUDA_INCLUDE MLUOP_CUDA_RUNTIME)
  if(NOT ${part})
    message(FATAL_ERROR "${MLUOP_NVCC} is there, but ${part} was not found below ${cuda_root}")
  endif()
endforeach()
mark_as_advanced(MLUOP_NVCC MLUOP_CUDA_INCLUDE MLUOP_CUDA_RUNTIME)

if(MLUOP_BUILD_ASAN_CHECK OR MLUOP_BUILD_TSAN_CHECK OR MLUOP_BUILD_COVERAGE_TEST)
  message(FATAL_ERROR "sanitizers of the host compiler do not fit the Hopper root; compute-sanitizer checks its kernels")
endif()

# Programs find their libraries relative to their own folder, in the build folder and in a copy of it.
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
# Link statically what the tests need beyond the C library, including the C++ library.
set(CMAKE_FIND_LIBRARY_SUFFIXES .a .so)
set(Protobuf_USE_STATIC_LIBS ON)
set(MLUOP_TEST_STATIC_LIBRARIES ON)
add_link_options(-static-libgcc -static-libstdc++)

# Forms with scalar loops are for CPUs. Here they only have to be right, and would take a tenth of the build.
set(MLUOP_SCALAR_FORM_FLAGS -O1)
set(MLUOP_ROOT_HAS_IPC ON)
# The tests need a GPU; test/sm90/run.sh runs them.
set(MLUOP_ROOT_TESTS_RUN_HERE OFF)
set(MLUOP_CNCC_DEFINITIONS CNCC_DEFAULT_NVCC="${MLUOP_NVCC}")

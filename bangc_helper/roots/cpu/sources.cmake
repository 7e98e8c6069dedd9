# SPDX-License-Identifier: MIT
# cpu_root_sources(FILE...): adds files of the current folder to libcnrt, unless the root has its own
# (MLUOP_CPU_ROOT_WITHOUT, paths from this folder).
include_guard()
set(MLUOP_CPU_ROOT ${CMAKE_CURRENT_LIST_DIR})
target_include_directories(cnrt PRIVATE ${MLUOP_CPU_ROOT})
function(cpu_root_sources)
  foreach(file IN LISTS ARGN)
    file(RELATIVE_PATH name ${MLUOP_CPU_ROOT} ${CMAKE_CURRENT_SOURCE_DIR}/${file})
    if(NOT name IN_LIST MLUOP_CPU_ROOT_WITHOUT)
      target_sources(cnrt PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/${file})
      set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/${file} TARGET_DIRECTORY cnrt
                                  PROPERTIES COMPILE_DEFINITIONS _GNU_SOURCE)
    endif()
  endforeach()
endfunction()

# SPDX-License-Identifier: MIT
# Reads the operator registry (core/op_list.inc):
#   MLUOP_OPERATORS            names of the operators to build, in registry order
#   MLUOP_COMM_OPERATORS       those of them in the library for several devices
#   MLUOP_OP_FOLDER_<name>     the operator's folder below kernels/

set(mluop_registry ${CMAKE_SOURCE_DIR}/core/op_list.inc)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${mluop_registry})
file(STRINGS ${mluop_registry} mluop_lines REGEX "^MLUOP_(COMM_)?OP\\(")

set(MLUOP_OPERATORS "")
set(MLUOP_COMM_OPERATORS "")
set(mluop_known "")
foreach(line IN LISTS mluop_lines)
  if(NOT line MATCHES "^MLUOP_(COMM_)?OP\\(([a-z0-9_]+), *([a-z0-9_./]+)\\)")
    message(FATAL_ERROR "core/op_list.inc: cannot read '${line}'")
  endif()
  set(is_comm "${CMAKE_MATCH_1}")
  set(name ${CMAKE_MATCH_2})
  set(folder ${CMAKE_MATCH_3})
  if(folder STREQUAL ".")
    set(MLUOP_OP_FOLDER_${name} ${name})
  else()
    set(MLUOP_OP_FOLDER_${name} ${folder}/${name})
  endif()
  list(APPEND mluop_known ${name})
  if(NOT MLUOP_BUILD_SPECIFIC_OP OR name IN_LIST MLUOP_BUILD_SPECIFIC_OP)
    list(APPEND MLUOP_OPERATORS ${name})
    if(is_comm)
      list(APPEND MLUOP_COMM_OPERATORS ${name})
    endif()
  endif()
endforeach()
foreach(name IN LISTS MLUOP_BUILD_SPECIFIC_OP)
  if(NOT name IN_LIST mluop_known)
    message(FATAL_ERROR "unknown operator '${name}'; known: ${mluop_known}")
  endif()
endforeach()

# Without CNCL there are no operators for several devices.
macro(mluop_drop_comm_operators)
  if(MLUOP_COMM_OPERATORS)
    message(STATUS "no CNCL: not building ${MLUOP_COMM_OPERATORS}")
    list(REMOVE_ITEM MLUOP_OPERATORS ${MLUOP_COMM_OPERATORS})
    set(MLUOP_COMM_OPERATORS "")
  endif()
endmacro()

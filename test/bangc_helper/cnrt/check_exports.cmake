# SPDX-License-Identifier: MIT
# cmake -DNM=<nm> -DLIBRARY=<libcnrt> -DINCLUDE=<folder> -P check_exports.cmake
# The library exports public names only, and everything its headers declare.
cmake_minimum_required(VERSION 3.18)
execute_process(COMMAND ${NM} -D --defined-only ${LIBRARY} OUTPUT_VARIABLE listing
                RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "${NM} cannot read ${LIBRARY}")
endif()
string(REGEX MATCHALL "[A-Za-z] [A-Za-z0-9_]+(@@[A-Za-z0-9_.]+)?\n" lines "${listing}")
set(exported "")
foreach(line IN LISTS lines)
  string(REGEX REPLACE "^. ([A-Za-z0-9_]+).*" "\\1" name "${line}")
  list(APPEND exported ${name})
  # Names of sanitizers and of libgcov (mangle_path) are allowed.
  if(NOT name MATCHES "^(cnrtx?[A-Z]|cndev[A-Z]|cn[A-Z]|__bang_)"
     AND NOT name MATCHES "^(__(asan|tsan|ubsan|odr|gcov)|mangle_path$)")
    message(SEND_ERROR "private name exported: ${name}")
  endif()
endforeach()

foreach(header IN ITEMS cnrt.h cn_api.h cndev.h cnrt_external.h)
  file(READ ${INCLUDE}/${header} text)
  string(REGEX REPLACE "/\\*[^*]*\\*+([^/*][^*]*\\*+)*/" "" text "${text}")
  string(REGEX REPLACE "#[^\n]*" "" text "${text}")
  string(REGEX MATCHALL "cn[A-Za-z0-9_]+\\(" declared "${text}")
  if(NOT declared)
    message(FATAL_ERROR "no declarations found in ${header}")
  endif()
  foreach(name IN LISTS declared)
    string(REPLACE "(" "" name "${name}")
    if(NOT name IN_LIST exported)
      message(SEND_ERROR "${header} declares ${name}, which the library does not define")
    endif()
  endforeach()
endforeach()

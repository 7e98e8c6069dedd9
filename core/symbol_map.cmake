# SPDX-License-Identifier: MIT
# With -DMAP=file: writes the version script for the functions declared in HEADER.
# With -DLIBRARY=file -DNM=nm -DIS_PARTIAL=ON|OFF: checks that LIBRARY exports exactly these functions.

# Declarations only: a line of a comment starts with '*' or '/', not with a letter.
file(STRINGS ${HEADER} lines REGEX "^[ \t]*[A-Za-z].*mluOp[A-Za-z0-9_]+\\(|^mluOp[A-Za-z0-9_]+\\(")
set(declared "")
foreach(line IN LISTS lines)
  string(REGEX MATCH "(mluOp[A-Za-z0-9_]+)\\(" ignored "${line}")
  list(APPEND declared ${CMAKE_MATCH_1})
endforeach()
list(SORT declared)
if(NOT declared)
  message(FATAL_ERROR "${HEADER} declares no function")
endif()

if(MAP)
  string(REPLACE ";" ";\n    " names "${declared}")
  file(WRITE ${MAP} "MLUOP_ABI_1.0 {\n  global:\n    ${names};\n  local:\n    *;\n};\n")
endif()

if(LIBRARY)
  execute_process(COMMAND ${NM} -D --defined-only ${LIBRARY} OUTPUT_VARIABLE listing
                  COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" listing "${listing}")
  set(exported "")
  foreach(line IN LISTS listing)
    # "address type name@@version"; type A is the version node itself.
    if(line MATCHES "^[0-9a-f]+ ([A-Za-z]) ([^@ ]+)" AND NOT CMAKE_MATCH_1 STREQUAL "A")
      list(APPEND exported ${CMAKE_MATCH_2})
    endif()
  endforeach()
  set(undeclared ${exported})
  list(REMOVE_ITEM undeclared ${declared})
  set(missing ${declared})
  list(REMOVE_ITEM missing ${exported})
  if(undeclared)
    message(FATAL_ERROR "exported but not declared in ${HEADER}: ${undeclared}")
  endif()
  if(missing AND NOT IS_PARTIAL)
    message(FATAL_ERROR "declared in ${HEADER} but not exported: ${missing}")
  endif()
  list(LENGTH exported count)
  message(STATUS "${count} functions exported, all declared")
endif()

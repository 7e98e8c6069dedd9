# SPDX-License-Identifier: MIT
# -DGENERATOR=program -DCOMMITTED=docs/environment.md -DSOURCE=folder: the document is what the program prints, and no
# variable the sources read is missing from it.
execute_process(COMMAND ${GENERATOR} OUTPUT_VARIABLE made COMMAND_ERROR_IS_FATAL ANY)
file(READ ${COMMITTED} committed)
if(NOT made STREQUAL committed)
  message(FATAL_ERROR "${COMMITTED} is out of date; make it with: ${GENERATOR} > ${COMMITTED}")
endif()

set(unknown "")
file(GLOB_RECURSE sources ${SOURCE}/bangc_helper/*.c ${SOURCE}/core/*.c ${SOURCE}/kernels/*.c)
foreach(source IN LISTS sources)
  file(STRINGS ${source} lines REGEX "getenv\\(\"")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "getenv\\(\"([A-Z0-9_]+)\"" ignored "${line}")
    # TMPDIR means what it means everywhere.
    if(NOT CMAKE_MATCH_1 STREQUAL "TMPDIR" AND NOT committed MATCHES "`${CMAKE_MATCH_1}`")
      list(APPEND unknown ${CMAKE_MATCH_1})
    endif()
  endforeach()
endforeach()
if(unknown)
  message(FATAL_ERROR "read by the sources but not in test/docs/env_table.c: ${unknown}")
endif()

# SPDX-License-Identifier: MIT
# -DGENERATOR=program -DCOMMITTED=docs/environment.md -DSOURCE=folder: checks that the document is what the program
# prints, and that it contains every variable that the sources read and every CMake option.
execute_process(COMMAND ${GENERATOR} OUTPUT_VARIABLE made COMMAND_ERROR_IS_FATAL ANY)
file(READ ${COMMITTED} committed)
if(NOT made STREQUAL committed)
  message(FATAL_ERROR "${COMMITTED} is out of date; make it with: ${GENERATOR} > ${COMMITTED}")
endif()

# note_unknown(<file> <pattern>): for each matching line, the pattern's first group must be a name in the document.
set(unknown "")
function(note_unknown file pattern)
  file(STRINGS ${file} lines REGEX ${pattern})
  foreach(line IN LISTS lines)
    string(REGEX MATCH ${pattern} ignored "${line}")
    set(name ${CMAKE_MATCH_1})  # the next match overwrites it
    # TMPDIR has its usual meaning.
    if(NOT name STREQUAL "TMPDIR" AND NOT committed MATCHES "`${name}`")
      list(APPEND unknown ${name})
    endif()
  endforeach()
  set(unknown ${unknown} PARENT_SCOPE)
endfunction()

file(GLOB_RECURSE sources ${SOURCE}/bangc_helper/*.c ${SOURCE}/core/*.c ${SOURCE}/kernels/*.c)
foreach(source IN LISTS sources)
  note_unknown(${source} "getenv\\(\"([A-Z0-9_]+)\"")
endforeach()
# A script reads a variable with a default value.
foreach(script independent_build.sh tools/ci_matrix.sh)
  note_unknown(${SOURCE}/${script} "{([A-Z0-9_]+):-")
endforeach()
note_unknown(${SOURCE}/cmake/MluopOptions.cmake "^option\\((MLUOP_[A-Z0-9_]+)")
note_unknown(${SOURCE}/cmake/MluopOptions.cmake "^set\\((MLUOP_[A-Z0-9_]+) .* CACHE ")
if(unknown)
  message(FATAL_ERROR "read by sources but not in test/docs/env_table.c: ${unknown}")
endif()

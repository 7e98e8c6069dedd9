# SPDX-License-Identifier: MIT
# Checks that the shared library LIBRARY needs no library whose name matches PATTERN.
execute_process(COMMAND ${READELF} -d ${LIBRARY} OUTPUT_VARIABLE listing COMMAND_ERROR_IS_FATAL ANY)
if(NOT listing MATCHES "NEEDED")
  message(FATAL_ERROR "${LIBRARY} needs no library at all, or ${READELF} prints another form")
endif()
if(listing MATCHES "NEEDED[^\n]*(${PATTERN})")
  message(FATAL_ERROR "${LIBRARY} needs ${CMAKE_MATCH_1}")
endif()

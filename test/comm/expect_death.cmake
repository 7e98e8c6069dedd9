# SPDX-License-Identifier: MIT
# Runs COMMAND (a list), which must fail on its own within LIMIT seconds after its last rank died.
execute_process(COMMAND ${COMMAND} TIMEOUT ${LIMIT} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE errors)
if(NOT output MATCHES "the last rank dies")
  message(FATAL_ERROR "the program did not come that far: ${result}\n${output}${errors}")
endif()
if(result MATCHES "timeout" OR result STREQUAL "0")
  message(FATAL_ERROR "wanted an error, got '${result}'\n${output}${errors}")
endif()
if(output MATCHES "reached the end")
  message(FATAL_ERROR "a process believes that all calls worked\n${output}${errors}")
endif()
message(STATUS "ended with ${result}")

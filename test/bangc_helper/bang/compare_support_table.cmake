# SPDX-License-Identifier: MIT
# Fails if the committed support table differs from the one generated from the tables.
execute_process(COMMAND ${GENERATOR} OUTPUT_VARIABLE generated RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "the generator failed: ${result}")
endif()
file(READ ${COMMITTED} committed)
if(NOT generated STREQUAL committed)
  message(FATAL_ERROR "${COMMITTED} differs from the tables; write it anew with: ${GENERATOR} > ${COMMITTED}")
endif()

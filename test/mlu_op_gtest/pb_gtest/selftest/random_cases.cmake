# SPDX-License-Identifier: MIT
# Draws cases for every operator that has a generator and runs them.
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
foreach(op IN LISTS OPERATORS)
  execute_process(COMMAND ${GENERATOR} --op=${op} --out=${FOLDER} --count=60 --seed=20240229 RESULT_VARIABLE code
                  ERROR_VARIABLE message)
  if(NOT code EQUAL 0 AND NOT message MATCHES "no generator for operator")
    message(FATAL_ERROR "mluop_case_gen --op=${op}: ${message}")
  endif()
endforeach()
file(GLOB drawn ${FOLDER}/*)
if(NOT drawn)  # none of the operators of this build has a generator
  return()
endif()
execute_process(COMMAND ${GTEST} --cases_dir=${FOLDER} RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "mluop_gtest ended with ${code}")
endif()

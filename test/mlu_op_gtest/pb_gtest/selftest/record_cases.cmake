# SPDX-License-Identifier: MIT
# For every operator in OPERATORS: records the calls of GTEST's smoke cases and replays the recorded cases. FOLDER is
# for the files.
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER})
execute_process(COMMAND ${CMAKE_COMMAND} -E env MLUOP_GEN_CASE=2 MLUOP_GEN_CASE_DIR=${FOLDER} ${GTEST} --case_set=smoke
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
foreach(op IN LISTS OPERATORS)
  file(GLOB cases ${FOLDER}/gen_case/${op}/*.prototxt)
  if(NOT cases)
    message(FATAL_ERROR "no call of ${op} was recorded")
  endif()
endforeach()
execute_process(COMMAND ${GTEST} --cases_dir=${FOLDER}/gen_case OUTPUT_VARIABLE output RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "a recorded case failed\n${output}")
endif()
file(REMOVE_RECURSE ${FOLDER})

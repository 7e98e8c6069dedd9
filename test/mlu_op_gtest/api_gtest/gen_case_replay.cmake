# SPDX-License-Identifier: MIT
# Records what PROGRAM calls in every gen_case mode and replays each case with GTEST; FOLDER is for the files.

set(settings
  "MLUOP_GEN_CASE=1"
  "MLUOP_GEN_CASE=2"
  "MLUOP_GEN_CASE=2 MLUOP_GEN_CASE_DUMP_DATA=1"
  "MLUOP_GEN_CASE=2 MLUOP_GEN_CASE_DUMP_DATA=2 MLUOP_GEN_CASE_DUMP_DATA_OUTPUT=1"
  "MLUOP_GEN_CASE=2 MLUOP_GEN_CASE_DUMP_DATA=1 MLUOP_GEN_CASE_DUMP_DATA_FILE=1")
foreach(setting IN LISTS settings)
  file(REMOVE_RECURSE ${FOLDER})
  file(MAKE_DIRECTORY ${FOLDER})
  separate_arguments(variables UNIX_COMMAND "${setting}")
  execute_process(COMMAND ${CMAKE_COMMAND} -E env ${variables} ${PROGRAM}
                  WORKING_DIRECTORY ${FOLDER} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB_RECURSE cases ${FOLDER}/gen_case/*.prototxt)
  if(NOT cases)
    message(FATAL_ERROR "${setting}: nothing was recorded")
  endif()
  foreach(case IN LISTS cases)
    execute_process(COMMAND ${GTEST} --case_path=${case} WORKING_DIRECTORY ${FOLDER}
                    OUTPUT_VARIABLE output RESULT_VARIABLE result)
    if(NOT result EQUAL 0 OR NOT output MATCHES "Total 1 cases")
      file(READ ${case} text)
      message(FATAL_ERROR "${setting}: the replay failed\n${text}\n${output}")
    endif()
  endforeach()
endforeach()
file(REMOVE_RECURSE ${FOLDER})

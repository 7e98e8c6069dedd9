# SPDX-License-Identifier: MIT
# cmake -DDOCUMENT=file -DGENERATOR=program "-DARGUMENTS=a;b" -P contains.cmake: checks that the document contains the
# output of the program literally.
execute_process(COMMAND ${GENERATOR} ${ARGUMENTS} OUTPUT_VARIABLE made COMMAND_ERROR_IS_FATAL ANY)
file(READ ${DOCUMENT} document)
string(FIND "${document}" "${made}" place)
if(place LESS 0)
  message(FATAL_ERROR "${DOCUMENT} is out of date; it must contain what this prints: ${GENERATOR} ${ARGUMENTS}")
endif()

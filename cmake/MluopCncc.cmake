# SPDX-License-Identifier: MIT
# mluop_cncc(<object> <file.mlu> [flag]...) compiles a BANG C file with the root's cncc into
# <current binary folder>/<object>. After the first compilation, cncc's dependency file decides when to recompile. Files
# with the same flags share a precompiled bang.h.

# Generators that cannot read dependency files depend on all headers.
if(CMAKE_GENERATOR MATCHES "Ninja" OR NOT CMAKE_VERSION VERSION_LESS 3.20)
  set(MLUOP_CNCC_DEPFILES ON)
else()
  set(MLUOP_CNCC_DEPFILES OFF)
  file(GLOB_RECURSE MLUOP_CNCC_HEADERS CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/kernels/*.h
       ${CMAKE_SOURCE_DIR}/kernels/*.mluh ${CMAKE_SOURCE_DIR}/core/*.h ${CMAKE_SOURCE_DIR}/test/*.h)
endif()

function(mluop_cncc object file)
  set(output ${CMAKE_CURRENT_BINARY_DIR}/${object})
  get_filename_component(folder ${output} DIRECTORY)
  file(MAKE_DIRECTORY ${folder})
  if(MLUOP_CNCC_DEPFILES)
    set(dependencies DEPFILE ${output}.d)
  else()
    set(dependencies "")
  endif()
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -E env CNCC_PCH_DIR=${CMAKE_BINARY_DIR}/precompiled
            ${NEUWARE_HOME}/bin/cncc ${MLUOP_CNCC_FLAGS} ${ARGN} -MD -MF ${output}.d -MQ ${output} -c ${file} -o ${output}
    DEPENDS ${file} ${MLUOP_CNCC_HEADERS} ${NEUWARE_TARGETS} ${MLUOP_CNCC_TOOLS}
    ${dependencies}
    COMMENT "cncc ${object}"
    VERBATIM)
endfunction()

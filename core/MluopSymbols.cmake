# SPDX-License-Identifier: MIT
# mluop_export_public_symbols(<target> <header>): the shared library exports exactly the functions the header declares.
# The linker's version script is made from it, so a new operator needs no second list.

set(MLUOP_SYMBOL_SCRIPT ${CMAKE_SOURCE_DIR}/core/symbol_map.cmake CACHE INTERNAL "")

function(mluop_export_public_symbols target header)
  set(map ${CMAKE_CURRENT_BINARY_DIR}/${target}.map)
  add_custom_command(
    OUTPUT ${map}
    COMMAND ${CMAKE_COMMAND} -DHEADER=${header} -DMAP=${map} -P ${MLUOP_SYMBOL_SCRIPT}
    DEPENDS ${header} ${MLUOP_SYMBOL_SCRIPT}
    VERBATIM)
  add_custom_target(${target}_map DEPENDS ${map})
  add_dependencies(${target} ${target}_map)
  target_link_options(${target} PRIVATE -Wl,--version-script=${map})
  set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${map})
  # A build of some operators only lacks the functions of the others.
  if(MLUOP_BUILD_SPECIFIC_OP)
    set(is_partial ON)
  else()
    set(is_partial OFF)
  endif()
  add_test(NAME core.exported_symbols_of_${target}
           COMMAND ${CMAKE_COMMAND} -DHEADER=${header} -DLIBRARY=$<TARGET_FILE:${target}>
                   -DNM=${CMAKE_NM} -DIS_PARTIAL=${is_partial} -P ${MLUOP_SYMBOL_SCRIPT})
endfunction()

# SPDX-License-Identifier: MIT
# mluop_link_old_glibc(<target>...): what is linked here runs with glibc MLUOP_OLDEST_GLIBC or later.
#
# A new glibc keeps the old versions of its functions, but new programs get the newest ones: glibc 2.34 gave the functions of
# libpthread and libdl a new version when it moved them to libc. A header, written for the glibc that is linked, asks for the
# old ones. Sanitizers have their own versions of these functions.
set(MLUOP_OLDEST_GLIBC 2.28)
set(MLUOP_OLD_GLIBC_HEADER ${CMAKE_BINARY_DIR}/old_glibc.h)

# Lines that choose the newest version that MLUOP_OLDEST_GLIBC has, of functions that have a newer one.
function(mluop_old_versions lines)
  execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=libc.so.6 OUTPUT_VARIABLE libc OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND ${CMAKE_NM} -D --with-symbol-versions ${libc} OUTPUT_VARIABLE symbols ERROR_QUIET)
  string(REGEX MATCHALL "[A-Za-z_0-9]+@@GLIBC_[0-9.]+" newest "${symbols}")
  set(text "")
  foreach(symbol IN LISTS newest)
    string(REGEX MATCH "(.*)@@GLIBC_(.*)" symbol ${symbol})
    set(name ${CMAKE_MATCH_1})
    if(CMAKE_MATCH_2 VERSION_LESS_EQUAL MLUOP_OLDEST_GLIBC)
      continue()
    endif()
    set(chosen "")
    string(REGEX MATCHALL " ${name}@GLIBC_[0-9.]+" earlier "${symbols}")
    foreach(version IN LISTS earlier)
      string(REGEX REPLACE ".*GLIBC_" "" version ${version})
      if(version VERSION_LESS_EQUAL MLUOP_OLDEST_GLIBC AND version VERSION_GREATER "${chosen}")
        set(chosen ${version})
      endif()
    endforeach()
    if(chosen)
      string(APPEND text "__asm__(\".symver ${name},${name}@GLIBC_${chosen}\");\n")
    endif()
  endforeach()
  set(${lines} "${text}" PARENT_SCOPE)
endfunction()

set(MLUOP_OLD_VERSIONS "")
if(NOT MLUOP_SANITIZER_FLAGS)
  mluop_old_versions(MLUOP_OLD_VERSIONS)
endif()
if(MLUOP_OLD_VERSIONS)
  file(GENERATE OUTPUT ${MLUOP_OLD_GLIBC_HEADER} CONTENT "${MLUOP_OLD_VERSIONS}")
endif()

function(mluop_link_old_glibc)
  if(NOT MLUOP_OLD_VERSIONS)
    return()
  endif()
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE -include ${MLUOP_OLD_GLIBC_HEADER})
    get_target_property(type ${target} TYPE)
    if(type STREQUAL SHARED_LIBRARY)
      # An old glibc has in these two what a new one has in libc. Without -static-libgcc, g++ would take the conversions of
      # halves from libgcc_s on x86-64.
      target_link_options(${target} PRIVATE -static-libgcc -Wl,--push-state,--no-as-needed -l:libpthread.so.0 -l:libdl.so.2 -Wl,--pop-state)
    endif()
  endforeach()
endfunction()

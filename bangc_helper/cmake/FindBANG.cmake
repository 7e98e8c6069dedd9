# SPDX-License-Identifier: MIT
#
# Finds cncc and compiles BANG C (.mlu) with it.
#
#   find_package(BANG)            NEUWARE_HOME (variable or environment) names the Neuware root; without it the root
#                                 this file belongs to is used.
#
# Sets BANG_FOUND, BANG_VERSION, BANG_NEUWARE_HOME, BANG_CNCC_EXECUTABLE, BANG_INCLUDE_DIRS, BANG_LIBRARIES.
#
# Reads, at each call below:
#   BANG_CNCC_FLAGS               flags for every compilation (list or string); BANG_CNCC_FLAGS_<CONFIG> per build type
#   BANG_CNCC_INCLUDE_ARGS        -I words
#   BANG_TARGET_CPU_ARCH          processor of the host code, handed over as --target=<arch>-linux-gnu when set
#
# Provides:
#   bang_add_library(<name> [STATIC|SHARED|MODULE] [EXCLUDE_FROM_ALL] files... [OPTIONS flags...])
#   bang_add_executable(<name> [EXCLUDE_FROM_ALL] files... [OPTIONS flags...])
#   bang_compile(<variable> files... [STATIC|SHARED|MODULE] [OPTIONS flags...])
#                                 objects of the .mlu files into <variable>
#   bang_wrap_srcs(<prefix> OBJ <variable> files... [STATIC|SHARED|MODULE] [OPTIONS flags...])
#                                 objects named <prefix>_generated_<file> into <variable>, of .mlu and of C and C++
#                                 files, all compiled by cncc; headers among the files are left out
#   bang_include_directories(directories...)
# Files that are not .mlu go to the target as they are. Include directories and definitions of the target apply to its
# kernels too; those the directory has at the call apply to objects of no target. Objects are rebuilt when a header they
# include changes.

cmake_policy(PUSH)
cmake_policy(VERSION 3.18)
if(POLICY CMP0116)
  cmake_policy(SET CMP0116 NEW)
endif()

set(_bang_roots "")
foreach(_bang_root IN ITEMS "${NEUWARE_HOME}" "$ENV{NEUWARE_HOME}" "${CMAKE_CURRENT_LIST_DIR}/../.."
                            "${CMAKE_CURRENT_LIST_DIR}/.." /usr/local/neuware)
  if(_bang_root)
    get_filename_component(_bang_root "${_bang_root}" ABSOLUTE)
    list(APPEND _bang_roots "${_bang_root}")
  endif()
endforeach()

find_program(BANG_CNCC_EXECUTABLE NAMES cncc HINTS ${_bang_roots} PATH_SUFFIXES bin
             NO_CMAKE_PATH NO_CMAKE_ENVIRONMENT_PATH)
mark_as_advanced(BANG_CNCC_EXECUTABLE)

if(BANG_CNCC_EXECUTABLE)
  get_filename_component(BANG_NEUWARE_HOME "${BANG_CNCC_EXECUTABLE}" DIRECTORY)
  get_filename_component(BANG_NEUWARE_HOME "${BANG_NEUWARE_HOME}" DIRECTORY)
  set(BANG_INCLUDE_DIRS "${BANG_NEUWARE_HOME}/include")
  find_library(BANG_CNRT_LIBRARY NAMES cnrt HINTS "${BANG_NEUWARE_HOME}/lib64" NO_DEFAULT_PATH)
  mark_as_advanced(BANG_CNRT_LIBRARY)
  set(BANG_LIBRARIES "${BANG_CNRT_LIBRARY}")
  execute_process(COMMAND "${BANG_CNCC_EXECUTABLE}" --version OUTPUT_VARIABLE _bang_version ERROR_QUIET)
  if(_bang_version MATCHES "^[^ \n]+[ \t]+v?([0-9]+(\\.[0-9]+)+)")
    set(BANG_VERSION "${CMAKE_MATCH_1}")
  endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(BANG REQUIRED_VARS BANG_CNCC_EXECUTABLE BANG_CNRT_LIBRARY
                                  VERSION_VAR BANG_VERSION)

# Splits a setting that may be a list or a command-line string. Spaces are part of a folder's name unless something
# shows otherwise; they are kept after a single option with its value attached, without quotes or other options.
function(_bang_words setting result)
  set(words "")
  foreach(part IN LISTS ${setting})
    if(NOT part MATCHES " -" AND (part MATCHES "^-I" OR part MATCHES "^-[^ \"'\\]+=[^\"'\\]*$"))
      list(APPEND words "${part}")
    else()
      separate_arguments(split UNIX_COMMAND "${part}")
      list(APPEND words ${split})
    endif()
  endforeach()
  set(${result} "${words}" PARENT_SCOPE)
endfunction()

# Flags shared by all objects of one call.
function(_bang_flags type options result)
  # A bare ';' would end the generator expression here.
  set(flags "$<$<CONFIG:Debug>:-g$<SEMICOLON>-O0>" "$<$<CONFIG:Release>:-O3$<SEMICOLON>-DNDEBUG>"
            "$<$<CONFIG:RelWithDebInfo>:-O2$<SEMICOLON>-g$<SEMICOLON>-DNDEBUG>"
            "$<$<CONFIG:MinSizeRel>:-Os$<SEMICOLON>-DNDEBUG>")
  if(type MATCHES "SHARED|MODULE" OR CMAKE_POSITION_INDEPENDENT_CODE)
    list(APPEND flags -fPIC)
  endif()
  if(BANG_TARGET_CPU_ARCH)
    list(APPEND flags --target=${BANG_TARGET_CPU_ARCH}-linux-gnu)
  endif()
  _bang_words(BANG_CNCC_FLAGS common)
  list(APPEND flags ${common})
  foreach(config Debug Release RelWithDebInfo MinSizeRel)
    string(TOUPPER ${config} upper)
    _bang_words(BANG_CNCC_FLAGS_${upper} own)
    if(own)
      string(REPLACE ";" "$<SEMICOLON>" own "${own}")
      list(APPEND flags "$<$<CONFIG:${config}>:${own}>")
    endif()
  endforeach()
  _bang_words(BANG_CNCC_INCLUDE_ARGS includes)
  list(APPEND flags ${includes} ${options})
  set(${result} "${flags}" PARENT_SCOPE)
endfunction()

# A property of the directory as words that begin with `flag`; entries that are empty in a configuration are dropped.
function(_bang_directory_words property flag result)
  get_directory_property(words ${property})
  list(TRANSFORM words PREPEND "${flag}" REGEX "^[^$]")
  list(TRANSFORM words REPLACE "^([$]<.*)$" "$<$<BOOL:\\1>:${flag}\\1>")
  set(${result} "${words}" PARENT_SCOPE)
endfunction()

# -I and -D words for the objects of a target or, if `target` is empty, of the directory.
function(_bang_surroundings target result)
  if(target)
    set(dirs "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
    set(defs "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
    set(includes "$<$<BOOL:${dirs}>:-I$<JOIN:${dirs},$<SEMICOLON>-I>>")
    set(definitions "$<$<BOOL:${defs}>:-D$<JOIN:${defs},$<SEMICOLON>-D>>")
  else()
    _bang_directory_words(INCLUDE_DIRECTORIES -I includes)
    _bang_directory_words(COMPILE_DEFINITIONS -D definitions)
  endif()
  set(${result} ${includes} ${definitions} PARENT_SCOPE)
endfunction()

# Adds one custom command per file. `target` is empty for objects without a target; `prefix` is empty for objects named
# like their file.
function(_bang_objects result target prefix flags)
  set(objects "")
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/bang_objects.dir)
  if(target OR prefix)
    set(folder ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}${prefix}.bang)
  endif()
  _bang_surroundings("${target}" surroundings)
  foreach(file IN LISTS ARGN)
    get_filename_component(source "${file}" ABSOLUTE)
    file(RELATIVE_PATH place "${CMAKE_CURRENT_SOURCE_DIR}" "${source}")
    string(REPLACE "../" "__/" place "${place}")
    if(prefix)
      string(REGEX REPLACE "([^/]+)$" "${prefix}_generated_\\1" place "${place}")
    endif()
    set(object "${folder}/${place}${CMAKE_CXX_OUTPUT_EXTENSION}")
    get_filename_component(object_folder "${object}" DIRECTORY)
    file(MAKE_DIRECTORY "${object_folder}")
    set(dependencies IMPLICIT_DEPENDS CXX "${source}")
    if(CMAKE_GENERATOR MATCHES "Ninja" OR NOT CMAKE_VERSION VERSION_LESS 3.20)
      set(dependencies DEPFILE "${object}.d")
    endif()
    add_custom_command(
      OUTPUT "${object}"
      COMMAND "${BANG_CNCC_EXECUTABLE}" ${flags} ${surroundings} -MD -MF "${object}.d" -MQ "${object}"
              -c "${source}" -o "${object}"
      DEPENDS "${source}" "${BANG_CNCC_EXECUTABLE}"
      ${dependencies}
      COMMENT "Building BANG object ${place}${CMAKE_CXX_OUTPUT_EXTENSION}"
      COMMAND_EXPAND_LISTS VERBATIM)
    set_source_files_properties("${object}" PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
    list(APPEND objects "${object}")
  endforeach()
  set(${result} "${objects}" PARENT_SCOPE)
endfunction()

# Splits the arguments of a call into kernels and other sources.
function(_bang_sort_sources kernels others)
  set(mlu "")
  set(rest "")
  foreach(file IN LISTS ARGN)
    if(file MATCHES "\\.mlu$")
      list(APPEND mlu "${file}")
    else()
      list(APPEND rest "${file}")
    endif()
  endforeach()
  set(${kernels} "${mlu}" PARENT_SCOPE)
  set(${others} "${rest}" PARENT_SCOPE)
endfunction()

function(_bang_finish_target target)
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
  target_include_directories(${target} PRIVATE ${BANG_INCLUDE_DIRS})
  # Set as a property, so that the caller may use either signature of target_link_libraries.
  set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES ${BANG_LIBRARIES})
  set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES ${BANG_LIBRARIES})
endfunction()

function(bang_compile variable)
  cmake_parse_arguments(arg "STATIC;SHARED;MODULE" "" "OPTIONS" ${ARGN})
  set(type "")
  if(arg_SHARED OR arg_MODULE)
    set(type SHARED)
  endif()
  _bang_flags("${type}" "${arg_OPTIONS}" flags)
  _bang_sort_sources(kernels others ${arg_UNPARSED_ARGUMENTS})
  if(others)
    message(FATAL_ERROR "bang_compile: not a .mlu file: ${others}")
  endif()
  _bang_objects(objects "" "" "${flags}" ${kernels})
  set(${variable} "${objects}" PARENT_SCOPE)
endfunction()

function(bang_wrap_srcs prefix format variable)
  cmake_parse_arguments(arg "STATIC;SHARED;MODULE" "" "OPTIONS" ${ARGN})
  if(NOT format STREQUAL "OBJ")
    message(FATAL_ERROR "bang_wrap_srcs: the format is ${format}; OBJ is what this cncc makes")
  endif()
  set(sources ${arg_UNPARSED_ARGUMENTS})
  list(FILTER sources EXCLUDE REGEX "\\.(h|hh|hpp|hxx|mluh)$")
  set(others ${sources})
  list(FILTER others EXCLUDE REGEX "\\.(mlu|c|cc|cpp|cxx)$")
  if(others)
    message(FATAL_ERROR "bang_wrap_srcs: neither .mlu nor C nor C++: ${others}")
  endif()
  set(type "")
  if(arg_SHARED OR arg_MODULE)
    set(type SHARED)
  endif()
  _bang_flags("${type}" "${arg_OPTIONS}" flags)
  _bang_objects(objects "" "${prefix}" "${flags}" ${sources})
  set(${variable} "${objects}" PARENT_SCOPE)
endfunction()

function(bang_add_library target)
  cmake_parse_arguments(arg "STATIC;SHARED;MODULE;EXCLUDE_FROM_ALL" "" "OPTIONS" ${ARGN})
  set(type STATIC)
  if(arg_SHARED OR (BUILD_SHARED_LIBS AND NOT arg_STATIC AND NOT arg_MODULE))
    set(type SHARED)
  elseif(arg_MODULE)
    set(type MODULE)
  endif()
  set(exclude "")
  if(arg_EXCLUDE_FROM_ALL)
    set(exclude EXCLUDE_FROM_ALL)
  endif()
  _bang_flags(${type} "${arg_OPTIONS}" flags)
  _bang_sort_sources(kernels others ${arg_UNPARSED_ARGUMENTS})
  _bang_objects(objects ${target} "" "${flags}" ${kernels})
  add_library(${target} ${type} ${exclude} ${others} ${objects})
  _bang_finish_target(${target})
endfunction()

function(bang_add_executable target)
  cmake_parse_arguments(arg "EXCLUDE_FROM_ALL" "" "OPTIONS" ${ARGN})
  set(exclude "")
  if(arg_EXCLUDE_FROM_ALL)
    set(exclude EXCLUDE_FROM_ALL)
  endif()
  _bang_flags(EXECUTABLE "${arg_OPTIONS}" flags)
  _bang_sort_sources(kernels others ${arg_UNPARSED_ARGUMENTS})
  _bang_objects(objects ${target} "" "${flags}" ${kernels})
  add_executable(${target} ${exclude} ${others} ${objects})
  _bang_finish_target(${target})
endfunction()

function(bang_include_directories)
  set(words ${BANG_CNCC_INCLUDE_ARGS})
  foreach(folder IN LISTS ARGN)
    list(APPEND words "-I${folder}")
  endforeach()
  set(BANG_CNCC_INCLUDE_ARGS "${words}" PARENT_SCOPE)
endfunction()

cmake_policy(POP)

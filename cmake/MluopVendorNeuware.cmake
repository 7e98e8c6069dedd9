# SPDX-License-Identifier: MIT
# Uses an installed Neuware root instead of building one: bin/cncc, include/, lib64/libcnrt.so, libcndrv.so, and for
# operators on several devices libcncl.so.

set(NEUWARE_HOME ${MLUOP_NEUWARE_HOME})
find_program(NEUWARE_CNCC cncc PATHS ${NEUWARE_HOME}/bin NO_DEFAULT_PATH)
find_library(NEUWARE_LIBCNRT cnrt PATHS ${NEUWARE_HOME}/lib64 NO_DEFAULT_PATH)
find_library(NEUWARE_LIBCNDRV cndrv PATHS ${NEUWARE_HOME}/lib64 NO_DEFAULT_PATH)
foreach(part NEUWARE_CNCC NEUWARE_LIBCNRT NEUWARE_LIBCNDRV)
  if(NOT ${part})
    message(FATAL_ERROR "NEUWARE_HOME=${NEUWARE_HOME} is not a Neuware root: ${part} was not found there")
  endif()
endforeach()
add_library(neuware_cnrt INTERFACE)
target_include_directories(neuware_cnrt SYSTEM INTERFACE ${NEUWARE_HOME}/include)
target_link_libraries(neuware_cnrt INTERFACE ${NEUWARE_LIBCNRT} ${NEUWARE_LIBCNDRV})
set(NEUWARE_CNRT neuware_cnrt)
find_library(NEUWARE_CNCL cncl PATHS ${NEUWARE_HOME}/lib64 NO_DEFAULT_PATH)
set(NEUWARE_TARGETS "")

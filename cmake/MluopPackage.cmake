# SPDX-License-Identifier: MIT
# CPack: `cpack -G DEB` and `cpack -G TGZ` in the build folder make one package per component.

set(CPACK_PACKAGE_NAME mluops)
set(CPACK_PACKAGE_VENDOR "mluops")
set(CPACK_PACKAGE_CONTACT "The mluops maintainers <mluops@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_GENERATOR "DEB;TGZ")
set(CPACK_COMPONENTS_ALL runtime dev)
if(MLUOP_BUILD_GTEST)
  list(APPEND CPACK_COMPONENTS_ALL tests)
endif()
if(TARGET cncl_mpi)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
endif()
set(CPACK_COMPONENTS_GROUPING IGNORE)

set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
# An archive unpacks into one folder.
set(CPACK_PROJECT_CONFIG_FILE ${CMAKE_BINARY_DIR}/cpack_generator.cmake)
file(WRITE ${CPACK_PROJECT_CONFIG_FILE} "if(CPACK_GENERATOR STREQUAL TGZ)
  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
endif()
")

# CPack installs into temporary folders and leaves their install manifests in the build folder. They are removed, because
# `uninstall` would take them for real installations.
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_BINARY_DIR}/cpack_forget_lists.cmake)
list(JOIN CPACK_COMPONENTS_ALL " " components)
file(WRITE ${CPACK_PRE_BUILD_SCRIPTS} "cmake_minimum_required(VERSION 3.18)
foreach(component ${components})
  file(REMOVE \"${CMAKE_BINARY_DIR}/install_manifest_\${component}.txt\")
endforeach()
")

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME libmluops${PROJECT_VERSION_MAJOR})
set(CPACK_DEBIAN_DEV_PACKAGE_NAME libmluops-dev)
set(CPACK_DEBIAN_TESTS_PACKAGE_NAME mluops-tests)
set(mluop_mpi_package libmluops${PROJECT_VERSION_MAJOR}-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_NAME ${mluop_mpi_package})
set(CPACK_COMPONENT_RUNTIME_DESCRIPTION "${PROJECT_DESCRIPTION}: the library and its CPU runtime.")
set(CPACK_COMPONENT_DEV_DESCRIPTION "${PROJECT_DESCRIPTION}: headers, the compiler driver cncc, samples.")
set(CPACK_COMPONENT_TESTS_DESCRIPTION "${PROJECT_DESCRIPTION}: mluop_gtest, its cases, the benchmarks.")
set(CPACK_COMPONENT_MPI_DESCRIPTION "${PROJECT_DESCRIPTION}: communication between processes with Open MPI.")
set(mluop_runtime "libmluops${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION})")
# cncc calls the compiler it was built with.
set(CPACK_DEBIAN_DEV_PACKAGE_DEPENDS "${mluop_runtime}, g++")
set(CPACK_DEBIAN_TESTS_PACKAGE_DEPENDS "${mluop_runtime}")
# Only this package depends on Open MPI: within one process CNCL works without it.
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "${mluop_runtime}")
if(TARGET cncl_mpi)
  set(CPACK_DEBIAN_RUNTIME_PACKAGE_SUGGESTS "${mluop_mpi_package} (= ${PROJECT_VERSION})")
endif()
find_program(DPKG_SHLIBDEPS dpkg-shlibdeps)
find_program(FILE_PROGRAM file)  # CPack asks it which files are libraries
mark_as_advanced(DPKG_SHLIBDEPS FILE_PROGRAM)
if(DPKG_SHLIBDEPS AND FILE_PROGRAM)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
  set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/lib ${NEUWARE_HOME}/lib64)
else()
  message(STATUS "  packages      : without the libraries they depend on (dpkg-dev and file would find them)")
endif()

include(CPack)

# SPDX-License-Identifier: MIT
# What `cmake --install` and CPack put where, in the components runtime, dev, tests and, with MPI, mpi. The component mpi is
# the CNCL module that reaches other processes; it is separate so that the others do not depend on MPI.
#
#   <lib>/libmluops.so*                 the library, and libmluops_comm.so* for several devices
#   <lib>/mluops/neuware/               the embedded Neuware root: bin/cncc, include/, lib64/, cmake/
#   <lib>/mluops/benchmarks/            the benchmark programs
#   <lib>/cmake/mluops/, <lib>/pkgconfig/mluops.pc
#   include/mlu_op.h, include/mlu_op_comm.h, bin/cncc, bin/mluop_gtest and its tools
#   share/mluops/{samples,zoo}, share/doc/mluops
#
# The installed tree may be moved: no file contains the path of the build tree or the prefix. Programs and libraries find each
# other by $ORIGIN, the CMake and pkg-config files use paths relative to themselves.

include(CMakePackageConfigHelpers)

set(mluop_lib ${CMAKE_INSTALL_LIBDIR})
set(mluop_root ${mluop_lib}/mluops/neuware)
set(mluop_doc ${CMAKE_INSTALL_DATADIR}/doc/mluops)
if(IS_ABSOLUTE "${mluop_lib}")
  message(FATAL_ERROR "CMAKE_INSTALL_LIBDIR must be relative to the prefix, not ${mluop_lib}")
endif()

# All users can read the installed files, whatever the builder's umask. These are the permissions of programs and libraries; a
# script that runs last sets those of folders, and other files are readable by default.
set(mluop_executable OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# mluop_run_path(<target> <folder>): sets the run path with which the target, installed in <folder>, finds the libraries.
function(mluop_run_path target folder)
  set(paths "")
  foreach(place ${mluop_lib} ${mluop_root}/lib64)
    file(RELATIVE_PATH path /prefix/${folder} /prefix/${place})
    list(APPEND paths "\$ORIGIN/${path}")
  endforeach()
  if(MLUOP_NEUWARE_HOME)
    list(APPEND paths ${NEUWARE_HOME}/lib64)
  endif()
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "${paths}")
endfunction()

# mluop_install_when_built(<component> <target>...): stops the installation before anything is copied if a target is not built.
function(mluop_install_when_built component)
  set(files "")
  foreach(target IN LISTS ARGN)
    if(TARGET ${target})
      list(APPEND files "[==[$<TARGET_FILE:${target}>]==]")
    endif()
  endforeach()
  list(JOIN files " " files)
  install(CODE "foreach(file ${files})
  if(NOT EXISTS \"\${file}\")
    message(FATAL_ERROR \"Nothing was installed: \${file} is not built yet. Build everything first, by \"
                        \"'cmake --build' of the build folder or by ./independent_build.sh --install=PREFIX\")
  endif()
endforeach()" COMPONENT ${component})
endfunction()

list(TRANSFORM MLUOP_OPERATORS PREPEND bench_ OUTPUT_VARIABLE benchmarks)
mluop_install_when_built(runtime mluops mluops_comm cnrt cncl cnnl)
mluop_install_when_built(mpi cncl_mpi)
mluop_install_when_built(dev mluops mluops_comm mluops_static cnrt cncl cnnl cncc)
mluop_install_when_built(tests mluop_gtest pb2prototxt prototxt2pb mluop_case_gen ${benchmarks})

# Remembers which folders of the prefix existed before the installation: uninstalling removes only the others.
set(MLUOP_SHARED_FOLDERS ${CMAKE_INSTALL_BINDIR} ${CMAKE_INSTALL_INCLUDEDIR} ${mluop_lib} ${mluop_lib}/cmake
    ${mluop_lib}/pkgconfig ${CMAKE_INSTALL_DATADIR} ${CMAKE_INSTALL_DATADIR}/doc)
set(MLUOP_OWN_FOLDERS ${CMAKE_INSTALL_INCLUDEDIR}/mluops ${mluop_lib}/mluops ${mluop_lib}/cmake/mluops ${CMAKE_INSTALL_DATADIR}/mluops ${mluop_doc})
configure_file(${CMAKE_CURRENT_LIST_DIR}/install/open_folders.cmake.in open_folders.cmake @ONLY)
configure_file(${CMAKE_CURRENT_LIST_DIR}/install/remember_folders.cmake.in remember_folders.cmake @ONLY)
configure_file(${CMAKE_CURRENT_LIST_DIR}/install/uninstall.cmake.in uninstall.cmake @ONLY)
install(SCRIPT ${CMAKE_BINARY_DIR}/remember_folders.cmake ALL_COMPONENTS)
add_custom_target(uninstall COMMAND ${CMAKE_COMMAND} -P ${CMAKE_BINARY_DIR}/uninstall.cmake VERBATIM)

# ---- Library and header ---------------------------------------------------------------------------------------------

foreach(library mluops mluops_comm)
  if(TARGET ${library})
    mluop_run_path(${library} ${mluop_lib})
    install(TARGETS ${library} LIBRARY DESTINATION ${mluop_lib} PERMISSIONS ${mluop_executable} COMPONENT runtime
            NAMELINK_COMPONENT dev)
  endif()
endforeach()
if(TARGET mluops_static)
  install(TARGETS mluops_static ARCHIVE DESTINATION ${mluop_lib} COMPONENT dev)
endif()
if(TARGET mluops_comm)
  install(FILES mlu_op_comm.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
endif()
install(FILES mlu_op.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev)
# Device functions for the user's kernels, with the include paths that the library's own kernels use.
install(FILES kernels/kernel.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/mluops/kernels COMPONENT dev)
install(FILES kernels/utils/counting.mluh kernels/utils/paged_cache.h kernels/utils/paged_gather.mluh
              kernels/utils/scattered_rows.mluh
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/mluops/kernels/utils COMPONENT dev)

# ---- The embedded Neuware: the staged root as it is -------------------------------------------------------------------

if(NOT MLUOP_NEUWARE_HOME)
  install(DIRECTORY ${NEUWARE_HOME}/lib64/ DESTINATION ${mluop_root}/lib64 COMPONENT runtime
          FILE_PERMISSIONS ${mluop_executable} FILES_MATCHING PATTERN "*.so.*" PATTERN "libcncl_mpi.so*" EXCLUDE)
  install(DIRECTORY ${NEUWARE_HOME}/lib64/ DESTINATION ${mluop_root}/lib64 COMPONENT dev
          PATTERN "*.so.*" EXCLUDE PATTERN "libcncl_mpi.so*" EXCLUDE)
  if(TARGET cncl_mpi)
    install(DIRECTORY ${NEUWARE_HOME}/lib64/ DESTINATION ${mluop_root}/lib64 COMPONENT mpi
            FILE_PERMISSIONS ${mluop_executable} FILES_MATCHING PATTERN "libcncl_mpi.so*")
  endif()
  install(DIRECTORY ${NEUWARE_HOME}/bin DESTINATION ${mluop_root} COMPONENT dev FILE_PERMISSIONS ${mluop_executable})
  install(DIRECTORY ${NEUWARE_HOME}/include ${NEUWARE_HOME}/cmake ${NEUWARE_HOME}/share DESTINATION ${mluop_root} COMPONENT dev)
  install(FILES ${NEUWARE_HOME}/version.txt DESTINATION ${mluop_root} COMPONENT dev)
  file(RELATIVE_PATH cncc /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${mluop_root}/bin/cncc)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/installed_cncc)
  file(CREATE_LINK ${cncc} ${CMAKE_BINARY_DIR}/installed_cncc/cncc SYMBOLIC)
  install(FILES ${CMAKE_BINARY_DIR}/installed_cncc/cncc DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT dev)
endif()

# ---- find_package(mluops) and pkg-config ---------------------------------------------------------------------------------

if(MLUOP_NEUWARE_HOME)
  set(MLUOP_CONFIG_NEUWARE "${NEUWARE_HOME}")
  set(MLUOP_PC_NEUWARE "${NEUWARE_HOME}")
else()
  set(MLUOP_CONFIG_NEUWARE "\${PACKAGE_PREFIX_DIR}/${mluop_root}")
  set(MLUOP_PC_NEUWARE "\${libdir}/mluops/neuware")
endif()
file(RELATIVE_PATH MLUOP_PC_PREFIX /prefix/${mluop_lib}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" MLUOP_PC_PREFIX "${MLUOP_PC_PREFIX}")
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/install/mluops-config.cmake.in
  ${CMAKE_BINARY_DIR}/mluops-config.cmake INSTALL_DESTINATION ${mluop_lib}/cmake/mluops
  NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/mluops-config-version.cmake COMPATIBILITY SameMajorVersion)
configure_file(${CMAKE_CURRENT_LIST_DIR}/install/mluops.pc.in mluops.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/mluops-config.cmake ${CMAKE_BINARY_DIR}/mluops-config-version.cmake
        DESTINATION ${mluop_lib}/cmake/mluops COMPONENT dev)
install(FILES ${CMAKE_BINARY_DIR}/mluops.pc DESTINATION ${mluop_lib}/pkgconfig COMPONENT dev)

# ---- Samples and documents -----------------------------------------------------------------------------------------------

install(DIRECTORY samples DESTINATION ${CMAKE_INSTALL_DATADIR}/mluops COMPONENT dev)
install(FILES README.md README_zh.md CHANGELOG.md CONTRIBUTING.md SECURITY.md DESTINATION ${mluop_doc} COMPONENT dev)
install(DIRECTORY docs DESTINATION ${mluop_doc} COMPONENT dev)
install(FILES LICENSE DESTINATION ${mluop_doc} COMPONENT runtime)

# ---- Tests ---------------------------------------------------------------------------------------------------------------

if(MLUOP_BUILD_GTEST)
  foreach(tool mluop_gtest pb2prototxt prototxt2pb mluop_case_gen)
    mluop_run_path(${tool} ${CMAKE_INSTALL_BINDIR})
    install(TARGETS ${tool} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tests)
  endforeach()
  foreach(op IN LISTS MLUOP_OPERATORS)
    install(DIRECTORY test/mlu_op_gtest/pb_gtest/zoo/${op}/test_case
            DESTINATION ${CMAKE_INSTALL_DATADIR}/mluops/zoo/${op} COMPONENT tests)
    if(TARGET bench_${op})
      mluop_run_path(bench_${op} ${mluop_lib}/mluops/benchmarks)
      install(TARGETS bench_${op} RUNTIME DESTINATION ${mluop_lib}/mluops/benchmarks COMPONENT tests)
    endif()
  endforeach()
endif()

install(SCRIPT ${CMAKE_BINARY_DIR}/open_folders.cmake ALL_COMPONENTS)

include(MluopPackage)

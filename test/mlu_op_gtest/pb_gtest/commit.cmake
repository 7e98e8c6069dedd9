# SPDX-License-Identifier: MIT
# -DSOURCE=folder -DHEADER=file: writes the commit and the branch of the sources as macros. The file is written only if
# they changed, so that nothing else is recompiled.

# ask_git(<variable> <words>...): git's output, or "unknown".
function(ask_git variable)
  execute_process(COMMAND git -C ${SOURCE} rev-parse ${ARGN} HEAD OUTPUT_VARIABLE answer RESULT_VARIABLE status
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT status EQUAL 0)
    set(answer unknown)
  endif()
  set(${variable} "${answer}" PARENT_SCOPE)
endfunction()

ask_git(commit --short)
ask_git(branch --abbrev-ref)
file(CONFIGURE OUTPUT ${HEADER} CONTENT "/* SPDX-License-Identifier: MIT */
#define MLUOP_TEST_COMMIT \"${commit}\"
#define MLUOP_TEST_BRANCH \"${branch}\"
" @ONLY)

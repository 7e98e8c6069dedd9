/* SPDX-License-Identifier: MIT */
#include "help.h"

#include <stdio.h>
#include <stdlib.h>

#include "arch.h"

static const char text[] =
    "Usage: cncc [options] file...\n"
    "Compiles BANG C (.mlu) for the CPU, compiles C and C++ with the host compiler, and links.\n"
    "\n"
    "Output:\n"
    "  -c                         compile to an object file\n"
    "  -S                         compile to assembly\n"
    "  -E                         preprocess only\n"
    "  -M, -MM                    print dependencies only\n"
    "  -fsyntax-only              check only\n"
    "  -o <file>                  output file\n"
    "  -shared, --shared          link a shared library\n"
    "  -save-temps                keep <name>.ii, <name>.lowered.ii and objects in the current "
    "folder\n"
    "  -MD, -MMD, -MF <file>, -MT <target>, -MQ <target>, -MP\n"
    "                             write a dependency file while compiling\n"
    "\n"
    "Language:\n"
    "  -x <language>              bang, c, c++, ...: language of the files that follow; none: by "
    "suffix\n"
    "  -std=<standard>            default for kernels c++17, which is also the oldest for them\n"
    "  -I, -D, -U, -include, -isystem, -iquote, -idirafter\n"
    "                             as for every C compiler\n"
    "  --bang-mlu-arch=<arch>     architecture; may be repeated, the first decides __BANG_ARCH__ "
    "and the\n"
    "                             sizes __MLU_NRAM_SIZE__, __MLU_WRAM_SIZE__, __MLU_SRAM_SIZE__ "
    "(KB)\n"
    "  --bang-arch=<group>        compute_20, compute_30 or compute_50\n"
    "  --bang-device-only         kernels also get their plain names, for host programs in C that\n"
    "                             launch them with cnrtInvokeKernel; so do those of a file that "
    "launches\n"
    "                             none, where the C library has no such name\n"
    "  --bang-fatbin-only, --bang-cnbin-only\n"
    "                             link a shared library, for cnModuleLoad\n"
    "\n"
    "Accepted for compatibility, without effect here:\n"
    "  --bang-host-only, --bang-compile-host-device, --bang-wram-align64 and any other --bang-*;\n"
    "  -fbang-instrument-kernels;\n"
    "  -fmlu-fast-math; -mllvm <option>; -Xbang-cnas <option>; --neuware-path=<dir>;\n"
    "  --no-neuware-version-check; --cnas-path=<dir>; --target=<triple>\n"
    "\n"
    "Linking adds <root>/lib64, -lcnrt, its run path, -lm and -lpthread, where <root> is two "
    "folders above\n"
    "this program.\n"
    "  -noneuwareinc              do not add <root>/include nor include bang.h\n"
    "  -noneuwarelib              do not link libcnrt\n"
    "\n"
    "Other:\n"
    "  -v                         print the commands that are run\n"
    "  -###                       print them without running them\n"
    "  @<file>                    read options from a file\n"
    "  --version, --help\n"
    "All other options go to the host compiler.\n"
    "\n"
    "Environment:\n"
    "  CNCC_HOST_CXX, CNCC_HOST_CC   host compilers to use instead of the configured ones\n"
    "  TMPDIR                        where temporary files go\n"
    "\n"
    "Architectures: ";

void print_help(void) {
  char *names = arch_names();
  printf("%s%s\n", text, names);
  free(names);
}

/* SPDX-License-Identifier: MIT
 *
 * bang-card reads unoptimised bitcode of a kernel file and writes optimised bitcode with the card
 * root's hooks. --join makes one file of the results for several architectures.
 */
#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cost.h"
#include "derive.h"
#include "homes.h"
#include "join.h"
#include "speculate.h"
#include "unit.h"

static LLVMModuleRef read_module(LLVMContextRef context, const char *path) {
  LLVMMemoryBufferRef buffer = NULL;
  LLVMModuleRef module = NULL;
  char *message = NULL;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &message)) {
    fail("cannot read '%s': %s", path, message);
  }
  if (LLVMParseBitcodeInContext2(context, buffer, &module)) {
    fail("'%s' is not bitcode of this LLVM", path);
  }
  LLVMDisposeMemoryBuffer(buffer);
  return module;
}

static LLVMValueRef add_descriptor(const struct unit *unit) {
  LLVMTypeRef bytes = LLVMPointerType(LLVMInt8TypeInContext(unit->context), 0);
  LLVMTypeRef word = LLVMInt32TypeInContext(unit->context);
  LLVMTypeRef fields[] = {bytes, bytes, word, word, word, word, bytes};
  LLVMTypeRef type = LLVMStructTypeInContext(unit->context, fields, 7, 0);
  LLVMValueRef descriptor = LLVMAddGlobal(unit->module, type, "__bang_card_this_module");
  LLVMSetLinkage(descriptor, LLVMInternalLinkage);
  return descriptor;
}

static void verify(LLVMModuleRef module, const char *when) {
  char *message = NULL;
  if (LLVMVerifyModule(module, LLVMReturnStatusAction, &message)) {
    fail("%s: %s", when, message);
  }
  LLVMDisposeMessage(message);
}

static int usage(void) {
  fputs(
      "usage: bang-card --include=FOLDER [--architecture=N] [--list=FILE] INPUT.bc -o OUTPUT.bc\n"
      "       bang-card --join -o OUTPUT.bc ARCHITECTURE=INPUT.bc...\n",
      stderr);
  return 2;
}

static void write_module(LLVMModuleRef module, const char *output) {
  if (LLVMWriteBitcodeToFile(module, output) != 0) {
    fail("cannot write '%s'", output);
  }
}

/* `words` are -o, the output, and one input per architecture. */
static int join_files(char **words, int count) {
  enum { MAX_COPIES = 16 };
  struct copy copies[MAX_COPIES];
  size_t copy_count = 0;
  if (count < 3 || count > 2 + MAX_COPIES || strcmp(words[0], "-o") != 0) {
    return usage();
  }
  LLVMContextRef context = LLVMContextCreate();
  for (int i = 2; i < count; ++i) {
    const char *input = strchr(words[i], '=');
    if (input == NULL) {
      return usage();
    }
    copies[copy_count++] =
        (struct copy){.module = read_module(context, input + 1), .architecture = atoi(words[i])};
  }
  LLVMModuleRef module = join(context, copies, copy_count);
  verify(module, "after several architectures were joined");
  write_module(module, words[1]);
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
  return 0;
}

int main(int argc, char **argv) {
  const char *input = NULL;
  const char *output = NULL;
  const char *include = NULL;
  const char *list = NULL;
  int architecture = 0;
  if (argc > 1 && strcmp(argv[1], "--join") == 0) {
    return join_files(argv + 2, argc - 2);
  }
  for (int i = 1; i < argc; ++i) {
    if (strncmp(argv[i], "--include=", 10) == 0) {
      include = argv[i] + 10;
    } else if (strncmp(argv[i], "--architecture=", 15) == 0) {
      architecture = atoi(argv[i] + 15);
    } else if (strncmp(argv[i], "--list=", 7) == 0) {
      list = argv[i] + 7;
    } else if (strcmp(argv[i], "-o") == 0 && i + 1 < argc) {
      output = argv[++i];
    } else if (argv[i][0] != '-' && input == NULL) {
      input = argv[i];
    } else {
      return usage();
    }
  }
  if (input == NULL || output == NULL || include == NULL) {
    return usage();
  }
  struct unit unit = {
      .context = LLVMContextCreate(), .architecture = architecture, .include = include};
  cost_choose_board(architecture);
  if (list != NULL && (unit.list = fopen(list, "w")) == NULL) {
    fail("cannot write '%s'", list);
  }
  unit.module = read_module(unit.context, input);
  places_init(&unit.places, unit.context, include);
  count_nram(&unit);
  prepare(&unit);
  note_addresses(&unit);
  remember_loads(&unit);
  mark_private_arguments(&unit);
  verify(unit.module, "before optimisation");
  optimise(&unit);
  find_devices(&unit);
  if (unit.devices.count != 0) {
    unit.descriptor = add_descriptor(&unit);
    instrument(&unit);
    check_needs(&unit);
    emit_tables(&unit);
  }
  remove_notes(&unit);
  give_homes(&unit);
  verify(unit.module, "after instrumentation");
  write_module(unit.module, output);
  if (unit.list != NULL && fclose(unit.list) != 0) {
    fail("cannot write '%s'", list);
  }
  free(unit.parts);
  free(unit.notes);
  free(unit.loads);
  map_free(&unit.note_numbers);
  map_free(&unit.devices);
  places_free(&unit.places);
  LLVMDisposeModule(unit.module);
  LLVMContextDispose(unit.context);
  return 0;
}

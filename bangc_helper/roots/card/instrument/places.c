/* SPDX-License-Identifier: MIT */
#include "places.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "language.h"
#include "module.h"
#include "support.h"

/* From the C++ library. */
char *__cxa_demangle(const char *name, char *buffer, size_t *length, int *status);

enum origin { ORIGIN_KERNEL, ORIGIN_SYSTEM, ORIGIN_LANGUAGE };

struct scope {
  LLVMMetadataRef subprogram;
  const char *file;
  const char *function;
  enum origin origin;
  bool is_scalar; /* a header of scalar functions */
};

void places_init(struct places *places, LLVMContextRef context, const char *include) {
  *places = (struct places){.context = context, .include = include};
  places->sites = grow(NULL, 0, &places->site_room, sizeof(*places->sites));
  places->sites[places->site_count++] = (struct site){"", "", 0};
}

void places_free(struct places *places) {
  map_free(&places->scopes);
  map_free(&places->locations);
  map_free(&places->names);
  map_free(&places->recorded);
  map_free(&places->site_numbers);
  map_free(&places->call_numbers);
  free(places->scope_list);
  free(places->place_list);
  free(places->sites);
  free(places->calls);
}

/* ---- Debug information ---- */

/* Operand numbers of LLVM's debug nodes. */
enum { OPERAND_SCOPE = 1, OPERAND_NAME = 2, MAX_OPERANDS = 32 };

static LLVMValueRef operand(struct places *places, LLVMMetadataRef node, unsigned index) {
  LLVMValueRef value = LLVMMetadataAsValue(places->context, node);
  LLVMValueRef operands[MAX_OPERANDS] = {NULL};
  const unsigned count = (unsigned)LLVMGetMDNodeNumOperands(value);
  if (index >= count || count > MAX_OPERANDS) {
    return NULL;
  }
  LLVMGetMDNodeOperands(value, operands);
  return operands[index];
}

/* The function that contains a scope. */
static LLVMMetadataRef subprogram_of(struct places *places, LLVMMetadataRef scope) {
  while (scope != NULL && LLVMGetMetadataKind(scope) != LLVMDISubprogramMetadataKind) {
    LLVMValueRef parent = operand(places, scope, OPERAND_SCOPE);
    scope = parent != NULL ? LLVMValueAsMetadata(parent) : NULL;
  }
  return scope;
}

static const char *name_of(struct places *places, LLVMMetadataRef subprogram) {
  const uint64_t *better = map_find(&places->names, (uint64_t)(uintptr_t)subprogram);
  if (better != NULL) {
    return (const char *)(uintptr_t)*better;
  }
  LLVMValueRef name = operand(places, subprogram, OPERAND_NAME);
  unsigned length = 0;
  const char *text = name != NULL ? LLVMGetMDString(name, &length) : NULL;
  return text != NULL ? text : "";
}

static const char *path_of(LLVMMetadataRef scope) {
  LLVMMetadataRef file = LLVMDIScopeGetFile(scope);
  unsigned length = 0;
  unsigned folder_length = 0;
  if (file == NULL) {
    return "";
  }
  const char *name = LLVMDIFileGetFilename(file, &length);
  const char *folder = LLVMDIFileGetDirectory(file, &folder_length);
  if (length == 0 || name[0] == '/' || folder_length == 0) {
    return length != 0 ? name : "";
  }
  char *path = allocate(folder_length + length + 2, 1);
  snprintf(path, folder_length + length + 2, "%s/%s", folder, name);
  return path;
}

static bool begins_with(const char *text, const char *beginning) {
  return strncmp(text, beginning, strlen(beginning)) == 0;
}

static enum origin origin_of(const struct places *places, const char *file) {
  if (begins_with(file, places->include)) {
    return ORIGIN_LANGUAGE;
  }
  const bool system = begins_with(file, "/usr/include/") || begins_with(file, "/usr/lib/") ||
                      strstr(file, "/include/c++/") != NULL || strstr(file, "/lib/clang/") != NULL;
  return system ? ORIGIN_SYSTEM : ORIGIN_KERNEL;
}

static const char *without_arguments(const char *name) {
  const size_t length = strcspn(name, "<");
  if (name[length] == 0 || length == 0 || begins_with(name, "operator")) {
    return name;
  }
  char *bare = allocate(length + 1, 1);
  memcpy(bare, name, length);
  return bare;
}

static const struct scope *scope_of(struct places *places, LLVMMetadataRef metadata) {
  bool is_new = false;
  uint64_t *number = map_put(&places->scopes, (uint64_t)(uintptr_t)metadata, &is_new);
  if (!is_new) {
    return &places->scope_list[*number - 1];
  }
  struct scope scope = {.subprogram = subprogram_of(places, metadata)};
  scope.file = path_of(metadata);
  scope.function = scope.subprogram != NULL ? name_of(places, scope.subprogram) : "";
  scope.origin = origin_of(places, scope.file);
  if (scope.origin == ORIGIN_LANGUAGE) {
    scope.is_scalar = language_file_is_scalar(scope.file + strlen(places->include));
    scope.function = without_arguments(scope.function);
  }
  places->scope_list = grow(places->scope_list, places->scope_count, &places->scope_room,
                            sizeof(*places->scope_list));
  places->scope_list[places->scope_count++] = scope;
  *number = places->scope_count;
  return &places->scope_list[places->scope_count - 1];
}

/* ---- Names ---- */

/* A kernel's body is a closure in the kernel's function: for "matmul(float*,
 * int)::$_0::operator()() const" this returns "matmul", without template arguments. NULL if the
 * symbol has another form. */
static char *kernel_of_closure(const char *symbol) {
  int status = 0;
  char *demangled = __cxa_demangle(symbol, NULL, NULL, &status);
  if (demangled == NULL) {
    return NULL;
  }
  char *begin = demangled;
  if (begins_with(begin, "void ")) { /* a template's symbol includes its result type */
    begin += 5;
  }
  const size_t length = strcspn(begin, "(<");
  char *name = allocate(length + 1, 1);
  memcpy(name, begin, length);
  free(demangled);
  return name;
}

void places_name_functions(struct places *places, LLVMModuleRef module) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f != NULL; f = LLVMGetNextFunction(f)) {
    LLVMMetadataRef subprogram = LLVMGetSubprogram(f);
    if (subprogram == NULL || strcmp(name_of(places, subprogram), "operator()") != 0) {
      continue;
    }
    size_t length = 0;
    char *name = kernel_of_closure(LLVMGetValueName2(f, &length));
    if (name != NULL && name[0] != 0) {
      *map_put(&places->names, (uint64_t)(uintptr_t)subprogram, NULL) = (uint64_t)(uintptr_t)name;
    }
  }
}

const char *places_language_function(struct places *places, LLVMValueRef function) {
  LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
  if (subprogram == NULL) {
    return NULL;
  }
  const struct scope *scope = scope_of(places, subprogram);
  return scope->origin == ORIGIN_LANGUAGE ? scope->function : NULL;
}

void places_record_function(struct places *places, LLVMValueRef function) {
  LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
  map_put(&places->recorded, (uint64_t)(uintptr_t)subprogram, NULL);
}

/* ---- Places ---- */

static uint64_t hash_text(uint64_t hash, const char *text) {
  for (; *text != 0; ++text) {
    hash = (hash ^ (unsigned char)*text) * 1099511628211u;
  }
  return hash;
}

static uint32_t site_number(struct places *places, const struct scope *scope, uint32_t line) {
  uint64_t key = hash_text(14695981039346656037u ^ line, scope->file);
  key = hash_text(key * 3, scope->function);
  bool is_new = false;
  uint64_t *number = map_put(&places->site_numbers, key != 0 ? key : 1, &is_new);
  if (is_new) {
    places->sites =
        grow(places->sites, places->site_count, &places->site_room, sizeof(*places->sites));
    places->sites[places->site_count] = (struct site){scope->file, scope->function, line};
    *number = places->site_count++;
  }
  return (uint32_t)*number;
}

static uint32_t call_number(struct places *places, uint32_t site, uint32_t caller) {
  bool is_new = false;
  uint64_t *number = map_put(&places->call_numbers, ((uint64_t)caller << 32 | site) + 1, &is_new);
  if (is_new) {
    places->calls =
        grow(places->calls, places->call_count, &places->call_room, sizeof(*places->calls));
    places->calls[places->call_count] = (struct call){site, caller};
    *number = places->call_count++;
  }
  return (uint32_t)*number | CARD_SITE_IS_CALL;
}

/* The innermost place in a kernel's source, with its callers, as hooks get it. 0 if there is none.
 */
static uint32_t hooked_place(struct places *places, LLVMMetadataRef location) {
  for (LLVMMetadataRef at = location; at != NULL; at = LLVMDILocationGetInlinedAt(at)) {
    const struct scope *scope = scope_of(places, LLVMDILocationGetScope(at));
    const uint32_t line = LLVMDILocationGetLine(at);
    if (scope->origin == ORIGIN_KERNEL && line != 0) {
      const uint32_t site = site_number(places, scope, line);
      const uint32_t caller = hooked_place(places, LLVMDILocationGetInlinedAt(at));
      return caller != 0 ? call_number(places, site, caller) : site;
    }
  }
  return 0;
}

/* Walks from the innermost inlined function outwards. */
static struct place find_place(struct places *places, LLVMMetadataRef location) {
  struct place place = {.layer = LAYER_KERNEL};
  bool innermost = true;
  for (LLVMMetadataRef at = location; at != NULL; at = LLVMDILocationGetInlinedAt(at)) {
    const struct scope *scope = scope_of(places, LLVMDILocationGetScope(at));
    if (innermost && scope->origin == ORIGIN_LANGUAGE) {
      place.layer = scope->is_scalar ? LAYER_KERNEL : LAYER_LANGUAGE;
      place.in_sync = strcmp(scope->file + strlen(places->include), "/bang/sync.h") == 0;
    }
    innermost = false;
    if (map_find(&places->recorded, (uint64_t)(uintptr_t)scope->subprogram) != NULL) {
      place.layer = LAYER_FUNCTION;
      ++place.functions;
    }
    if (scope->origin == ORIGIN_LANGUAGE && strcmp(scope->function, "convert_one") == 0) {
      place.in_conversion = true;
    }
    if (scope->origin == ORIGIN_KERNEL && place.site == 0) {
      const uint32_t line = LLVMDILocationGetLine(at);
      if (line != 0) {
        place.site = site_number(places, scope, line);
        place.hooked = hooked_place(places, at);
      }
      break;
    }
  }
  return place;
}

struct place places_of(struct places *places, LLVMValueRef instruction) {
  LLVMMetadataRef location = LLVMInstructionGetDebugLoc(instruction);
  if (location == NULL) {
    return (struct place){.layer = LAYER_KERNEL};
  }
  bool is_new = false;
  uint64_t *number = map_put(&places->locations, (uint64_t)(uintptr_t)location, &is_new);
  if (is_new) {
    places->place_list = grow(places->place_list, places->place_count, &places->place_room,
                              sizeof(*places->place_list));
    places->place_list[places->place_count] = find_place(places, location);
    *number = ++places->place_count;
  }
  return places->place_list[*number - 1];
}

uint32_t places_remembered(struct places *places, LLVMMetadataRef location, LLVMValueRef near) {
  const struct scope *scope = scope_of(places, LLVMDILocationGetScope(location));
  const uint32_t line = LLVMDILocationGetLine(location);
  if (scope->origin != ORIGIN_KERNEL || line == 0) {
    return 0;
  }
  LLVMMetadataRef subprogram = scope->subprogram;
  const uint32_t site = site_number(places, scope, line);
  for (LLVMMetadataRef at = LLVMInstructionGetDebugLoc(near); at != NULL;
       at = LLVMDILocationGetInlinedAt(at)) {
    if (scope_of(places, LLVMDILocationGetScope(at))->subprogram == subprogram) {
      const uint32_t caller = hooked_place(places, LLVMDILocationGetInlinedAt(at));
      return caller != 0 ? call_number(places, site, caller) : site;
    }
  }
  return site;
}

/* SPDX-License-Identifier: MIT
 *
 * Modules of the driver interface: shared libraries made by cncc, loaded from a file or from
 * memory, and their kernels by name. A library stays loaded when its module is unloaded, since
 * launches of its kernels may be in flight.
 */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common.h"
#include "kernel_registry.h"

struct CNmodule_st {
  void *library;
};

static CNresult open_library(const char *path, CNmodule *module) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    return CN_ERROR_INVALID_FATBIN;
  }
  CNmodule made = malloc(sizeof *made);
  if (made == NULL) {
    dlclose(library);
    return CN_ERROR_SYSTEM_OUT_OF_MEMORY;
  }
  made->library = library;
  *module = made;
  return CN_SUCCESS;
}

RT_EXPORT CNresult cnModuleLoad(const char *fname, CNmodule *module) {
  if (fname == NULL || module == NULL) {
    return CN_ERROR_INVALID_VALUE;
  }
  if (access(fname, R_OK) != 0) {
    return CN_ERROR_FILE_NOT_FOUND;
  }
  char *path = realpath(fname, NULL); /* the loader would search its path for a bare name */
  if (path == NULL) {
    return CN_ERROR_FILE_NOT_FOUND;
  }
  const CNresult result = open_library(path, module);
  free(path);
  return result;
}

/* Size of the library: the linker puts the section table at its end. 0 if it is not a library for
 * this machine. */
static size_t image_size(const void *image) {
  Elf64_Ehdr header;
  if (memcmp(image, ELFMAG, SELFMAG) != 0) {
    return 0;
  }
  memcpy(&header, image, sizeof header);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_type != ET_DYN) {
    return 0;
  }
  return (size_t)header.e_shoff + (size_t)header.e_shnum * header.e_shentsize;
}

static int write_all(int file, const char *data, size_t bytes) {
  while (bytes > 0) {
    const ssize_t written = write(file, data, bytes);
    if (written < 0 && errno != EINTR) {
      return -1;
    }
    data += written > 0 ? written : 0;
    bytes -= written > 0 ? (size_t)written : 0;
  }
  return 0;
}

/* The dynamic loader does not load a file again if it knows its name, and file numbers are reused.
 * So each load spells the name differently. */
enum { PATH_BYTES = 128 };
static void name_file(char *path, int file) {
  static _Atomic uint32_t names;
  const uint32_t name = atomic_fetch_add(&names, 1);
  int length = snprintf(path, PATH_BYTES, "/proc/self/fd/");
  for (int bit = 0; bit < 32; bit++) {
    length += snprintf(path + length, PATH_BYTES - (size_t)length, name >> bit & 1 ? "./" : "/");
  }
  snprintf(path + length, PATH_BYTES - (size_t)length, "%d", file);
}

RT_EXPORT CNresult cnModuleLoadFatBinary(const void *data, CNmodule *module) {
  if (data == NULL || module == NULL) {
    return CN_ERROR_INVALID_VALUE;
  }
  const size_t bytes = image_size(data);
  if (bytes == 0) {
    return CN_ERROR_INVALID_FATBIN;
  }
  const int file = memfd_create("cnmodule", MFD_CLOEXEC);
  if (file < 0) {
    return CN_ERROR_SYSTEM_OUT_OF_MEMORY;
  }
  CNresult result = CN_ERROR_SYSTEM_OUT_OF_MEMORY;
  if (write_all(file, data, bytes) == 0) {
    char path[PATH_BYTES];
    name_file(path, file);
    result = open_library(path, module);
  }
  close(file);
  return result;
}

RT_EXPORT CNresult cnModuleLoadData(const void *data, CNmodule *module) {
  return cnModuleLoadFatBinary(data, module);
}

RT_EXPORT CNresult cnModuleUnload(CNmodule module) {
  if (module == NULL) {
    return CN_ERROR_INVALID_VALUE;
  }
  free(module);
  return CN_SUCCESS;
}

RT_EXPORT CNresult cnModuleGetKernel(CNmodule module, const char *kname, CNkernel *kernel) {
  if (module == NULL || kname == NULL || kernel == NULL) {
    return CN_ERROR_INVALID_VALUE;
  }
  void *function = dlsym(module->library, kname);
  if (function == NULL || rt_kernel_find(function) == NULL) {
    return CN_ERROR_NOT_FOUND;
  }
  *kernel = function;
  return CN_SUCCESS;
}

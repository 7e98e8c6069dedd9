/* SPDX-License-Identifier: MIT
 *
 * A program that is not linked with the library loads it with dlopen, uses it and closes it.
 */
#include <dlfcn.h>
#include <stdio.h>

typedef int (*allocate_t)(void **pointer, size_t bytes);
typedef int (*fill_t)(void *pointer, int value, size_t bytes, void *queue);
typedef int (*one_pointer_t)(void *pointer);

int main(void) {
  void *library = dlopen(NEUWARE_LIB "/libcnrt.so", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  allocate_t allocate = (allocate_t)dlsym(library, "cnrtMalloc");
  fill_t fill = (fill_t)dlsym(library, "cnrtMemsetAsync");
  one_pointer_t sync = (one_pointer_t)dlsym(library, "cnrtQueueSync");
  one_pointer_t release = (one_pointer_t)dlsym(library, "cnrtFree");
  char *memory = NULL;
  const size_t size = (size_t)1 << 20;
  if (allocate((void **)&memory, size) != 0 || fill(memory, 7, size, NULL) != 0 ||
      sync(NULL) != 0 || memory[size - 1] != 7 || release(memory) != 0) {
    fprintf(stderr, "the library does not work after dlopen\n");
    return 1;
  }
  return dlclose(library);
}

/* SPDX-License-Identifier: MIT
 *
 * Claims a device the way programs written for cards do: reads the kernel driver's exclusive_mode
 * file, writes it and reads it again. Prints what it finds.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cnpapi.h"
#include "cnpapi_generated_cndrv_params.h"
#include "cnrt.h"

static char read_claim(const char *path) {
  char claim = '?';
  const int file = open(path, O_CLOEXEC | O_SYNC | O_RDONLY);
  if (file < 0 || read(file, &claim, 1) != 1) {
    printf("claim: %s\n", strerror(errno));
    exit(1);
  }
  close(file);
  return claim;
}

static void write_claim(const char *path, char claim) {
  const int file = open(path, O_CLOEXEC | O_SYNC | O_RDWR);
  if (write(file, &claim, 1) != 1) {
    printf("no claim: %s\n", strerror(errno));
  }
  close(file);
}

int main(void) {
  char address[32];
  char path[128];
  if (cnrtDeviceGetPCIBusId(address, sizeof(address), 0) != cnrtSuccess) {
    return 1;
  }
  snprintf(path, sizeof(path), "/proc/driver/cambricon/mlus/%s/exclusive_mode", address);
  printf("claim %c\n", read_claim(path));
  write_claim(path, '1');
  printf("then %c\n", read_claim(path));
  FILE *stream = fopen(path, "re");
  printf("stream %c\n", stream != NULL ? fgetc(stream) : '?');
  if (stream != NULL) {
    fclose(stream);
  }
  printf("other %s\n",
         open("/proc/driver/cambricon/other", O_RDONLY) < 0 && errno == ENOENT ? "no" : "yes");
  const char *home = getenv("NEUWARE_HOME");
  printf("home %s\n", home != NULL ? home : "none");
  /* The profiler's header has the parameters of the driver's launch function. */
  const cnInvokeKernel_params launch = {.dimx = 4};
  return launch.dimx == 4 && CNPAPI_SUCCESS == 0 ? 3 : 4;
}

/* What a process can still do after cpixbuf_confine(): it fits a picture, and nothing else. Prints what is wrong. */
#define _GNU_SOURCE
#include "CAuthPixbuf.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

static int faults;

static void expect(int is_right, const char *fault) {
  if (is_right) return;
  faults++;
  printf("%s\n", fault);
}

int main(void) {
  /* A GIF of two pixels. */
  static const uint8_t picture[] =
    "GIF89a\2\0\1\0\200\0\0\377\377\377\0\0\0,\0\0\0\0\2\0\1\0\0\2\2D\n\0;";
  char reason[256] = "";
  cpixbuf_confine();
  cpixbuf_picture *pixels = cpixbuf_read(picture, sizeof picture - 1, 1, 1, reason, sizeof reason);
  size_t count = 0;
  expect(pixels != NULL && cpixbuf_jpeg(pixels, 80, &count, reason, sizeof reason) != NULL && count > 100, reason);
  expect(open("/etc/hostname", O_RDONLY) < 0, "it reads a file");
  expect(open("/proc/self/environ", O_RDONLY) < 0, "it reads its environment");
  expect(open("/", O_RDONLY | O_DIRECTORY) < 0, "it lists a folder");
  expect(open(".confined", O_WRONLY | O_CREAT, 0600) < 0, "it writes a file");
  expect(socket(AF_INET, SOCK_STREAM, 0) < 0 && socket(AF_UNIX, SOCK_STREAM, 0) < 0, "it makes a socket");
  expect(kill(getppid(), 0) < 0, "it sends a signal");
  expect(mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED, "it makes code");
  expect(mmap(NULL, 3UL << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED, "it takes 3 GiB");
  expect(execl("/bin/true", "true", (char *)NULL) < 0, "it starts a program");
  expect(fork() < 0, "it starts a process");
  return faults != 0;
}

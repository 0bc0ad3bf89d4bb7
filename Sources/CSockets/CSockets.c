#define _GNU_SOURCE
#include "CSockets.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

int csockets_accept(int socket) {
  int accepted = accept4(socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
  return accepted < 0 ? -errno : accepted;
}

void csockets_allow_files(unsigned long count) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= count) return;
  limit.rlim_cur = limit.rlim_max < count ? limit.rlim_max : count;
  // If it fails, fewer connections can be open.
  setrlimit(RLIMIT_NOFILE, &limit);
}

void csockets_keep_event_polls(void) {
  static const char wanted[] = "anon_inode:[eventpoll]";
  for (int descriptor = 3; descriptor < 256; descriptor++) {
    char path[32], target[sizeof wanted];
    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    ssize_t size = readlink(path, target, sizeof target);
    if (size != sizeof wanted - 1 || memcmp(target, wanted, sizeof wanted - 1) != 0) continue;
    fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  }
}

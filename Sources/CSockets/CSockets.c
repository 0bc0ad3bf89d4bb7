#define _GNU_SOURCE
#include "CSockets.h"

#include <errno.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/socket.h>

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

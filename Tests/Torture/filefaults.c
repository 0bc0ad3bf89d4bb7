/* For LD_PRELOAD: lets a call for a session file fail, or kills the process at it.

   TEST_FILE_FAULT="CALL NUMBER COUNT ERROR": the calls from NUMBER on, COUNT of them, counted in each process from 1, fail
   with this errno; 0 kills the process before the call. `complete` is the renaming of the reserved file. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_due(const char *call, const char *path) {
  static int made;
  char name[32];
  int number, count, error;
  const char *fault = getenv("TEST_FILE_FAULT");
  if (!fault || !strstr(path, "/sessions") || sscanf(fault, "%31s %d %d %d", name, &number, &count, &error) != 4)
    return 0;
  if (strcmp(name, call) || ++made < number || made >= number + count) return 0;
  if (error == 0) kill(getpid(), SIGKILL);
  errno = error;
  return 1;
}

static int is_due_for(const char *call, int file) {
  char link[64], path[4096] = "";
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  if (readlink(link, path, sizeof path - 1) < 0) return 0;
  return is_due(call, path);
}

#define NEXT(name) ((typeof(&name))dlsym(RTLD_NEXT, #name))
int fallocate(int file, int mode, off_t start, off_t size) {
  return is_due_for("fallocate", file) ? -1 : NEXT(fallocate)(file, mode, start, size);
}
ssize_t pwrite(int file, const void *bytes, size_t count, off_t start) {
  return is_due_for("pwrite", file) ? -1 : NEXT(pwrite)(file, bytes, count, start);
}
int ftruncate(int file, off_t size) { return is_due_for("ftruncate", file) ? -1 : NEXT(ftruncate)(file, size); }
int fsync(int file) { return is_due_for("fsync", file) ? -1 : NEXT(fsync)(file); }
int rename(const char *from, const char *to) {
  return is_due(strstr(from, ".next") ? "complete" : "rename", to) ? -1 : NEXT(rename)(from, to);
}

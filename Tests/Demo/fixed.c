/* Random numbers that are the same in each run: picture.py preloads this in front of the C library. Swift's generator
   asks by syscall(2), other libraries by getrandom(3); all other system calls are passed on. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>

static _Atomic uint64_t count;

/* splitmix64 of a count: no number comes twice. */
static uint64_t next(void) {
  uint64_t z = ++count * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

ssize_t getrandom(void *buffer, size_t length, unsigned flags) {
  (void)flags;
  for (size_t done = 0; done < length; done += sizeof(uint64_t)) {
    uint64_t number = next();
    memcpy((char *)buffer + done, &number, length - done < sizeof number ? length - done : sizeof number);
  }
  return (ssize_t)length;
}

long syscall(long number, ...) {
  long a[6];
  va_list arguments;
  va_start(arguments, number);
  for (int i = 0; i < 6; i++) a[i] = va_arg(arguments, long);
  va_end(arguments);
  if (number == SYS_getrandom) return getrandom((void *)a[0], (size_t)a[1], (unsigned)a[2]);
  long (*next_in_line)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
  return next_in_line(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

#define _GNU_SOURCE
#include "CProcess.h"
#include "signals.h"
#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

static atomic_int open_sections;
static atomic_int pending_signal;
static atomic_int end_pipe = -1;
static atomic_bool end_awaited;
static atomic_llong told_at;
static atomic_int hangup_pipe = -1;
static bool had_terminal;
static struct sigaction former_pipe;
static sigset_t former_mask;
static struct rlimit former_files;

void cprocess_prepare(void) {
  for (int descriptor = 0; descriptor <= 2; descriptor++)
    /* The lowest number that is free: this one. */
    if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF) open("/dev/null", O_RDWR);
  prctl(PR_SET_DUMPABLE, 0);
  getrlimit(RLIMIT_NOFILE, &former_files);
}

char **cprocess_environment(void) { return environ; }

int cprocess_wait_for_input(int descriptor, int milliseconds) {
  struct pollfd wanted = {.fd = descriptor, .events = POLLIN};
  int outcome;
  /* A signal that does not end the process at once must not look like the end of the wait. */
  do
    outcome = poll(&wanted, 1, milliseconds);
  while (outcome < 0 && errno == EINTR);
  return outcome;
}

struct cprocess_lines cprocess_take_lines(int descriptor) {
  struct cprocess_lines lines = {0, false};
  struct pollfd wanted = {.fd = descriptor, .events = POLLIN};
  char typed[256];
  struct termios settings;
  if (tcgetpgrp(descriptor) != getpgrp() || poll(&wanted, 1, 0) != 1) return lines;
  ssize_t size = read(descriptor, typed, sizeof typed);
  for (ssize_t index = 0; index < size; index++)
    if (typed[index] == '\n') lines.count++;
  lines.echoed = tcgetattr(descriptor, &settings) == 0 && (settings.c_lflag & ECHO) != 0;
  return lines;
}

/* Async-signal-safe. */
static long long milliseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000LL + now.tv_nsec / 1000000;
}

/* Whether the program was told, and ends by leaving the section that this enters for it. */
static bool tell_program(void) {
  int pipe = atomic_exchange(&end_pipe, -1);
  if (pipe < 0) return false;
  atomic_fetch_add(&open_sections, 1);
  atomic_store(&told_at, milliseconds());
  atomic_store(&end_awaited, true);
  if (write(pipe, "", 1) == 1) return true;
  atomic_store(&end_awaited, false);
  atomic_fetch_sub(&open_sections, 1);
  return false;
}

/* Async-signal-safe. */
static void end(int number) {
  if (tell_program()) return;
  terminal_restore();
  _exit(128 + number);
}

static void arrived(int number) {
  int error = errno;
  if (number == SIGHUP && atomic_load(&hangup_pipe) >= 0 && write(atomic_load(&hangup_pipe), "", 1) == 1) {
    errno = error;
    return;
  }
  int none = 0;
  atomic_compare_exchange_strong(&pending_signal, &none, number);
  bool is_told = atomic_load(&end_awaited);
  /* One section is that of tell_program(), which a second signal does not wait for, unless it comes with the first:
     timeout(1), a terminal that is closed and its shell send two at once. */
  bool is_second = is_told && milliseconds() - atomic_load(&told_at) >= 500;
  if (atomic_load(&open_sections) == (is_told ? 1 : 0) && (!is_told || is_second)) end(number);
  errno = error;
}

void cprocess_handle_signals(void) {
  struct sigaction action = {.sa_handler = arrived, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
  for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) {
    struct sigaction former;
    sigaction(numbers[index], NULL, &former);
    /* What nohup and the like have switched off stays off. */
    if (former.sa_handler != SIG_IGN) sigaction(numbers[index], &action, NULL);
  }
  const struct sigaction ignored = {.sa_handler = SIG_IGN};
  sigaction(SIGPIPE, &ignored, &former_pipe);
  pthread_sigmask(SIG_SETMASK, NULL, &former_mask);
}

/* A new program handles no signal, but ignores and blocks what the thread does: those of a pool block nearly all. */
void signals_restore(void) {
  sigaction(SIGPIPE, &former_pipe, NULL);
  pthread_sigmask(SIG_SETMASK, &former_mask, NULL);
}

const struct rlimit *signals_former_files(void) { return &former_files; }

int cprocess_become(char *const arguments[], char *const environment[]) {
  struct sigaction ours;
  sigset_t mask;
  sigaction(SIGPIPE, NULL, &ours);
  pthread_sigmask(SIG_SETMASK, NULL, &mask);
  signals_restore();
  /* An alarm would outlive it. */
  cprocess_end_after(0);
  execvpe(arguments[0], arguments, environment);
  int error = errno;
  pthread_sigmask(SIG_SETMASK, &mask, NULL);
  sigaction(SIGPIPE, &ours, NULL);
  return error;
}

void cprocess_enter_section(void) { atomic_fetch_add(&open_sections, 1); }

void cprocess_leave_section(void) {
  if (atomic_fetch_sub(&open_sections, 1) != 1) return;
  int number = atomic_load(&pending_signal);
  if (number != 0) end(number);
}

/* A pipe that holds all that is ever written to it, so that the writer never waits for a reader that is stopped. */
static int make_pipe(int ends[2]) {
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
  return fcntl(ends[1], F_SETFL, O_WRONLY | O_NONBLOCK);
}

int cprocess_await_end(void) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  atomic_store(&end_pipe, ends[1]);
  return ends[0];
}

/* Whether a process can use its controlling terminal. */
static bool has_terminal(void) {
  int terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (terminal >= 0) close(terminal);
  return terminal >= 0;
}

int cprocess_await_hangup(void) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return -1;
  had_terminal = has_terminal();
  atomic_store(&hangup_pipe, ends[1]);
  return ends[0];
}

bool cprocess_end_with_terminal(void) {
  if (!had_terminal || has_terminal()) return false;
  atomic_store(&hangup_pipe, -1);
  /* To the process: this thread blocks it. */
  kill(getpid(), SIGHUP);
  return true;
}

static int spawn_apart(char *const arguments[], int lock, int writing) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, lock, 3);
  posix_spawn_file_actions_adddup2(&actions, writing, 4);
  posix_spawn_file_actions_addclosefrom_np(&actions, 5);

  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK);

  pid_t child;
  int error = posix_spawn(&child, "/proc/self/exe", &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

int cprocess_start_apart(const char *order, const char *name, const char *option, int lock) {
  int ends[2];
  if (make_pipe(ends) != 0) return -1;
  /* Out of the way of the numbers that they get. */
  int held = fcntl(lock, F_DUPFD_CLOEXEC, 10);
  int writing = fcntl(ends[1], F_DUPFD_CLOEXEC, 10);
  close(ends[1]);
  /* posix_spawn writes to none of them. */
  char *arguments[] = {program_invocation_name, (char *)order, (char *)name, (char *)option, NULL};
  int error = held < 0 || writing < 0 ? errno : spawn_apart(arguments, held, writing);
  if (held >= 0) close(held);
  if (writing >= 0) close(writing);
  if (error == 0) return ends[0];
  close(ends[0]);
  errno = error;
  return -1;
}

bool cprocess_holds_lock(const char *path) {
  struct stat held, named;
  if (fstat(3, &held) != 0 || stat(path, &named) != 0) return false;
  if (held.st_ino != named.st_ino || held.st_dev != named.st_dev) return false;
  /* Whoever holds it already gets it once more. */
  return flock(3, LOCK_EX | LOCK_NB) == 0;
}

void cprocess_keep_files(void) {
  fcntl(3, F_SETFD, FD_CLOEXEC);
  fcntl(4, F_SETFD, FD_CLOEXEC);
}

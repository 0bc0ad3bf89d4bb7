#define _GNU_SOURCE
#include "CProcess.h"
#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const int passed[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
enum { COUNT = sizeof passed / sizeof *passed };

static struct sigaction former_actions[COUNT], former_child;
static const struct sigaction standard = {.sa_handler = SIG_DFL};
static atomic_int child;
/* The signals that arrived before there was a child: a bit for each. */
static atomic_ulong early;
static atomic_int child_signal;

/* What the terminal sends, its whole foreground process group gets, the child, too: unless it has a group of its own.
   Only the leader of the session gets the hang-up. */
static void pass_on(int number, siginfo_t *info, void *context) {
  (void)context;
  int error = errno;
  pid_t process = atomic_load(&child);
  bool has_it = info->si_code == SI_KERNEL && number != SIGHUP && getpgid(process) == getpgrp();
  if (process == 0) atomic_fetch_or(&early, 1UL << number);
  if (process > 0 && !has_it) kill(process, number);
  errno = error;
}

static void pass_signals(void) {
  struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_RESTART | SA_SIGINFO};
  sigemptyset(&action.sa_mask);
  for (size_t index = 0; index < COUNT; index++) {
    sigaction(passed[index], NULL, &former_actions[index]);
    /* What is ignored is ignored by the child, too. */
    if (former_actions[index].sa_handler != SIG_IGN) sigaction(passed[index], &action, NULL);
  }
  /* Where it is ignored, the status of a child is lost. */
  sigaction(SIGCHLD, &standard, &former_child);
}

static void keep_signals(void) {
  for (size_t index = 0; index < COUNT; index++) sigaction(passed[index], &former_actions[index], NULL);
  sigaction(SIGCHLD, &former_child, NULL);
}

/* In the new process, which has one thread: async-signal-safe. */
static _Noreturn void run(char *const arguments[], char *const environment[], int report) {
  /* Not the handlers of this program, before signals can arrive. */
  for (size_t index = 0; index < COUNT; index++)
    if (former_actions[index].sa_handler != SIG_IGN) sigaction(passed[index], &standard, NULL);
  sigaction(SIGCHLD, &former_child, NULL);
  signals_restore();
  setrlimit(RLIMIT_NOFILE, signals_former_files());
  execvpe(arguments[0], arguments, environment);
  int error = errno;
  if (write(report, &error, sizeof error) < 0) _exit(126);
  _exit(127);
}

/* Forks while no signal can arrive at this thread, so that none runs a handler of this program in the child. */
static pid_t fork_quietly(void) {
  sigset_t all, mask;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &mask);
  pid_t process = fork();
  if (process > 0) atomic_store(&child, process);
  unsigned long signals = process > 0 ? atomic_exchange(&early, 0) : 0;
  for (int number = 1; number < 32; number++)
    if ((signals >> number & 1) != 0) kill(process, number);
  if (process != 0) pthread_sigmask(SIG_SETMASK, &mask, NULL);
  return process;
}

int cprocess_start(char *const arguments[], char *const environment[]) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  atomic_store(&early, 0);
  pass_signals();
  pid_t process = fork_quietly();
  int error = process < 0 ? errno : 0;
  if (process == 0) run(arguments, environment, ends[1]);
  close(ends[1]);
  /* The pipe is closed when the command runs. */
  if (process > 0) {
    ssize_t size;
    do size = read(ends[0], &error, sizeof error);
    while (size < 0 && errno == EINTR);
    if (size == sizeof error) {
      atomic_store(&child, 0);
      waitpid(process, NULL, 0);
    }
  }
  close(ends[0]);
  if (error != 0) keep_signals();
  return error;
}

int cprocess_wait(void) {
  pid_t process = atomic_load(&child);
  siginfo_t info;
  int status = 0;
  /* Its number is not given to another process before the last signal is passed on. */
  while (waitid(P_PID, (id_t)process, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) continue;
  atomic_store(&child, 0);
  keep_signals();
  pid_t ended;
  do ended = waitpid(process, &status, 0);
  while (ended < 0 && errno == EINTR);
  if (ended != process) return 1;
  if (WIFSIGNALED(status)) atomic_store(&child_signal, WTERMSIG(status));
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void cprocess_end_as_child(void) {
  if (atomic_load(&child_signal) != SIGINT) return;
  sigset_t only;
  sigaction(SIGINT, &standard, NULL);
  sigemptyset(&only);
  sigaddset(&only, SIGINT);
  pthread_sigmask(SIG_UNBLOCK, &only, NULL);
  kill(getpid(), SIGINT);
}

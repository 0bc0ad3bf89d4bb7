#define _GNU_SOURCE
#include "CProcess.h"
#include "signals.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const int passed[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
enum { COUNT = sizeof passed / sizeof *passed };

static struct sigaction former_actions[COUNT];
static atomic_int child;
/* A signal that arrived before there was a child. */
static atomic_int early;

/* What the terminal sends, its whole foreground process group gets: the child, too. */
static void pass_on(int number, siginfo_t *info, void *context) {
  (void)context;
  if (info->si_code == SI_KERNEL) return;
  int error = errno;
  pid_t process = atomic_load(&child);
  if (process > 0)
    kill(process, number);
  else
    atomic_store(&early, number);
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
}

static void keep_signals(void) {
  for (size_t index = 0; index < COUNT; index++) sigaction(passed[index], &former_actions[index], NULL);
}

/* In the new process, which has one thread: async-signal-safe. */
static _Noreturn void run(char *const arguments[], char *const environment[], int report) {
  /* Not the handlers of this program, before other signals than those of a terminal can arrive. */
  const struct sigaction standard = {.sa_handler = SIG_DFL};
  for (size_t index = 0; index < COUNT; index++)
    if (former_actions[index].sa_handler != SIG_IGN) sigaction(passed[index], &standard, NULL);
  signals_restore();
  setrlimit(RLIMIT_NOFILE, signals_former_files());
  execvpe(arguments[0], arguments, environment);
  int error = errno;
  if (write(report, &error, sizeof error) < 0) _exit(126);
  _exit(127);
}

int cprocess_start(char *const arguments[], char *const environment[]) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return errno;
  atomic_store(&early, 0);
  pass_signals();
  pid_t process = fork();
  int error = process < 0 ? errno : 0;
  if (process == 0) run(arguments, environment, ends[1]);
  close(ends[1]);
  /* The pipe is closed when the command runs. */
  if (process > 0) {
    ssize_t size;
    do size = read(ends[0], &error, sizeof error);
    while (size < 0 && errno == EINTR);
    if (size == sizeof error) waitpid(process, NULL, 0);
  }
  close(ends[0]);
  if (error != 0) {
    keep_signals();
    return error;
  }
  atomic_store(&child, process);
  int number = atomic_exchange(&early, 0);
  if (number != 0) kill(process, number);
  return 0;
}

int cprocess_wait(void) {
  pid_t process = atomic_load(&child);
  siginfo_t info;
  int status = 0;
  /* Its number is not given to another process before the last signal is passed on. */
  while (waitid(P_PID, (id_t)process, &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) continue;
  atomic_store(&child, 0);
  keep_signals();
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) continue;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

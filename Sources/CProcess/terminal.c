#define _GNU_SOURCE
#include "terminal.h"
#include "CProcess.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static atomic_int silent_terminal = -1;
static atomic_bool status_shown;
/* What is written again when a stopped process goes on; only changed while no handler is installed. */
static char prompt[512];
static struct sigaction former_stop, former_go_on;
static const struct sigaction standard = {.sa_handler = SIG_DFL};
static struct sigaction stopping;

/* What was typed before a change is discarded. Where nothing changes, nothing is: it may be the answer to the prompt. */
static int switch_echo(int descriptor, bool echo) {
  struct termios settings;
  if (tcgetattr(descriptor, &settings) != 0) return -1;
  if (((settings.c_lflag & ECHO) != 0) == echo) return 0;
  if (echo)
    settings.c_lflag |= ECHO;
  else
    settings.c_lflag &= ~(tcflag_t)ECHO;
  return tcsetattr(descriptor, TCSAFLUSH, &settings);
}

/* Switches the echo off again, unless the terminal belongs to others now. Returns whether it did. */
static bool hide(void) {
  int descriptor = atomic_load(&silent_terminal);
  return descriptor >= 0 && tcgetpgrp(descriptor) == getpgrp() && switch_echo(descriptor, false) == 0;
}

/* SIGTSTP: the shell gets a terminal that echoes, as from readpassphrase(3). */
static void stop(int number) {
  int error = errno;
  int descriptor = atomic_load(&silent_terminal);
  if (descriptor >= 0) switch_echo(descriptor, true);
  sigaction(number, &standard, NULL);
  raise(number);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  /* It stops here, and goes on after SIGCONT, whose handler has run by then. */
  pthread_sigmask(SIG_UNBLOCK, &only, NULL);
  sigaction(number, &stopping, NULL);
  /* Without a shell that could continue it, it was not stopped. */
  hide();
  errno = error;
}

/* SIGCONT, also after a SIGSTOP. In the background nothing is done: another SIGCONT comes with the terminal. */
static void go_on(int number) {
  (void)number;
  int error = errno;
  /* Nothing can be done if it can't be written. */
  if (hide() && write(STDERR_FILENO, prompt, strlen(prompt)) < 0) errno = error;
  errno = error;
}

int cprocess_hide_input(int descriptor, const char *text) {
  if (atomic_load(&silent_terminal) >= 0) return 0;
  strncpy(prompt, text, sizeof prompt - 1);
  atomic_store(&silent_terminal, descriptor);
  struct sigaction going_on = {.sa_handler = go_on, .sa_flags = SA_RESTART};
  stopping = (struct sigaction){.sa_handler = stop, .sa_flags = SA_RESTART};
  sigemptyset(&going_on.sa_mask);
  sigemptyset(&stopping.sa_mask);
  sigaction(SIGCONT, &going_on, &former_go_on);
  sigaction(SIGTSTP, NULL, &former_stop);
  /* A process that no shell stops stays so. */
  if (former_stop.sa_handler != SIG_IGN) sigaction(SIGTSTP, &stopping, NULL);
  /* Last: who sees that nothing is shown any more may stop the process. */
  if (switch_echo(descriptor, false) == 0) return 0;
  int error = errno;
  cprocess_show_input();
  errno = error;
  return -1;
}

void cprocess_show_input(void) {
  int descriptor = atomic_exchange(&silent_terminal, -1);
  if (descriptor < 0) return;
  sigaction(SIGTSTP, &former_stop, NULL);
  sigaction(SIGCONT, &former_go_on, NULL);
  switch_echo(descriptor, true);
}

void cprocess_show_status(bool shown) { atomic_store(&status_shown, shown); }

void terminal_restore(void) {
  int descriptor = atomic_load(&silent_terminal);
  if (descriptor >= 0) switch_echo(descriptor, true);
  /* Also the ^C that the terminal has added to the line. Nothing can be done if it can't be written. */
  if (atomic_load(&status_shown) && write(STDERR_FILENO, "\r\033[K", 4) < 0) return;
}

int cprocess_columns(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

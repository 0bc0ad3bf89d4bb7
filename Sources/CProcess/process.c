#include "CProcess.h"

#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static atomic_int open_sections;
static atomic_int pending_signal;
static atomic_int silent_terminal = -1;

int cprocess_set_echo(int descriptor, bool echo) {
  struct termios settings;
  if (tcgetattr(descriptor, &settings) != 0) return -1;
  if (echo)
    settings.c_lflag |= ECHO;
  else
    settings.c_lflag &= ~(tcflag_t)ECHO;
  if (!echo) atomic_store(&silent_terminal, descriptor);
  int status = tcsetattr(descriptor, TCSAFLUSH, &settings);
  if (echo) atomic_store(&silent_terminal, -1);
  return status;
}

int cprocess_wait_for_input(int descriptor, int milliseconds) {
  struct pollfd wanted = {.fd = descriptor, .events = POLLIN};
  return poll(&wanted, 1, milliseconds);
}

int cprocess_columns(int descriptor) {
  struct winsize size;
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* Async-signal-safe: tcgetattr, tcsetattr and _exit are. */
static void end(int number) {
  int descriptor = atomic_load(&silent_terminal);
  if (descriptor >= 0) cprocess_set_echo(descriptor, true);
  _exit(128 + number);
}

static void arrived(int number) {
  int none = 0;
  atomic_compare_exchange_strong(&pending_signal, &none, number);
  if (atomic_load(&open_sections) == 0) end(number);
}

void cprocess_handle_signals(void) {
  struct sigaction action = {.sa_handler = arrived, .sa_flags = SA_RESTART};
  sigemptyset(&action.sa_mask);
  const int numbers[] = {SIGHUP, SIGINT, SIGTERM};
  for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) {
    struct sigaction former;
    sigaction(numbers[index], NULL, &former);
    /* What nohup and the like have switched off stays off. */
    if (former.sa_handler != SIG_IGN) sigaction(numbers[index], &action, NULL);
  }
  signal(SIGPIPE, SIG_IGN);
}

void cprocess_enter_section(void) { atomic_fetch_add(&open_sections, 1); }

void cprocess_leave_section(void) {
  if (atomic_fetch_sub(&open_sections, 1) != 1) return;
  int number = atomic_load(&pending_signal);
  if (number != 0) end(number);
}

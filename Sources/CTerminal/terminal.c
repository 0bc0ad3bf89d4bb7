#include "CTerminal.h"

#include <termios.h>

int cterminal_set_echo(int descriptor, bool echo) {
  struct termios settings;
  if (tcgetattr(descriptor, &settings) != 0) return -1;
  if (echo)
    settings.c_lflag |= ECHO;
  else
    settings.c_lflag &= ~(tcflag_t)ECHO;
  return tcsetattr(descriptor, TCSAFLUSH, &settings);
}

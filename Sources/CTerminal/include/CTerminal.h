#ifndef CTERMINAL_H
#define CTERMINAL_H

#include <stdbool.h>

/* C, because struct termios is passed by pointer: in Swift each of these lines would be an unsafe one. */

/* Switches the echo of a terminal on or off; 0, or -1 with errno. */
int cterminal_set_echo(int descriptor, bool echo);

#endif

#ifndef CPROCESS_H
#define CPROCESS_H

#include <stdbool.h>

/* What a process does with its terminal and its signals. C, because struct termios and struct sigaction are passed by
   pointer, and because what runs in a signal handler must not be Swift: that may allocate, and take locks. */

/* Prepares the process, before anything else: those of descriptors 0 to 2 that are closed are opened on /dev/null, so
   that no other file gets their numbers; and neither a core file nor another process of the user can show its memory
   (PR_SET_DUMPABLE; a program that it becomes is dumpable again). */
void cprocess_prepare(void);

/* Switches the echo of a terminal on or off; 0, or -1 with errno. It is on again when a signal ends the process. */
int cprocess_set_echo(int descriptor, bool echo);

/* Waits until something can be read, so many milliseconds at the most: 1 if so, 0 if not, or -1 with errno. */
int cprocess_wait_for_input(int descriptor, int milliseconds);

/* How many columns a terminal has; 0 where nobody says. */
int cprocess_columns(int descriptor);

/* From now on SIGHUP, SIGINT, SIGQUIT and SIGTERM end the process with status 128 + signal: at once, or when the last of the
   sections that must not be broken off has been left. SIGPIPE is ignored: a reader that goes away is an error of the
   write. */
void cprocess_handle_signals(void);

/* Enters a section that must not be broken off. */
void cprocess_enter_section(void);

/* Leaves it; ends the process where a signal has come meanwhile and no other section is open. */
void cprocess_leave_section(void);

/* Starts this program once more, in a session of its own that no signal of this one's terminal or process group reaches:
   with the given arguments (the last one may be null), `lock` as descriptor 3, and the writing end of a pipe as 4. Nothing
   else of ours is open in it. Returns the reading end, or -1 with errno. */
int cprocess_start_apart(const char *order, const char *name, const char *option, int lock);

/* Becomes another program, looked for along PATH, with the signals as this one found them. Returns the error where that
   can't be done; signals are ours again then. */
int cprocess_become(char *const arguments[], char *const environment[]);

/* Whether descriptor 3 is the file of that path, and this process holds the lock on it. */
bool cprocess_holds_lock(const char *path);

/* Keeps descriptors 3 and 4 of a process that was started so from the programs that it starts. */
void cprocess_keep_files(void);

/* Ends the process after so many seconds, whatever it is doing. */
void cprocess_end_after(unsigned int seconds);

#endif

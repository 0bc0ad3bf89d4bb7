#ifndef CPROCESS_TERMINAL_H
#define CPROCESS_TERMINAL_H

/* Leaves the terminal as a person expects it at the end of the process. Async-signal-safe. */
void terminal_restore(void);

#endif

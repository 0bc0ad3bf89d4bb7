#ifndef SIGNALS_H
#define SIGNALS_H

#include <sys/resource.h>

/* Restores the signal settings that this program was started with. */
void signals_restore(void);

/* Returns the limit of open files that this program was started with. */
const struct rlimit *signals_former_files(void);

#endif

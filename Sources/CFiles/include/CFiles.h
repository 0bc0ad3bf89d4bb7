#ifndef CFILES_H
#define CFILES_H

/* What Swift doesn't import of <fcntl.h>. C, because the macros differ from one architecture to the other. */

/* O_TMPFILE, open(2): with a folder's path, a file without a name. */
extern const int cfiles_unnamed;

#endif

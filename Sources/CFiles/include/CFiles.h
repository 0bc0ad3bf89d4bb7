#ifndef CFILES_H
#define CFILES_H

/* Constants of <fcntl.h> that Swift does not import. Written in C, because the macros differ between architectures. */

/* O_TMPFILE, open(2): opens a file without a name in a folder. */
extern const int cfiles_unnamed;

#endif

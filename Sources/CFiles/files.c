#define _GNU_SOURCE
#include "CFiles.h"

#include <fcntl.h>

const int cfiles_unnamed = O_TMPFILE;

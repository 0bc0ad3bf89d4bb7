#define _GNU_SOURCE
#include "CAuthFiles.h"

#include <fcntl.h>

const int cfiles_unnamed = O_TMPFILE;

int cfiles_reserve(int file, int64_t size) { return fallocate(file, FALLOC_FL_KEEP_SIZE, 0, size); }

#ifndef CSOCKETS_H
#define CSOCKETS_H

/// Accepts a connection as a socket that is non-blocking and close-on-exec from its first moment (accept4(2)).
/// Returns the socket, or an error number as a negative value. In C because the Glibc module lacks accept4, which is
/// declared for GNU sources only.
int csockets_accept(int socket);

/// Raises the soft limit of open files of this process to a number, or as far as its hard limit allows.
void csockets_allow_files(unsigned long count);

#endif

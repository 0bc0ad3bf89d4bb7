#ifndef CSOCKETS_H
#define CSOCKETS_H

/// Accepts a connection as a socket that is non-blocking and close-on-exec from its first moment (accept4(2)).
/// Returns the socket, or an error number as a negative value. In C because the Glibc module lacks accept4, which is
/// declared for GNU sources only.
int csockets_accept(int socket);

/// Raises the soft limit of open files of this process to a number, or as far as its hard limit allows.
void csockets_allow_files(unsigned long count);

/// Closes the event loops' descriptors (epoll(7)) when the process runs another program, which NIO does not do.
void csockets_keep_event_polls(void);

/// Looks up the user of the other end of a TCP connection on this machine (sock_diag(7)): one question for one
/// connection, in a few microseconds, however many there are.
///
/// `peer` is the other end's address, and `own` that of this end: both struct sockaddr_in, or both struct sockaddr_in6.
/// Returns 0 with the user, 1 if no process has the other end any more, or an error number as a negative value:
/// -ENOENT if there is no such connection.
int csockets_owner(const void *peer, const void *own, unsigned *uid);

#endif

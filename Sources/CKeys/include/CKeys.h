#ifndef CKEYS_H
#define CKEYS_H

#include <stddef.h>
#include <stdint.h>

/* The kernel's key retention service, keyrings(7). C, because syscall(2) is variadic, which Swift can't call; no library
   is needed for it. Each function gives -1 with errno where the kernel refuses. Process keyrings belong to a thread: a
   ring is got and used on one and the same. */

/* The keyring that outlives the user's last process, persistent-keyring(7), searchable by this thread from now on. */
int32_t ckeys_persistent_ring(void);

/* The keyring of all the user's processes, user-keyring(7), searchable by this thread from now on. */
int32_t ckeys_user_ring(void);

/* Adds a key to a ring, or gives the key of that type and description which is there this payload. */
int32_t ckeys_add(int32_t ring, const char *type, const char *description, const void *payload, size_t length);

/* Finds a key in a ring. */
int32_t ckeys_find(int32_t ring, const char *type, const char *description);

/* The length of a payload, of which as much is copied as there is room for. */
long ckeys_read(int32_t key, void *payload, size_t room);

/* What a key's type, owner, permissions and description are, in the form of KEYCTL_DESCRIBE; the length of it. */
long ckeys_describe(int32_t key, char *text, size_t room);

/* Sets who may do what with a key: the masks of keyctl_setperm(3). */
int ckeys_set_permissions(int32_t key, uint32_t permissions);

/* Lets a key expire by itself after so many seconds. */
int ckeys_set_lifetime(int32_t key, uint32_t seconds);

/* Takes a key away at once, from wherever it is linked. */
int ckeys_invalidate(int32_t key);

#endif

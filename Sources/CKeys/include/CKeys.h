#ifndef CKEYS_H
#define CKEYS_H

#include <stddef.h>
#include <stdint.h>

/* The kernel's key retention service, keyrings(7). Written in C, because syscall(2) is variadic and Swift can't call
   it; no library is needed. Each function returns -1 with errno if the kernel refuses. Process keyrings belong to a
   thread: get a ring and use it on the same thread. */

/* Returns the keyring that outlives the user's last process, persistent-keyring(7). This thread can search it from now
   on. */
int32_t ckeys_persistent_ring(void);

/* Returns the keyring of all the user's processes, user-keyring(7). This thread can search it from now on. */
int32_t ckeys_user_ring(void);

/* Returns the process's own keyring, which ends with the process. */
int32_t ckeys_process_ring(void);

/* Adds a key to a ring, or sets the payload of an existing key of that type and description. */
int32_t ckeys_add(int32_t ring, const char *type, const char *description, const void *payload, size_t length);

/* Links a key into a ring, in the place of a key of that type and description. */
int ckeys_link(int32_t key, int32_t ring);

/* Removes a key from a ring; other rings keep it. */
int ckeys_unlink(int32_t key, int32_t ring);

/* Finds a key in a ring. */
int32_t ckeys_find(int32_t ring, const char *type, const char *description);

/* Returns the length of a payload, and copies as much of it as there is room for. */
long ckeys_read(int32_t key, void *payload, size_t room);

/* Writes a key's type, owner, permissions and description in the form of KEYCTL_DESCRIBE, and returns its length. */
long ckeys_describe(int32_t key, char *text, size_t room);

/* Sets the permissions of a key: the masks of keyctl_setperm(3). */
int ckeys_set_permissions(int32_t key, uint32_t permissions);

/* Lets a key expire after this many seconds. */
int ckeys_set_lifetime(int32_t key, uint32_t seconds);

/* Removes a key at once, from every keyring that links to it. */
int ckeys_invalidate(int32_t key);

#endif

#define _GNU_SOURCE
#include "CKeys.h"

#include <linux/keyctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int32_t ckeys_persistent_ring(void) {
  return (int32_t)syscall(SYS_keyctl, KEYCTL_GET_PERSISTENT, -1, KEY_SPEC_PROCESS_KEYRING);
}

int32_t ckeys_user_ring(void) {
  /* Linked, since a key can be read by whoever possesses it, and a session's keyring need not lead to the user's. */
  long outcome = syscall(SYS_keyctl, KEYCTL_LINK, KEY_SPEC_USER_KEYRING, KEY_SPEC_PROCESS_KEYRING);
  return outcome == 0 ? KEY_SPEC_USER_KEYRING : -1;
}

int32_t ckeys_process_ring(void) { return KEY_SPEC_PROCESS_KEYRING; }

int32_t ckeys_add(int32_t ring, const char *type, const char *description, const void *payload, size_t length) {
  return (int32_t)syscall(SYS_add_key, type, description, payload, length, ring);
}

int ckeys_link(int32_t key, int32_t ring) { return (int)syscall(SYS_keyctl, KEYCTL_LINK, key, ring); }

int ckeys_unlink(int32_t key, int32_t ring) { return (int)syscall(SYS_keyctl, KEYCTL_UNLINK, key, ring); }

int32_t ckeys_find(int32_t ring, const char *type, const char *description) {
  return (int32_t)syscall(SYS_keyctl, KEYCTL_SEARCH, ring, type, description, 0);
}

long ckeys_read(int32_t key, void *payload, size_t room) {
  return syscall(SYS_keyctl, KEYCTL_READ, key, payload, room);
}

long ckeys_describe(int32_t key, char *text, size_t room) {
  return syscall(SYS_keyctl, KEYCTL_DESCRIBE, key, text, room);
}

int ckeys_set_permissions(int32_t key, uint32_t permissions) {
  return (int)syscall(SYS_keyctl, KEYCTL_SETPERM, key, permissions);
}

int ckeys_set_lifetime(int32_t key, uint32_t seconds) {
  return (int)syscall(SYS_keyctl, KEYCTL_SET_TIMEOUT, key, seconds);
}

int ckeys_invalidate(int32_t key) { return (int)syscall(SYS_keyctl, KEYCTL_INVALIDATE, key); }

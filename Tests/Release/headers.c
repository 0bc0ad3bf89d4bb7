/*
 * Compares what Sources/CAuthSecret states of libsecret and GLib with their own headers: a different type or number is an
 * error of the compiler.
 *
 *     clang -fsyntax-only $(pkg-config --cflags libsecret-1) -ISources/CAuthSecret/include Tests/Release/headers.c
 */
#define SECRET_API_SUBJECT_TO_CHANGE 1
#include <libsecret/secret.h>

#include "CAuthSecret.h"

#define REPEAT(result, name, parameters) result(name) parameters;
CSECRET_FUNCTIONS(REPEAT)

#define SAME(one, other) _Static_assert((one) == (other), #one)
#define SAME_PLACE(ours, theirs, name) SAME(offsetof(struct ours, name), offsetof(theirs, name))
#define SAME_MEMBER(ours, theirs, name)                                                                                \
  SAME_PLACE(ours, theirs, name);                                                                                      \
  _Static_assert(                                                                                                      \
      __builtin_types_compatible_p(__typeof__(((struct ours *)0)->name), __typeof__(((theirs *)0)->name)), #name)

SAME_MEMBER(csecret_error, GError, domain);
SAME_MEMBER(csecret_error, GError, code);
SAME_MEMBER(csecret_error, GError, message);
SAME_MEMBER(csecret_type, GTypeQuery, type);
SAME_MEMBER(csecret_type, GTypeQuery, class_size);
SAME_MEMBER(csecret_type, GTypeQuery, instance_size);
SAME(sizeof(struct csecret_type), sizeof(GTypeQuery));
SAME_PLACE(csecret_class, GObjectClass, constructor);
SAME(CSECRET_BUS_NONE, G_BUS_TYPE_NONE);
SAME(CSECRET_PROXY_BARE, G_DBUS_PROXY_FLAGS_DO_NOT_LOAD_PROPERTIES | G_DBUS_PROXY_FLAGS_DO_NOT_CONNECT_SIGNALS |
                             G_DBUS_PROXY_FLAGS_DO_NOT_AUTO_START_AT_CONSTRUCTION);
SAME(CSECRET_IO_CLOSED, G_IO_ERROR_CLOSED);
SAME(CSECRET_IO_CANCELLED, G_IO_ERROR_CANCELLED);
SAME(CSECRET_IO_TIMED_OUT, G_IO_ERROR_TIMED_OUT);
SAME(CSECRET_SPAWN_NO_FILE, G_SPAWN_ERROR_NOENT);
SAME(CSECRET_SPAWN_DAEMON,
     G_SPAWN_SEARCH_PATH_FROM_ENVP | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL);
SAME(CSECRET_BUS_CLIENT,
     G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION);

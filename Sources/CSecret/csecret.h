#ifndef CSECRET_H
#define CSECRET_H
/* The calls that work on D-Bus object paths stand in a part of libsecret that asks for this consent. */
#define SECRET_API_SUBJECT_TO_CHANGE 1
#include <libsecret/secret.h>

/* libsecret's service on a connection of ours, at a unique bus name: `secret_service_open` knows only the one shared
   session bus of the process, and asks it for owner, properties and signals that nobody needs here. With a unique name
   and these flags nothing is sent. Stands in C because `g_initable_new` is variadic. */
static inline SecretService *
csecret_service_new (GDBusConnection *connection, const char *owner, GCancellable *cancellable, GError **error)
{
  return (SecretService *) g_initable_new (SECRET_TYPE_SERVICE, cancellable, error,
                                           "g-connection", connection,
                                           "g-name", owner,
                                           "g-object-path", "/org/freedesktop/secrets",
                                           "g-interface-name", "org.freedesktop.Secret.Service",
                                           "g-flags", G_DBUS_PROXY_FLAGS_DO_NOT_LOAD_PROPERTIES
                                                      | G_DBUS_PROXY_FLAGS_DO_NOT_CONNECT_SIGNALS
                                                      | G_DBUS_PROXY_FLAGS_DO_NOT_AUTO_START,
                                           "flags", SECRET_SERVICE_NONE,
                                           NULL);
}

/* The type's one-time set-up, which takes long enough to be worth doing while the connection is being made. */
static inline void
csecret_prepare (void)
{
  g_type_class_unref (g_type_class_ref (SECRET_TYPE_SERVICE));
}
#endif

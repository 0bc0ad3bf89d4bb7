#ifndef CSECRET_H
#define CSECRET_H
/* The calls that work on D-Bus object paths stand in a part of libsecret that asks for this consent. */
#define SECRET_API_SUBJECT_TO_CHANGE 1
#include <libsecret/secret.h>

/* libsecret's service on a connection of ours.
   SecretService always takes the session bus that the whole process shares, and loads properties and signals that nobody
   needs here: it sets so in its constructor. A subclass has the last word on its construct-only properties. It stands in C
   because of the macros and variadic functions of GObject. */
static GObject *
csecret_service_constructor (GType type, guint count, GObjectConstructParam *properties)
{
  GObjectClass *parent = (GObjectClass *) g_type_class_peek (SECRET_TYPE_SERVICE);
  GObject *object = parent->constructor (type, count, properties);
  g_object_set (object,
                "g-bus-type", G_BUS_TYPE_NONE,
                "g-flags", G_DBUS_PROXY_FLAGS_DO_NOT_LOAD_PROPERTIES | G_DBUS_PROXY_FLAGS_DO_NOT_CONNECT_SIGNALS
                           | G_DBUS_PROXY_FLAGS_DO_NOT_AUTO_START_AT_CONSTRUCTION,
                NULL);
  return object;
}

static void
csecret_service_class_init (gpointer class_pointer, gpointer unused)
{
  G_OBJECT_CLASS (class_pointer)->constructor = csecret_service_constructor;
}

/* Registers the type of the service: to be called once in a process. (No variable here remembers that: Swift makes as many
   copies of it as it likes.) The set-up takes long enough to be done while the connection is being made. */
static inline GType
csecret_register_service_type (void)
{
  GType type = g_type_register_static_simple (SECRET_TYPE_SERVICE, "AuthctlSecretService", sizeof (SecretServiceClass),
                                              csecret_service_class_init, sizeof (SecretService), NULL,
                                              (GTypeFlags) 0);
  g_type_class_unref (g_type_class_ref (type));
  return type;
}

/* A new service, which has to be initialized before it is used. */
static inline SecretService *
csecret_service_new (GType type, GDBusConnection *connection)
{
  return (SecretService *) g_object_new (type, "g-connection", connection, NULL);
}
#endif

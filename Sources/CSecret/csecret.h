#ifndef CSECRET_H
#define CSECRET_H
/* The functions for D-Bus object paths are in a part of libsecret that requires this definition. */
#define SECRET_API_SUBJECT_TO_CHANGE 1
#include <libsecret/secret.h>
#include <signal.h>
#include <unistd.h>

/* The SecretService of libsecret on our own connection. SecretService always uses the session bus that the whole
   process shares, and loads properties and signals that are not needed here: its constructor sets this. A subclass can
   override these construct-only properties. It is written in C because GObject uses macros and variadic functions. */
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

/* Registers the type of the service; call it once per process. (No variable here remembers the type, because Swift may
   create several copies of it.) The registration takes long enough to run it while the connection is
   being opened. */
static inline GType
csecret_register_service_type (void)
{
  GType type = g_type_register_static_simple (SECRET_TYPE_SERVICE, "AuthctlSecretService", sizeof (SecretServiceClass),
                                              csecret_service_class_init, sizeof (SecretService), NULL,
                                              (GTypeFlags) 0);
  g_type_class_unref (g_type_class_ref (type));
  return type;
}

/* Creates a service, which must be initialized before use. */
static inline SecretService *
csecret_service_new (GType type, GDBusConnection *connection)
{
  return (SecretService *) g_object_new (type, "g-connection", connection, NULL);
}

/* Prepares a daemon between fork and exec, where Swift must not run. It must not inherit the signals that the threads
   of libdispatch block, and no signal of our terminal or process group may reach it. */
static void
csecret_prepare_daemon (gpointer unused)
{
  sigset_t none;
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
  signal (SIGPIPE, SIG_DFL);
  setsid ();
}

/* Starts a daemon, which is searched for in the PATH of its environment. It is no child of this process, which
   would have to wait for its end, and inherits no file: its standard ones are /dev/null. Returns 0 with an error if it
   can't be started: https://docs.gtk.org/glib/func.spawn_async.html */
static inline gboolean
csecret_start_daemon (char **arguments, char **environment, GError **error)
{
  GSpawnFlags flags = G_SPAWN_SEARCH_PATH_FROM_ENVP | G_SPAWN_STDOUT_TO_DEV_NULL | G_SPAWN_STDERR_TO_DEV_NULL;
  return g_spawn_async ("/", arguments, environment, flags, csecret_prepare_daemon, NULL, NULL, error);
}
#endif

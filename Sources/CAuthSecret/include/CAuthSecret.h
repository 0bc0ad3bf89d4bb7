#ifndef CSECRET_H
#define CSECRET_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#pragma clang diagnostic ignored "-Wnullability-completeness"

/*
 * Written in C because libsecret and GLib are not linked: loading them with their fifteen libraries takes as long as the
 * start of the program, which a command that does not ask the keyring should not pay.
 *
 * What is used of libsecret 1 and GLib 2, whose binary interfaces do not change, is stated here: only pkg-config knows
 * where their headers are, and SwiftPM would then link them. Tests/Release/headers.c compares it with these headers.
 */
typedef struct _GAsyncInitable GAsyncInitable;
typedef struct _GAsyncResult GAsyncResult;
typedef struct _GCancellable GCancellable;
typedef struct _GDBusAuthObserver GDBusAuthObserver;
typedef struct _GDBusConnection GDBusConnection;
typedef struct _GError GError;
typedef struct _GMainContext GMainContext;
typedef struct _GObject GObject;
typedef struct _GSource GSource;
typedef struct _GTypeInstance GTypeInstance;
typedef struct _GTypeQuery GTypeQuery;
typedef struct _GVariant GVariant;
typedef struct _GVariantType GVariantType;
typedef struct _SecretService SecretService;
typedef struct _SecretValue SecretValue;

typedef void (*GAsyncReadyCallback)(GObject *source, GAsyncResult *result, void *data);
typedef void (*GDBusSignalCallback)(GDBusConnection *connection, const char *sender, const char *path,
                                    const char *interface, const char *member, GVariant *arguments, void *data);
typedef void (*GClassInitFunc)(void *class, void *data);
typedef void (*GDestroyNotify)(void *data);
typedef void (*GInstanceInitFunc)(GTypeInstance *instance, void *class);
typedef int (*GSourceFunc)(void *data);
typedef void (*GSpawnChildSetupFunc)(void *data);

/* The members of a GError. */
struct csecret_error {
  uint32_t domain;
  int code;
  char *message;
};

enum {
  /* GIOErrorEnum */
  CSECRET_IO_CLOSED = 18,
  CSECRET_IO_CANCELLED = 19,
  CSECRET_IO_TIMED_OUT = 24,
  /* GSpawnError */
  CSECRET_SPAWN_NO_FILE = 8,
  /* GSpawnFlags: searched for in the PATH of its environment; nothing of what it writes is kept */
  CSECRET_SPAWN_DAEMON = 152,
  /* GDBusConnectionFlags: the client of a message bus */
  CSECRET_BUS_CLIENT = 9,
  /* GBusType */
  CSECRET_BUS_NONE = 0,
  /* GDBusProxyFlags: no properties, no signals; the service is not started before it is called */
  CSECRET_PROXY_BARE = 19,
};

/* The beginning of a GObjectClass. */
struct csecret_class {
  size_t type;
  void *construct_properties;
  GObject *(*constructor)(size_t type, unsigned count, void *properties);
};

/* A GTypeQuery. */
struct csecret_type {
  size_t type;
  const char *name;
  unsigned class_size;
  unsigned instance_size;
};

/* Result, name and parameters of each function. Results that Swift need not check for NULL are marked. */
#define CSECRET_FUNCTIONS(each)                                                                                        \
  each(void, g_free, (void *))                                                                                         \
  each(char *, g_strdup, (const char *))                                                                               \
  each(void, g_error_free, (GError *))                                                                                 \
  each(uint32_t, g_io_error_quark, (void))                                                                             \
  each(int64_t, g_get_monotonic_time, (void))                                                                          \
  each(int, g_spawn_async,                                                                                             \
       (const char *, char **, char **, unsigned, GSpawnChildSetupFunc, void *, int *, GError **))                     \
                                                                                                                       \
  each(void *, g_type_class_ref, (size_t))                                                                             \
  each(void *, g_type_class_peek, (size_t))                                                                            \
  each(void, g_type_query, (size_t, GTypeQuery *))                                                                     \
  each(size_t, g_type_register_static_simple,                                                                          \
       (size_t, const char *, unsigned, GClassInitFunc, unsigned, GInstanceInitFunc, unsigned))                        \
  each(void, g_object_set, (void *, const char *, ...))                                                                \
  each(void, g_async_initable_init_async, (GAsyncInitable *, int, GCancellable *, GAsyncReadyCallback, void *))        \
  each(int, g_async_initable_init_finish, (GAsyncInitable *, GAsyncResult *, GError **))                               \
  each(void *, g_object_new, (size_t, const char *, ...))                                                              \
  each(void *, g_object_ref, (void *))                                                                                 \
  each(void, g_object_unref, (void *))                                                                                 \
                                                                                                                       \
  each(GMainContext *_Nonnull, g_main_context_new, (void))                                                             \
  each(int, g_main_context_iteration, (GMainContext *, int))                                                           \
  each(void, g_main_context_wakeup, (GMainContext *))                                                                  \
  each(void, g_main_context_push_thread_default, (GMainContext *))                                                     \
  each(void, g_main_context_pop_thread_default, (GMainContext *))                                                      \
  each(void, g_main_context_unref, (GMainContext *))                                                                   \
  each(GSource *_Nonnull, g_timeout_source_new, (unsigned))                                                            \
  each(void, g_source_set_callback, (GSource *, GSourceFunc, void *, GDestroyNotify))                                  \
  each(void, g_source_set_ready_time, (GSource *, int64_t))                                                            \
  each(unsigned, g_source_attach, (GSource *, GMainContext *))                                                         \
  each(void, g_source_destroy, (GSource *))                                                                            \
  each(void, g_source_unref, (GSource *))                                                                              \
  each(GCancellable *_Nonnull, g_cancellable_new, (void))                                                              \
  each(void, g_cancellable_cancel, (GCancellable *))                                                                   \
                                                                                                                       \
  each(GVariant *, g_variant_new_string, (const char *))                                                               \
  each(GVariant *, g_variant_new_object_path, (const char *))                                                          \
  each(GVariant *, g_variant_new_boolean, (int))                                                                       \
  each(GVariant *, g_variant_new_uint32, (uint32_t))                                                                   \
  each(GVariant *, g_variant_new_variant, (GVariant *))                                                                \
  each(GVariant *, g_variant_new_dict_entry, (GVariant *, GVariant *))                                                 \
  each(GVariant *, g_variant_new_array, (const GVariantType *, GVariant *const *, size_t))                             \
  each(GVariant *, g_variant_new_tuple, (GVariant *const *, size_t))                                                   \
  each(int, g_variant_is_of_type, (GVariant *, const GVariantType *))                                                  \
  each(const char *_Nonnull, g_variant_get_type_string, (GVariant *))                                                  \
  each(const char *_Nonnull, g_variant_get_string, (GVariant *, size_t *))                                             \
  each(int, g_variant_get_boolean, (GVariant *))                                                                       \
  each(uint32_t, g_variant_get_uint32, (GVariant *))                                                                   \
  each(uint64_t, g_variant_get_uint64, (GVariant *))                                                                   \
  each(size_t, g_variant_n_children, (GVariant *))                                                                     \
  each(GVariant *, g_variant_get_child_value, (GVariant *, size_t))                                                    \
  each(void, g_variant_unref, (GVariant *))                                                                            \
                                                                                                                       \
  each(void, g_dbus_connection_new_for_address,                                                                        \
       (const char *, unsigned, GDBusAuthObserver *, GCancellable *, GAsyncReadyCallback, void *))                     \
  each(GDBusConnection *, g_dbus_connection_new_for_address_finish, (GAsyncResult *, GError **))                       \
  each(int, g_dbus_connection_is_closed, (GDBusConnection *))                                                          \
  each(void, g_dbus_connection_call,                                                                                   \
       (GDBusConnection *, const char *, const char *, const char *, const char *, GVariant *, const GVariantType *,   \
        unsigned, int, GCancellable *, GAsyncReadyCallback, void *))                                                   \
  each(GVariant *, g_dbus_connection_call_finish, (GDBusConnection *, GAsyncResult *, GError **))                      \
  each(unsigned, g_dbus_connection_signal_subscribe,                                                                   \
       (GDBusConnection *, const char *, const char *, const char *, const char *, const char *, unsigned,             \
        GDBusSignalCallback, void *, GDestroyNotify))                                                                  \
  each(void, g_dbus_connection_signal_unsubscribe, (GDBusConnection *, unsigned))                                      \
  each(char *, g_dbus_error_get_remote_error, (const GError *))                                                        \
  each(char *, g_dbus_error_encode_gerror, (const GError *))                                                           \
  each(int, g_dbus_error_strip_remote_error, (GError *))                                                               \
                                                                                                                       \
  each(size_t, secret_service_get_type, (void))                                                                        \
  each(void, secret_service_ensure_session, (SecretService *, GCancellable *, GAsyncReadyCallback, void *))            \
  each(int, secret_service_ensure_session_finish, (SecretService *, GAsyncResult *, GError **))                        \
  each(const char *, secret_service_get_session_dbus_path, (SecretService *))                                          \
  each(GVariant *, secret_service_encode_dbus_secret, (SecretService *, SecretValue *))                                \
  each(SecretValue *, secret_service_decode_dbus_secret, (SecretService *, GVariant *))                                \
  each(SecretValue *, secret_value_new, (const char *, ssize_t, const char *))                                         \
  each(const char *, secret_value_get, (SecretValue *, size_t *))                                                      \
  each(void, secret_value_unref, (void *))

/* The functions, by their names. */
struct csecret_functions {
#define CSECRET_MEMBER(result, name, parameters) result(*name) parameters;
  CSECRET_FUNCTIONS(CSECRET_MEMBER)
#undef CSECRET_MEMBER
};

/* Loads libsecret and GLib, once per process, from any thread. Returns NULL, or the reason if they can't be used. */
const char *csecret_load(void);

/* Returns the functions. None may be called before csecret_load() has returned NULL. */
const struct csecret_functions *csecret_functions_loaded(void);

/* Registers the type of csecret_service_new(), once per process. It takes long enough to do it while a connection is
   being opened. */
void csecret_register(void);

/* Creates a service on a connection, which must be initialized before use. */
SecretService *csecret_service_new(GDBusConnection *connection);

/*
 * Starts a daemon, which is searched for in the PATH of its environment. It is no child of this process, which would
 * have to wait for its end, and inherits no file: its standard ones are /dev/null. Returns 0 with an error if it can't
 * be started: https://docs.gtk.org/glib/func.spawn_async.html
 */
int csecret_start_daemon(char **arguments, char **environment, GError **error);

#endif

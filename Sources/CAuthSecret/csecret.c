#include "CAuthSecret.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static struct csecret_functions lib;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char failure[256];

static void load(void) {
  /* The versioned name: the one without belongs to the development package. */
  void *handle = dlopen("libsecret-1.so.0", RTLD_LAZY | RTLD_LOCAL);
  if (handle == NULL) {
    snprintf(failure, sizeof failure, "%s", dlerror());
    return;
  }
  /* GLib's functions, too: the search goes on in the libraries that libsecret needs. */
#define RESOLVE(result, name, parameters)                                                                              \
  lib.name = (result(*) parameters)dlsym(handle, #name);                                                               \
  if (lib.name == NULL) {                                                                                              \
    snprintf(failure, sizeof failure, "it is too old: it has no " #name);                                              \
    return;                                                                                                            \
  }
  CSECRET_FUNCTIONS(RESOLVE)
}

const char *csecret_load(void) {
  pthread_once(&once, load);
  return failure[0] == '\0' ? NULL : failure;
}

const struct csecret_functions *csecret_functions_loaded(void) { return &lib; }

/* The SecretService of libsecret on our own connection. SecretService always uses the session bus that the whole
   process shares, and loads properties and signals that are not needed here: its constructor sets this. A subclass can
   override these construct-only properties. */
static GObject *construct(size_t type, unsigned count, void *properties) {
  struct csecret_class *parent = lib.g_type_class_peek(lib.secret_service_get_type());
  GObject *object = parent->constructor(type, count, properties);
  lib.g_object_set(object, "g-bus-type", CSECRET_BUS_NONE, "g-flags", CSECRET_PROXY_BARE, NULL);
  return object;
}

static void prepare_class(void *class, void *unused) {
  (void)unused;
  ((struct csecret_class *)class)->constructor = construct;
}

static pthread_once_t registered = PTHREAD_ONCE_INIT;
static size_t service_type;

static void register_type(void) {
  struct csecret_type parent = {0};
  lib.g_type_query(lib.secret_service_get_type(), (GTypeQuery *)&parent);
  service_type = lib.g_type_register_static_simple(parent.type, "AuthctlSecretService", parent.class_size,
                                                   prepare_class, parent.instance_size, NULL, 0);
  lib.g_type_class_ref(service_type);
}

void csecret_register(void) { pthread_once(&registered, register_type); }

SecretService *csecret_service_new(GDBusConnection *connection) {
  csecret_register();
  return lib.g_object_new(service_type, "g-connection", connection, NULL);
}

/* Prepares a daemon between fork and exec, where Swift must not run. It must not inherit the signals that the thread
   blocks, and no signal of our terminal or process group may reach it. */
static void prepare_daemon(void *unused) {
  (void)unused;
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGPIPE, SIG_DFL);
  setsid();
}

int csecret_start_daemon(char **arguments, char **environment, GError **error) {
  return lib.g_spawn_async("/", arguments, environment, CSECRET_SPAWN_DAEMON, prepare_daemon, NULL, NULL, error);
}

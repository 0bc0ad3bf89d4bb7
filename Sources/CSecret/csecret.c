#include "CSecret.h"

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

SecretService *csecret_service_new(GDBusConnection *connection) {
  return lib.g_object_new(lib.secret_service_get_type(), "g-connection", connection, NULL);
}

/* Prepares a daemon between fork and exec, where Swift must not run. It must not inherit the signals that the threads
   of libdispatch block, and no signal of our terminal or process group may reach it. */
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

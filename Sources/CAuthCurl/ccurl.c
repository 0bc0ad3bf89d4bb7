#include "CAuthCurl.h"

#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

/* The functions of libcurl that are used. __typeof__ takes their types from libcurl's own header. */
#define FUNCTIONS(each)                                                                                                \
  each(curl_global_init) each(curl_easy_init) each(curl_easy_cleanup) each(curl_easy_reset) each(curl_easy_setopt)     \
      each(curl_easy_getinfo) each(curl_easy_strerror) each(curl_slist_append) each(curl_slist_free_all)               \
          each(curl_multi_init) each(curl_multi_cleanup) each(curl_multi_add_handle) each(curl_multi_remove_handle)    \
              each(curl_multi_perform) each(curl_multi_poll) each(curl_multi_wakeup) each(curl_multi_info_read)   \
                  each(curl_easy_pause) each(curl_version)

/* The header's type-checking macros stand in the way of the members of the same names. */
#undef curl_easy_setopt
#undef curl_easy_getinfo

#define DECLARE(name) __typeof__(&name) name;
static struct { FUNCTIONS(DECLARE) } lib;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char failure[256];
static pthread_t preloader;

static void load(void) {
  /* The versioned name: the one without belongs to the development package. */
  void *handle = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL | RTLD_DEEPBIND);
  if (handle == NULL) {
    snprintf(failure, sizeof failure, "libcurl can't be loaded: %s", dlerror());
    return;
  }
#define RESOLVE(name)                                                                                                  \
  lib.name = (__typeof__(&name))dlsym(handle, #name);                                                                  \
  if (lib.name == NULL) {                                                                                              \
    snprintf(failure, sizeof failure, "libcurl is too old: it has no " #name);                                         \
    return;                                                                                                            \
  }
  FUNCTIONS(RESOLVE)
  /* OpenSSL would clean up at exit, and would do so before wait_for_preloader() runs if it was loaded after it was
     registered: under the feet of the thread that is initialising it. OPENSSL_INIT_NO_ATEXIT forbids it. */
  int (*initialise)(uint64_t, const void *) = (int (*)(uint64_t, const void *))dlsym(handle, "OPENSSL_init_crypto");
  if (initialise != NULL) initialise(0x00080000, NULL);
  CURLcode code = lib.curl_global_init(CURL_GLOBAL_DEFAULT);
  if (code != CURLE_OK)
    snprintf(failure, sizeof failure, "libcurl can't be initialised: %s", lib.curl_easy_strerror(code));
}

const char *ccurl_load(void) {
  pthread_once(&once, load);
  return failure[0] == '\0' ? NULL : failure;
}

static void *preload(void *unused) {
  ccurl_load();
  return unused;
}

static void wait_for_preloader(void) { pthread_join(preloader, NULL); }

static void start_preloader(void) {
  /* Without the thread the library is loaded when it is needed: slower, not wrong. */
  if (pthread_create(&preloader, NULL, preload, NULL) != 0) return;
  /* An exit must not take libraries down while they are being set up. */
  atexit(wait_for_preloader);
}

void ccurl_preload(void) {
  static pthread_once_t started = PTHREAD_ONCE_INIT;
  pthread_once(&started, start_preloader);
}

CURL *ccurl_easy_init(void) { return lib.curl_easy_init(); }
void ccurl_easy_cleanup(CURL *easy) { lib.curl_easy_cleanup(easy); }
void ccurl_easy_reset(CURL *easy) { lib.curl_easy_reset(easy); }
const char *ccurl_easy_strerror(CURLcode code) { return lib.curl_easy_strerror(code); }

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
  return lib.curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return lib.curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
  return lib.curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return lib.curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_receiver(CURL *easy, CURLoption option, curl_write_callback callback) {
  return lib.curl_easy_setopt(easy, option, callback);
}

CURLcode ccurl_set_reader(CURL *easy, curl_read_callback read, curl_seek_callback seek, void *context) {
  lib.curl_easy_setopt(easy, CURLOPT_READFUNCTION, read);
  lib.curl_easy_setopt(easy, CURLOPT_READDATA, context);
  lib.curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, seek);
  return lib.curl_easy_setopt(easy, CURLOPT_SEEKDATA, context);
}

CURLcode ccurl_set_prerequest(CURL *easy, curl_prereq_callback callback, void *context) {
  CURLcode code = lib.curl_easy_setopt(easy, CURLOPT_PREREQDATA, context);
  if (code != CURLE_OK) return code;
  return lib.curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, callback);
}

CURLcode ccurl_set_debug(CURL *easy, curl_debug_callback callback, void *context) {
  lib.curl_easy_setopt(easy, CURLOPT_DEBUGDATA, context);
  lib.curl_easy_setopt(easy, CURLOPT_VERBOSE, 1L);
  return lib.curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, callback);
}

static int abandon(void *context, curl_socket_t socket, curlsocktype purpose) {
  (void)context, (void)purpose;
  const struct linger linger = {.l_onoff = 1, .l_linger = 0};
  /* A unix socket has no such option, and needs none. */
  setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
  return CURL_SOCKOPT_OK;
}

CURLcode ccurl_abandon_at_end(CURL *easy) { return lib.curl_easy_setopt(easy, CURLOPT_SOCKOPTFUNCTION, abandon); }

void ccurl_keep_at_end(CURL *easy) {
  curl_socket_t socket = CURL_SOCKET_BAD;
  const struct linger linger = {.l_onoff = 0};
  if (lib.curl_easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK && socket != CURL_SOCKET_BAD)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, sizeof linger);
}

long ccurl_get_long(CURL *easy, CURLINFO info) {
  long value = -1;
  return lib.curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : -1;
}

curl_off_t ccurl_get_offset(CURL *easy, CURLINFO info) {
  curl_off_t value = -1;
  return lib.curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : -1;
}

const char *ccurl_get_string(CURL *easy, CURLINFO info) {
  const char *value = NULL;
  return lib.curl_easy_getinfo(easy, info, &value) == CURLE_OK && value != NULL ? value : "";
}

struct curl_slist *ccurl_get_certificate(CURL *easy, int number) {
  struct curl_certinfo *info = NULL;
  if (lib.curl_easy_getinfo(easy, CURLINFO_CERTINFO, &info) != CURLE_OK || info == NULL) return NULL;
  return number < info->num_of_certs ? info->certinfo[number] : NULL;
}

const char *ccurl_version(void) { return lib.curl_version(); }

struct curl_slist *ccurl_list_append(struct curl_slist *list, const char *line) {
  return lib.curl_slist_append(list, line);
}

void ccurl_list_free(struct curl_slist *list) { lib.curl_slist_free_all(list); }

CURLcode ccurl_resume(CURL *easy) { return lib.curl_easy_pause(easy, CURLPAUSE_CONT); }

CURLM *ccurl_multi_init(void) { return lib.curl_multi_init(); }
void ccurl_multi_cleanup(CURLM *multi) { lib.curl_multi_cleanup(multi); }
CURLMcode ccurl_multi_add(CURLM *multi, CURL *easy) { return lib.curl_multi_add_handle(multi, easy); }
CURLMcode ccurl_multi_remove(CURLM *multi, CURL *easy) { return lib.curl_multi_remove_handle(multi, easy); }
CURLMcode ccurl_multi_perform(CURLM *multi, int *running) { return lib.curl_multi_perform(multi, running); }
CURLMcode ccurl_multi_wakeup(CURLM *multi) { return lib.curl_multi_wakeup(multi); }

int ccurl_multi_poll(CURLM *multi, int milliseconds) {
  int ready = 0;
  return lib.curl_multi_poll(multi, NULL, 0, milliseconds, &ready) == CURLM_OK ? ready : -1;
}

CURL *ccurl_multi_finished(CURLM *multi, CURLcode *result) {
  int left;
  for (CURLMsg *message; (message = lib.curl_multi_info_read(multi, &left)) != NULL;) {
    if (message->msg != CURLMSG_DONE) continue;
    *result = message->data.result;
    return message->easy_handle;
  }
  return NULL;
}

void ccurl_wait_writable(int descriptor, int milliseconds) {
  struct pollfd wanted = {.fd = descriptor, .events = POLLOUT};
  poll(&wanted, 1, milliseconds);
}

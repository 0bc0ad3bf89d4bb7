#include "CFuzz.h"

#include <curl/curl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* libFuzzer's own entry, for a program that has a main of its own, and what it calls. */
int LLVMFuzzerRunDriver(int *count, char ***arguments, int (*one)(const uint8_t *bytes, size_t size));
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int cfuzz_run(int count, char **arguments) {
  arguments[1] = arguments[0];
  count--;
  arguments++;
  return LLVMFuzzerRunDriver(&count, &arguments, LLVMFuzzerTestOneInput);
}

static int copy(CURLU *handle, CURLUPart part, char *target, size_t size) {
  char *value = NULL;
  if (curl_url_get(handle, part, &value, CURLU_DEFAULT_PORT) != CURLUE_OK) return 0;
  size_t length = strlen(value);
  if (length < size) memcpy(target, value, length + 1);
  curl_free(value);
  return length < size;
}

int cfuzz_curl_url(const char *base, const char *text, struct cfuzz_url *url) {
  CURLU *handle = curl_url();
  char port[16], scheme[16], user[1024];
  int is_read = handle != NULL && (base == NULL || curl_url_set(handle, CURLUPART_URL, base, 0) == CURLUE_OK) &&
                curl_url_set(handle, CURLUPART_URL, text, 0) == CURLUE_OK &&
                copy(handle, CURLUPART_SCHEME, scheme, sizeof scheme) &&
                (strcmp(scheme, "http") == 0 || strcmp(scheme, "https") == 0) &&
                copy(handle, CURLUPART_HOST, url->host, sizeof url->host) &&
                copy(handle, CURLUPART_PORT, port, sizeof port);
  if (is_read) {
    url->port = atoi(port);
    url->has_user = copy(handle, CURLUPART_USER, user, sizeof user);
  }
  curl_url_cleanup(handle);
  return is_read;
}

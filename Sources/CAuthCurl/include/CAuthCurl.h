#ifndef CCURL_H
#define CCURL_H

#include <curl/curl.h>
#include <stdbool.h>

/*
 * Written in C for two reasons. libcurl is not linked: loading it with its thirty libraries takes 5 ms, which a command
 * that sends nothing should not pay, so it is opened on first use. Its set-option functions are variadic, and Swift
 * can't call those. The build needs only the headers of libcurl. No function here may be called before ccurl_load() has
 * returned NULL.
 */

/* Loads and initialises libcurl, once per process, from any thread. Returns NULL, or the reason if it can't be used. */
const char *ccurl_load(void);

/* Calls ccurl_load() on another thread. If the process exits meanwhile, the exit waits for it. */
void ccurl_preload(void);

CURL *ccurl_easy_init(void);
void ccurl_easy_cleanup(CURL *easy);
void ccurl_easy_reset(CURL *easy);
const char *ccurl_easy_strerror(CURLcode code);

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value);
CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value);
CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value);
/* Sets CURLOPT_WRITEFUNCTION or CURLOPT_HEADERFUNCTION. */
CURLcode ccurl_set_receiver(CURL *easy, CURLoption option, curl_write_callback callback);
CURLcode ccurl_set_reader(CURL *easy, curl_read_callback read, curl_seek_callback seek, void *context);
CURLcode ccurl_set_prerequest(CURL *easy, curl_prereq_callback callback, void *context);
CURLcode ccurl_set_debug(CURL *easy, curl_debug_callback callback, void *context);

/* Makes the kernel drop what a new connection has not sent when this process ends: it would send it later. The end is
   then a reset (SO_LINGER with 0 seconds, socket(7)). */
CURLcode ccurl_abandon_at_end(CURL *easy);
/* Reverts that for the connection of a finished transfer. */
void ccurl_keep_at_end(CURL *easy);

/* Returns a number about a finished transfer; -1 if libcurl does not know it. */
long ccurl_get_long(CURL *easy, CURLINFO info);
curl_off_t ccurl_get_offset(CURL *easy, CURLINFO info);
/* Returns a text about a finished transfer, owned by libcurl; empty if libcurl does not know it. */
const char *ccurl_get_string(CURL *easy, CURLINFO info);
/* Returns the lines about a certificate of the server, counted from 0; NULL if there is none. */
struct curl_slist *ccurl_get_certificate(CURL *easy, int number);

/* Returns the names and versions of libcurl and its libraries. */
const char *ccurl_version(void);

struct curl_slist *ccurl_list_append(struct curl_slist *list, const char *line);
void ccurl_list_free(struct curl_slist *list);

/* Lets a transfer go on whose reader has paused it. */
CURLcode ccurl_resume(CURL *easy);

CURLM *ccurl_multi_init(void);
void ccurl_multi_cleanup(CURLM *multi);
CURLMcode ccurl_multi_add(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_remove(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_perform(CURLM *multi, int *running);
/* Waits for the network; returns how many connections are ready, -1 if libcurl has failed. */
int ccurl_multi_poll(CURLM *multi, int milliseconds);
CURLMcode ccurl_multi_wakeup(CURLM *multi);
/* Removes a finished transfer from the queue and returns it with its result; NULL if none has finished. */
CURL *ccurl_multi_finished(CURLM *multi, CURLcode *result);

/* Waits until a non-blocking file accepts bytes again; with -1 as the file, only waits. */
void ccurl_wait_writable(int descriptor, int milliseconds);

#endif

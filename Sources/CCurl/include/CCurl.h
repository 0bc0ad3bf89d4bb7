#ifndef CCURL_H
#define CCURL_H

#include <curl/curl.h>
#include <stdbool.h>

/*
 * C for two reasons. libcurl is not linked: loading it with its thirty libraries takes 5 ms, which a command that sends
 * nothing should not pay, so it is opened when it is first needed. And its set-option calls are variadic, which Swift
 * can't call. Only the headers of libcurl are used when this is built. Nothing here may be called before ccurl_load()
 * has returned NULL.
 */

/* Loads and initialises libcurl, once for the process, from any thread; NULL, or why it can't be used. */
const char *ccurl_load(void);

/* Has another thread call ccurl_load(); when the process exits meanwhile, the exit waits for it. */
void ccurl_preload(void);

CURL *ccurl_easy_init(void);
void ccurl_easy_cleanup(CURL *easy);
void ccurl_easy_reset(CURL *easy);
const char *ccurl_easy_strerror(CURLcode code);

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value);
CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value);
CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value);
/* A receiving callback: CURLOPT_WRITEFUNCTION or CURLOPT_HEADERFUNCTION. */
CURLcode ccurl_set_receiver(CURL *easy, CURLoption option, curl_write_callback callback);
CURLcode ccurl_set_reader(CURL *easy, curl_read_callback read, curl_seek_callback seek, void *context);
CURLcode ccurl_set_prerequest(CURL *easy, curl_prereq_callback callback, void *context);
CURLcode ccurl_set_debug(CURL *easy, curl_debug_callback callback, void *context);

/* A number that is known of a finished transfer; -1 when libcurl doesn't say. */
long ccurl_get_long(CURL *easy, CURLINFO info);
curl_off_t ccurl_get_offset(CURL *easy, CURLINFO info);
/* The same for a text, which libcurl keeps; empty when libcurl doesn't say. */
const char *ccurl_get_string(CURL *easy, CURLINFO info);
/* The lines about a certificate of the server, counted from 0; NULL where there is none. */
struct curl_slist *ccurl_get_certificate(CURL *easy, int number);

/* The names and versions of libcurl and of what it is made of. */
const char *ccurl_version(void);

struct curl_slist *ccurl_list_append(struct curl_slist *list, const char *line);
void ccurl_list_free(struct curl_slist *list);

CURLM *ccurl_multi_init(void);
void ccurl_multi_cleanup(CURLM *multi);
CURLMcode ccurl_multi_add(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_remove(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_perform(CURLM *multi, int *running);
CURLMcode ccurl_multi_poll(CURLM *multi, int milliseconds);
CURLMcode ccurl_multi_wakeup(CURLM *multi);
/* Takes a finished transfer and its result; NULL when none has finished. */
CURL *ccurl_multi_finished(CURLM *multi, CURLcode *result);

/* Waits until a non-blocking file takes bytes again; with -1 for the file, just waits. */
void ccurl_wait_writable(int descriptor, int milliseconds);

#endif

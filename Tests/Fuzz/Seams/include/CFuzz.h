#ifndef CFUZZ_H
#define CFUZZ_H

/* Runs libFuzzer, which calls LLVMFuzzerTestOneInput, on a command line whose first argument is not meant for it; its
   exit status. */
int cfuzz_run(int count, char **arguments);

/* What libcurl reads in a URL. */
struct cfuzz_url {
  char host[1024];
  int port;
  int has_user;
};

/* Reads a URL as libcurl would if it were given it, resolved against `base` where that is not NULL; 1 where libcurl
   takes it and it is http or https. */
int cfuzz_curl_url(const char *base, const char *text, struct cfuzz_url *url);

#endif

/* A server on loopback that answers small GET requests as fast as one thread can, for benchmarks: answers PORT

   Its input is one header line, the one with the token; a request without it gets 401. Its first line of output says
   that it listens. Connections are kept open. */
#define _GNU_SOURCE

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LONGEST = 8192, MOST = 4096 };

/* What has come of a request so far, by the connection's number. */
static char *pending[MOST];
static size_t filled[MOST];

static const char good[] =
    "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 64\r\n\r\n"
    "{\"id\":1,\"name\":\"a small answer\",\"tags\":[\"one\",\"two\",\"three\"]}\n\n\n";
static const char bad[] =
    "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer error=\"invalid_token\"\r\nContent-Length: 0\r\n\r\n";

static void forget(int peer) {
  close(peer);
  filled[peer] = 0;
}

/* Answers each whole request that has come. */
static void serve(int peer, const char *wanted) {
  char *text = pending[peer];
  ssize_t count = read(peer, text + filled[peer], LONGEST - filled[peer]);
  if (count <= 0) {
    if (count == 0 || (errno != EAGAIN && errno != EINTR)) forget(peer);
    return;
  }
  filled[peer] += (size_t)count;
  text[filled[peer]] = '\0';
  for (char *end; (end = strstr(text, "\r\n\r\n")) != NULL;) {
    *end = '\0';
    int is_good = strcasestr(text, wanted) != NULL;
    const char *answer = is_good ? good : bad;
    size_t size = is_good ? sizeof good - 1 : sizeof bad - 1;
    if (write(peer, answer, size) != (ssize_t)size) return forget(peer);
    filled[peer] -= (size_t)(end + 4 - text);
    memmove(text, end + 4, filled[peer] + 1);
  }
  if (filled[peer] == LONGEST) forget(peer);
}

int main(int count, char **arguments) {
  char wanted[LONGEST];
  if (count != 2 || fgets(wanted, sizeof wanted, stdin) == NULL) return 2;
  wanted[strcspn(wanted, "\r\n")] = '\0';
  int listener = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(arguments[1])),
                                .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof address;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &(int){1}, sizeof(int));
  if (bind(listener, (struct sockaddr *)&address, length) || listen(listener, 1024) ||
      getsockname(listener, (struct sockaddr *)&address, &length))
    return 1;
  printf("%d\n", ntohs(address.sin_port));
  fflush(stdout);
  int queue = epoll_create1(0);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
  epoll_ctl(queue, EPOLL_CTL_ADD, listener, &event);
  for (;;) {
    struct epoll_event events[64];
    int ready = epoll_wait(queue, events, 64, -1);
    for (int index = 0; index < ready; index++) {
      int peer = events[index].data.fd;
      if (peer != listener) {
        serve(peer, wanted);
        continue;
      }
      int fresh = accept4(listener, NULL, NULL, SOCK_NONBLOCK);
      if (fresh < 0) continue;
      if (fresh >= MOST || (pending[fresh] == NULL && (pending[fresh] = malloc(LONGEST + 1)) == NULL)) {
        close(fresh);
        continue;
      }
      filled[fresh] = 0;
      setsockopt(fresh, IPPROTO_TCP, TCP_NODELAY, &(int){1}, sizeof(int));
      event = (struct epoll_event){.events = EPOLLIN, .data.fd = fresh};
      epoll_ctl(queue, EPOLL_CTL_ADD, fresh, &event);
    }
  }
}

#define _GNU_SOURCE
#include "CSockets.h"

#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct request {
  struct nlmsghdr head;
  struct inet_diag_req_v2 query;
};

union answer {
  struct nlmsghdr head;
  char bytes[1024];
};

/* Writes address and port of one end as the kernel's query has them. */
static void place(const struct sockaddr *end, __be16 *port, __be32 address[4]) {
  if (end->sa_family == AF_INET) {
    const struct sockaddr_in *ip4 = (const void *)end;
    *port = ip4->sin_port;
    memcpy(address, &ip4->sin_addr, sizeof ip4->sin_addr);
  } else {
    const struct sockaddr_in6 *ip6 = (const void *)end;
    *port = ip6->sin6_port;
    memcpy(address, &ip6->sin6_addr, sizeof ip6->sin6_addr);
  }
}

static int ask(const struct request *request, union answer *answer) {
  int kernel = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
  if (kernel < 0) return -errno;
  ssize_t size = send(kernel, request, sizeof *request, 0);
  if (size >= 0) size = recv(kernel, answer, sizeof *answer, 0);
  int error = size < 0 ? -errno : 0;
  close(kernel);
  if (error != 0) return error;
  if (!NLMSG_OK(&answer->head, size)) return -EBADMSG;
  if (answer->head.nlmsg_type != NLMSG_ERROR) return 0;
  const struct nlmsgerr *refusal = NLMSG_DATA(&answer->head);
  return refusal->error != 0 ? refusal->error : -EBADMSG;
}

int csockets_owner(const void *peer, const void *own, unsigned *uid) {
  struct request request = {
    .head = {.nlmsg_len = sizeof request, .nlmsg_type = SOCK_DIAG_BY_FAMILY, .nlmsg_flags = NLM_F_REQUEST},
    .query = {
      .sdiag_family = ((const struct sockaddr *)peer)->sa_family,
      .sdiag_protocol = IPPROTO_TCP,
      .idiag_states = ~0U,
      .id.idiag_cookie = {INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE}}};
  place(peer, &request.query.id.idiag_sport, request.query.id.idiag_src);
  place(own, &request.query.id.idiag_dport, request.query.id.idiag_dst);
  union answer answer;
  int error = ask(&request, &answer);
  if (error != 0) return error;
  if (answer.head.nlmsg_len < NLMSG_LENGTH(sizeof(struct inet_diag_msg))) return -EBADMSG;
  const struct inet_diag_msg *found = NLMSG_DATA(&answer.head);
  /* Without such a connection, the kernel finds a socket that listens at the address of the other end. */
  if (found->id.idiag_dport != request.query.id.idiag_dport) return -ENOENT;
  *uid = found->idiag_uid;
  return found->idiag_inode == 0 ? 1 : 0;
}

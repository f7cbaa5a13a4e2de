/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/web/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { BACKLOG = 64, PORT_SIZE = 8, PORT_MOST = 65535 };

/* Splits ADDRESS:PORT into its parts. Returns false if the text has another form. */
static bool split(const char *text, char address[WEB_ADDRESS_SIZE], char port[PORT_SIZE]) {
  const char *colon = strrchr(text, ':');
  if (!colon || colon == text) return false;
  bool boxed = text[0] == '[' && colon[-1] == ']';
  size_t length = (size_t)(colon - text) - (boxed ? 2 : 0), digits = strspn(colon + 1, "0123456789");
  if (length == 0 || length >= WEB_ADDRESS_SIZE || digits == 0 || digits > 5 || colon[1 + digits]) return false;
  if (!boxed && memchr(text, ':', length)) return false;
  memcpy(address, text + boxed, length);
  address[length] = 0;
  snprintf(port, PORT_SIZE, "%s", colon + 1);
  return strtol(port, NULL, 10) <= PORT_MOST;
}

static bool is_loopback(const struct sockaddr *address) {
  if (address->sa_family == AF_INET)
    return ntohl(((const struct sockaddr_in *)(const void *)address)->sin_addr.s_addr) >> 24 == 127;
  return address->sa_family == AF_INET6 &&
         IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)(const void *)address)->sin6_addr);
}

/* Opens a listening socket. On failure returns -1 and sets errno. */
static int open_socket(const struct addrinfo *found) {
  int opened = socket(found->ai_family, SOCK_STREAM, 0), on = 1;
  if (opened < 0) return -1;
  bool good = setsockopt(opened, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0 &&
              bind(opened, found->ai_addr, found->ai_addrlen) == 0 && listen(opened, BACKLOG) == 0;
  if (good) return opened;
  int why = errno;
  close(opened);
  errno = why;
  return -1;
}

int web_listen(const char *text, WebGuard *guard, Diagnostics *diagnostics) {
  static const struct addrinfo wanted = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
  struct addrinfo *found = NULL;
  char port[PORT_SIZE];
  if (!split(text, guard->address, port))
    return diagnostics_error(diagnostics, -1,
                             "--listen expects ADDRESS:PORT, like 127.0.0.1:8080 or [::1]:8080, not %s", text);
  int fault = getaddrinfo(guard->address, port, &wanted, &found);
  if (fault) return diagnostics_error(diagnostics, -1, "--listen %s: %s", text, gai_strerror(fault));
  guard->loopback = is_loopback(found->ai_addr);
  int opened = open_socket(found);
  if (opened < 0) diagnostics_error(diagnostics, -1, "--listen %s: %s", text, strerror(errno));
  freeaddrinfo(found);
  if (gethostname(guard->machine, sizeof guard->machine - 1)) *guard->machine = 0;
  return opened;
}

int web_listen_port(int opened) {
  struct sockaddr_storage address = {0};
  socklen_t size = sizeof address;
  if (getsockname(opened, (struct sockaddr *)(void *)&address, &size)) return 0;
  return address.ss_family == AF_INET6 ? ntohs(((struct sockaddr_in6 *)(void *)&address)->sin6_port)
                                       : ntohs(((struct sockaddr_in *)(void *)&address)->sin_port);
}

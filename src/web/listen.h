/* The socket of the page. */
#ifndef SRC_WEB_LISTEN_H
#define SRC_WEB_LISTEN_H

#include "src/web/guard.h"

/* Opens a socket for ADDRESS:PORT, [ADDRESS]:PORT, NAME:PORT; port 0: any free one. Sets guard's address, machine,
 * loopback. Returns the socket; -1 after reporting an error. */
int web_listen(const char *text, WebGuard *guard, Diagnostics *diagnostics);

/* Returns the port of such a socket. */
int web_listen_port(int socket);

#endif

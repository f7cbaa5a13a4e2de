/* Where the page listens. */
#ifndef SRC_WEB_LISTEN_H
#define SRC_WEB_LISTEN_H

#include "src/web/guard.h"

/* Opens a socket for ADDRESS:PORT, [ADDRESS]:PORT, NAME:PORT; port 0: a free one. Sets guard's address, machine, loopback. Returns the
 * socket; -1 after telling why not. */
int web_listen(const char *text, WebGuard *guard, Diagnostics *diagnostics);

/* The port of such a socket. */
int web_listen_port(int socket);

#endif

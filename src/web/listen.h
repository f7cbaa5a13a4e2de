/* SPDX-License-Identifier: BSD-2-Clause */
/* Opens the socket on which the page is served. */
#ifndef SRC_WEB_LISTEN_H
#define SRC_WEB_LISTEN_H

#include "src/web/guard.h"

/* Opens a socket for ADDRESS:PORT, [ADDRESS]:PORT or NAME:PORT. Port 0 means any free port. Sets address, machine and
 * loopback of guard. Returns the socket, or -1 after reporting an error. */
int web_listen(const char *text, WebGuard *guard, Diagnostics *diagnostics);

/* Returns the port of a listening socket. */
int web_listen_port(int socket);

#endif

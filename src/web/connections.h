/* SPDX-License-Identifier: BSD-2-Clause */
/* Limits the time of connections, so that a slow client cannot occupy one of the limited places for ever. */
#ifndef SRC_WEB_CONNECTIONS_H
#define SRC_WEB_CONNECTIONS_H

#include <pthread.h>

/* maximum number of connections at a time */
enum { WEB_CONNECTIONS_MAX = 128 };

typedef enum WebPhase { WEB_FREE, WEB_ASKING, WEB_UPLOADING, WEB_WORKING, WEB_ANSWERING } WebPhase;

typedef struct WebConnection {
  WebPhase phase;
  int socket;
  double since;               /* time (ctl_seconds) at which the current phase began */
  struct WebRequest *request; /* current request; owned by the server */
} WebConnection;

typedef struct WebConnections {
  pthread_mutex_t lock;
  WebConnection slots[WEB_CONNECTIONS_MAX];
} WebConnections;

/* Registers a connection, of which the socket must stay open until web_connections_leave. Returns NULL if there are too
 * many connections. */
WebConnection *web_connections_enter(WebConnections *connections, int socket);
void web_connections_leave(WebConnections *connections, WebConnection *connection);
void web_connections_set(WebConnections *connections, WebConnection *connection, WebPhase phase);

/* Closes connections that exceed their time limits. Must be called regularly, by any thread. */
void web_connections_sweep(WebConnections *connections);

#endif

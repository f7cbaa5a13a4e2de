/* SPDX-License-Identifier: BSD-2-Clause */
/* Limits the time of connections, so that slow clients cannot keep a place for ever. */
#ifndef SRC_WEB_CONNECTIONS_H
#define SRC_WEB_CONNECTIONS_H

#include <pthread.h>

enum { WEB_CONNECTIONS_MAX = 128 };

typedef enum WebPhase { WEB_FREE, WEB_ASKING, WEB_UPLOADING, WEB_WORKING, WEB_ANSWERING } WebPhase;

typedef struct WebConnection {
  WebPhase phase;
  int socket;
  double since;               /* time at which the current phase started, in s */
  struct WebRequest *request; /* current request; owned by the server */
} WebConnection;

typedef struct WebConnections {
  pthread_mutex_t lock;
  WebConnection slots[WEB_CONNECTIONS_MAX];
} WebConnections;

/* Registers a connection. Its socket stays open until web_connections_leave. Returns NULL if there are too many. */
WebConnection *web_connections_enter(WebConnections *connections, int socket);
void web_connections_leave(WebConnections *connections, WebConnection *connection);
void web_connections_set(WebConnections *connections, WebConnection *connection, WebPhase phase);

/* Closes connections that exceed their limits. Any thread must call it regularly. */
void web_connections_sweep(WebConnections *connections);

#endif

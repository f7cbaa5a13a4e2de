/* How long each connection may take: one that sends a byte now and then must not keep a place for ever. */
#ifndef SRC_WEB_CONNECTIONS_H
#define SRC_WEB_CONNECTIONS_H

#include <pthread.h>

enum { WEB_CONNECTIONS_MAX = 128 };

typedef enum WebPhase { WEB_FREE, WEB_ASKING, WEB_UPLOADING, WEB_WORKING, WEB_ANSWERING } WebPhase;

typedef struct WebConnection {
  WebPhase phase;
  int socket;
  double since;               /* that it is in this phase, s */
  struct WebRequest *request; /* under way; the server's */
} WebConnection;

typedef struct WebConnections {
  pthread_mutex_t lock;
  WebConnection slots[WEB_CONNECTIONS_MAX];
} WebConnections;

/* A connection begins; NULL: there are too many. Until it leaves, its socket is open. */
WebConnection *web_connections_enter(WebConnections *connections, int socket);
void web_connections_leave(WebConnections *connections, WebConnection *connection);
void web_connections_set(WebConnections *connections, WebConnection *connection, WebPhase phase);

/* Cuts those off that have taken too long. To be called now and then, in any thread. */
void web_connections_sweep(WebConnections *connections);

#endif

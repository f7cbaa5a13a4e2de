/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/web/connections.h"

#include "control/base/clock.h"

#include <stddef.h>
#include <sys/socket.h>

/* Time limits for the phases of a request, in s. The work for an answer has further limits of its own. */
static const double allowed[] = {[WEB_ASKING] = 30, [WEB_UPLOADING] = 60, [WEB_WORKING] = 300, [WEB_ANSWERING] = 600};

WebConnection *web_connections_enter(WebConnections *connections, int socket) {
  WebConnection *found = NULL;
  pthread_mutex_lock(&connections->lock);
  for (size_t k = 0; k < WEB_CONNECTIONS_MAX && !found; k++)
    if (connections->slots[k].phase == WEB_FREE) found = &connections->slots[k];
  if (found) *found = (WebConnection){.phase = WEB_ASKING, .socket = socket, .since = ctl_seconds()};
  pthread_mutex_unlock(&connections->lock);
  return found;
}

void web_connections_leave(WebConnections *connections, WebConnection *connection) {
  pthread_mutex_lock(&connections->lock);
  *connection = (WebConnection){.phase = WEB_FREE};
  pthread_mutex_unlock(&connections->lock);
}

void web_connections_set(WebConnections *connections, WebConnection *connection, WebPhase phase) {
  pthread_mutex_lock(&connections->lock);
  connection->phase = phase;
  connection->since = ctl_seconds();
  pthread_mutex_unlock(&connections->lock);
}

/* Time limits that apply while more than half of all places for connections are in use, so that slow clients do not
 * block others. */
static const double allowed_in_crowd[] = {
    [WEB_ASKING] = 2, [WEB_UPLOADING] = 10, [WEB_WORKING] = 300, [WEB_ANSWERING] = 60};

void web_connections_sweep(WebConnections *connections) {
  double now = ctl_seconds();
  size_t taken = 0;
  pthread_mutex_lock(&connections->lock);
  for (size_t k = 0; k < WEB_CONNECTIONS_MAX; k++) taken += connections->slots[k].phase != WEB_FREE;
  const double *most = taken > WEB_CONNECTIONS_MAX / 2 ? allowed_in_crowd : allowed;
  for (size_t k = 0; k < WEB_CONNECTIONS_MAX; k++) {
    const WebConnection *c = &connections->slots[k];
    if (c->phase != WEB_FREE && now - c->since > most[c->phase]) shutdown(c->socket, SHUT_RDWR);
  }
  pthread_mutex_unlock(&connections->lock);
}

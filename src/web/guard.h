/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides which requests are allowed.
 *
 * - Foreign web pages open in the same browser must not use this server. Such a page may use a name of its own that
 *   resolves to this machine (DNS rebinding); then the header Host has that name. Otherwise the header Origin or
 *   Sec-Fetch-Site shows where the request comes from. Both are checked for all requests except those for the page's
 *   own files, to which any page may link.
 * - If other machines can reach the server, a token is required. It is sent in the header Authorization: Bearer
 *   TOKEN, never as a cookie: a browser sends cookies with requests of any page, and to any port of the machine. */
#ifndef SRC_WEB_GUARD_H
#define SRC_WEB_GUARD_H

#include "src/base/diagnostics.h"

enum { WEB_TOKEN_MIN = 16, WEB_TOKEN_MAX = 256, WEB_ADDRESS_SIZE = 256 };

typedef struct WebGuard {
  char address[WEB_ADDRESS_SIZE]; /* address on which the server listens, as given, without the port */
  char machine[WEB_ADDRESS_SIZE]; /* name of this machine */
  const char *host;               /* name given by --host, borrowed; NULL: none */
  bool loopback;                  /* true: only this machine can reach the server */
  bool read_only;
  size_t token_size;             /* bytes of the token; 0: there is none */
  char token[WEB_TOKEN_MAX + 1]; /* the token, padded with zeros */
} WebGuard;

/* Headers of a request that decide whether it is allowed; NULL: the header is absent. */
typedef struct WebClaims {
  const char *host, *origin, *site, *authorization; /* Host, Origin, Sec-Fetch-Site, Authorization */
  bool changes;                                     /* the request would change something */
  bool open;                                        /* the request is for a file of the page itself, which contains
                                                     * no data of users */
} WebClaims;

/* Adds another name by which clients reach the page. Returns 0, or EXIT_USAGE after reporting an error. */
int web_guard_take_host(WebGuard *guard, const char *name, Diagnostics *diagnostics);

/* Returns the largest priority that a client may give a job. If the page runs as root or the service's user, its
 * priorities count among the jobs of all users. Then clients without a token must not get ahead of others. */
int web_guard_priority_max(const WebGuard *guard);

/* Reads the token. It is the only line of a file that only this user may read (0600). Returns 0, or EXIT_USAGE after
 * reporting an error with its place. */
int web_guard_read_token(WebGuard *guard, const char *path, Diagnostics *diagnostics);

/* Returns 200 if the request is allowed. Otherwise returns the status of the refusal (400, 401, 403 or 421), and sets
 * *why to the reason. */
int web_guard_judge(const WebGuard *guard, const WebClaims *claims, const char **why);

#endif

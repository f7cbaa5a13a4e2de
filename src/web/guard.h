/* SPDX-License-Identifier: BSD-2-Clause */
/* Decides which requests are allowed.
 *
 * - Foreign web pages that are open in the same browser must not use this server. Such a page may use a name of its own
 *   that resolves to this machine (DNS rebinding); the header Host then has that name. Otherwise the header Origin or
 *   Sec-Fetch-Site shows from which page the request comes. These headers are checked for all requests except those for
 *   the files of this page, to which any page may link.
 * - If other machines can reach the server, a token is required. It is sent in the header Authorization: Bearer TOKEN,
 *   never as a cookie, since a browser sends cookies with requests of any page, and to any port of the machine. */
#ifndef SRC_WEB_GUARD_H
#define SRC_WEB_GUARD_H

#include "src/base/diagnostics.h"

enum { WEB_TOKEN_MIN = 16, WEB_TOKEN_MAX = 256, WEB_ADDRESS_SIZE = 256 };

typedef struct WebGuard {
  char address[WEB_ADDRESS_SIZE]; /* address on which the server listens, as the user gave it, without the port */
  char machine[WEB_ADDRESS_SIZE]; /* name of this machine */
  const char *host;               /* name given by --host, borrowed; NULL: none */
  bool loopback;                  /* whether only this machine can reach the server */
  bool read_only;
  size_t token_size;             /* number of bytes of the token; 0: there is no token */
  char token[WEB_TOKEN_MAX + 1]; /* the token, padded with zeros */
} WebGuard;

/* Headers of a request that decide whether it is allowed; NULL: the request does not have the header. */
typedef struct WebClaims {
  const char *host, *origin, *site, *authorization; /* headers Host, Origin, Sec-Fetch-Site and Authorization */
  bool changes;                                     /* whether the request would change something in the spool */
  bool open;                                        /* whether the request is for a file of the page itself, which has
                                                     * no data of users */
} WebClaims;

/* Adds another name by which clients may address the page. Returns 0, or EXIT_USAGE after reporting an error. */
int web_guard_take_host(WebGuard *guard, const char *name, Diagnostics *diagnostics);

/* Returns the highest priority that a client may give a job. If the page runs as root or as the user of the service,
 * its priorities count among the jobs of all users; clients without a token must then not get ahead of other users. */
int web_guard_priority_max(const WebGuard *guard);

/* Reads the token. It is the only line of a file that only this user may read (mode 0600). Returns 0, or EXIT_USAGE
 * after reporting an error with its position. */
int web_guard_read_token(WebGuard *guard, const char *path, Diagnostics *diagnostics);

/* Returns 200 if the request is allowed. Otherwise returns the HTTP status of the refusal (400, 401, 403 or 421), and
 * sets *why to the reason. */
int web_guard_judge(const WebGuard *guard, const WebClaims *claims, const char **why);

#endif

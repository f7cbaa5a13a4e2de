/* Which requests are allowed.
 *
 * - A foreign web page open in the same browser must not reach this one. If it uses a name of its own that resolves to
 * this
 *   machine (DNS rebinding), Host is that name; otherwise Origin or Sec-Fetch-Site show where a request comes from. Both are
 *   checked for all requests except the page's own files, to which any page may link.
 * - Outside the loopback address a token is required. It is a header (Authorization: Bearer TOKEN), never a cookie: a
 *   browser sends cookies with requests of any page, and to any port of the machine. */
#ifndef SRC_WEB_GUARD_H
#define SRC_WEB_GUARD_H

#include "src/base/diagnostics.h"

enum { WEB_TOKEN_MIN = 16, WEB_TOKEN_MAX = 256, WEB_ADDRESS_SIZE = 256 };

typedef struct WebGuard {
  char address[WEB_ADDRESS_SIZE]; /* address that it listens on, as given, without the port */
  char machine[WEB_ADDRESS_SIZE]; /* this machine's name */
  const char *host;               /* --host, borrowed; NULL: none */
  bool loopback;                  /* only this machine can reach it */
  bool read_only;
  size_t token_size;             /* 0: no token */
  char token[WEB_TOKEN_MAX + 1]; /* padded with zeros */
} WebGuard;

/* Headers of a request; NULL: absent. */
typedef struct WebClaims {
  const char *host, *origin, *site, *authorization; /* Host, Origin, Sec-Fetch-Site, Authorization */
  bool changes;                                     /* it would change something */
  bool open;                                        /* it requests a file of the page itself, which contains no data */
} WebClaims;

/* Adds another name under which the page is reached. Returns 0, or EXIT_USAGE after reporting an error. */
int web_guard_take_host(WebGuard *guard, const char *name, Diagnostics *diagnostics);

/* Returns the largest priority of submitted jobs. If the page's user is root or the service's user, its priorities
 * apply among all users' jobs, so clients without a token must not get ahead of others. */
int web_guard_priority_max(const WebGuard *guard);

/* Reads the token: the only line of a file that only its user may read (0600). Returns 0, or EXIT_USAGE after reporting
 * an error with its place. */
int web_guard_read_token(WebGuard *guard, const char *path, Diagnostics *diagnostics);

/* Returns 200, or the status of a refusal: 400, 401, 403, 421, and the reason. */
int web_guard_judge(const WebGuard *guard, const WebClaims *claims, const char **why);

#endif

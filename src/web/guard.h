/* Who may ask for what.
 *
 * - A page of somebody else's, open in the same browser, must not reach this one. Under a name of its own that leads here (DNS rebinding) its Host
 *   is that name; else Origin, or Sec-Fetch-Site, tells where a request comes from, if it is there. Both are looked at whatever is asked for, but the page's
 *   own files, to which any page may have a link.
 * - Off the loopback address a token is needed. It is a header (Authorization: Bearer TOKEN), never a cookie: a browser adds cookies to what
 *   any page asks for, and sends them to whoever listens on another port of the same machine. */
#ifndef SRC_WEB_GUARD_H
#define SRC_WEB_GUARD_H

#include "src/base/diagnostics.h"

enum { WEB_TOKEN_MIN = 16, WEB_TOKEN_MAX = 256, WEB_ADDRESS_SIZE = 256 };

typedef struct WebGuard {
  char address[WEB_ADDRESS_SIZE]; /* that it listens on, as it was named, without the port */
  char machine[WEB_ADDRESS_SIZE]; /* this machine's name */
  const char *host;               /* --host, borrowed; NULL: none */
  bool loopback;                  /* nobody else than this machine can reach it */
  bool read_only;
  size_t token_size;             /* 0: there is none */
  char token[WEB_TOKEN_MAX + 1]; /* zeros behind it */
} WebGuard;

/* What a request says of itself; NULL: nothing. */
typedef struct WebClaims {
  const char *host, *origin, *site, *authorization; /* Host, Origin, Sec-Fetch-Site, Authorization */
  bool changes;                                     /* it wants to change something */
  bool open;                                        /* it wants a part of the page itself, which tells nothing */
} WebClaims;

/* Takes another name by which the page is reached. Returns 0, or EXIT_USAGE after telling. */
int web_guard_take_host(WebGuard *guard, const char *name, Diagnostics *diagnostics);

/* The largest priority of what is submitted. Where the page's user is root or the service's it counts among the jobs of all: whoever reaches
 * a page without a token is not let before others. */
int web_guard_priority_max(const WebGuard *guard);

/* Reads the token: the only line of a file that is its user's alone (0600). Returns 0, or EXIT_USAGE after telling, with its place. */
int web_guard_read_token(WebGuard *guard, const char *path, Diagnostics *diagnostics);

/* 200, or the status of the refusal: 400, 401, 403, 421, and why. */
int web_guard_judge(const WebGuard *guard, const WebClaims *claims, const char **why);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/web/guard.h"

#include "src/spool/job_file.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reading and checking the token ----------------------------------------------------------------------------------- */

static const char *file_fault(int file) {
  struct stat info;
  if (file < 0) return strerror(errno);
  if (fstat(file, &info)) return strerror(errno);
  if (!S_ISREG(info.st_mode)) return "is not a file";
  if (info.st_uid != geteuid()) return "is another user's (expected a file of your own)";
  return info.st_mode & 077 ? "others may read or write it (expected mode 0600: chmod 600)" : NULL;
}

/* Reads the token from a text. Returns NULL, or an error message after setting *place to its position. */
static const char *take_token(WebGuard *guard, const char *text, size_t size, Place *place) {
  size_t length = 0;
  while (length < size && text[length] > ' ' && text[length] < 0x7f) length++;
  unsigned char end = length < size ? (unsigned char)text[length] : '\n';
  *place = (Place){.name = place->name, .line = 1, .column = (long)length + 1};
  if (end >= 0x80) return "a byte beyond ASCII";
  if (end != '\n') return end == ' ' || end == '\t' ? "a blank" : "a control character";
  place->column = 1;
  if (length < WEB_TOKEN_MIN || length > WEB_TOKEN_MAX)
    return length < WEB_TOKEN_MIN ? "it is too short" : "it is too long";
  place->line = 2;
  if (length + 1 < size) return "a second line";
  memcpy(guard->token, text, length);
  guard->token_size = length;
  return NULL;
}

int web_guard_read_token(WebGuard *guard, const char *path, Diagnostics *diagnostics) {
  char text[WEB_TOKEN_MAX + 3];
  Place place = {.name = path};
  int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  const char *fault = file_fault(file);
  ssize_t size = fault ? 0 : read(file, text, sizeof text);
  if (!fault && size < 0) fault = strerror(errno);
  if (fault) {
    diagnostics_error(diagnostics, EXIT_USAGE, "%s: %s", path, fault);
  } else {
    fault = take_token(guard, text, (size_t)size, &place);
    if (fault)
      diagnostics_add(
          diagnostics, &place, "token",
          "%s (expected one line of %d to %d letters, digits and signs, like that of `openssl rand -hex 32`)", fault,
          WEB_TOKEN_MIN, WEB_TOKEN_MAX);
  }
  if (file >= 0) close(file);
  return fault ? EXIT_USAGE : 0;
}

int web_guard_priority_max(const WebGuard *guard) { return guard->token_size ? JOB_PRIORITY_MAX : 0; }

/* Compares a text with the token. The time for this does not depend on where they differ, so that it reveals nothing
 * about the token. */
static bool is_token(const WebGuard *guard, const char *text) {
  size_t length = strlen(text), n = length < WEB_TOKEN_MAX ? length : WEB_TOKEN_MAX;
  char given[WEB_TOKEN_MAX] = {0};
  memcpy(given, text, n);
  volatile unsigned char differs = length != guard->token_size;
  for (size_t k = 0; k < WEB_TOKEN_MAX; k++) differs = (unsigned char)(differs | (given[k] ^ guard->token[k]));
  return !differs;
}

static bool knows_token(const WebGuard *guard, const char *authorization) {
  static const char scheme[] = "Bearer ";
  return authorization && strncasecmp(authorization, scheme, strlen(scheme)) == 0 &&
         is_token(guard, authorization + strlen(scheme));
}

/* Checking the name by which the server is addressed --------------------------------------------------------------- */

/* Sets name to the name in a header Host: NAME, NAME:PORT or [ADDRESS]:PORT. Returns false if the header has another
 * form. */
static bool host_name(const char *host, char name[WEB_ADDRESS_SIZE]) {
  bool boxed = *host == '[';
  const char *from = host + boxed, *end = from + strcspn(from, boxed ? "]" : ":");
  size_t length = (size_t)(end - from);
  if (boxed && *end++ != ']') return false;
  if (*end == ':') end += 1 + strspn(end + 1, "0123456789");
  if (*end || length == 0 || length >= WEB_ADDRESS_SIZE) return false;
  memcpy(name, from, length);
  name[length] = 0;
  return true;
}

static bool is_address(const char *name, bool *loopback) {
  struct in_addr four;
  struct in6_addr six;
  *loopback = false;
  if (inet_pton(AF_INET, name, &four) == 1) {
    *loopback = ntohl(four.s_addr) >> 24 == 127;
    return true;
  }
  if (inet_pton(AF_INET6, name, &six) != 1) return false;
  *loopback = memcmp(&six, &in6addr_loopback, sizeof six) == 0;
  return true;
}

int web_guard_take_host(WebGuard *guard, const char *name, Diagnostics *diagnostics) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
  size_t length = strlen(name);
  if (length == 0 || length >= WEB_ADDRESS_SIZE || strspn(name, letters) != length)
    return diagnostics_error(diagnostics, EXIT_USAGE, "--host expects a name, like jobs.example.org, not %s", name);
  guard->host = name;
  return 0;
}

/* Returns whether a host name certainly belongs to this server, so that no attacker can have made it lead here. These
 * names do: loopback names, which a tunnel may also use, and the names given by --listen and --host. If other machines
 * can reach the server, so do all numeric addresses and the name of this machine. */
static bool is_here(const WebGuard *guard, const char *host) {
  char name[WEB_ADDRESS_SIZE];
  bool loopback;
  if (!host_name(host, name)) return false;
  if (strcasecmp(name, "localhost") == 0 || strcasecmp(name, guard->address) == 0) return true;
  if (guard->host && strcasecmp(name, guard->host) == 0) return true;
  if (is_address(name, &loopback)) return loopback || !guard->loopback;
  return !guard->loopback && *guard->machine && strcasecmp(name, guard->machine) == 0;
}

/* Returns whether an origin (header Origin), SCHEME://HOST, is that of this page. The scheme is not compared, since a
 * proxy may have changed it to https. */
static bool is_own(const char *origin, const char *host) {
  const char *at = strstr(origin, "://");
  size_t scheme = at ? (size_t)(at - origin) : 0;
  bool known = (scheme == 4 && strncmp(origin, "http", 4) == 0) || (scheme == 5 && strncmp(origin, "https", 5) == 0);
  return known && strcasecmp(at + 3, host) == 0;
}

/* Deciding whether a request is allowed ---------------------------------------------------------------------------- */

static int refuse(int status, const char *text, const char **why) {
  *why = text;
  return status;
}

int web_guard_judge(const WebGuard *guard, const WebClaims *c, const char **why) {
  *why = NULL;
  if (!c->host) return refuse(400, "no Host", why);
  if (!is_here(guard, c->host)) return refuse(421, "Host is not where this page is", why);
  if (c->open) return 200;
  if (c->origin && !is_own(c->origin, c->host)) return refuse(403, "Origin is another page", why);
  bool ours = !c->site || strcmp(c->site, "same-origin") == 0 || (strcmp(c->site, "none") == 0 && !c->changes);
  if (!ours) return refuse(403, "Sec-Fetch-Site is another page", why);
  if (guard->token_size && !knows_token(guard, c->authorization))
    return refuse(401, "expected Authorization: Bearer TOKEN", why);
  if (guard->read_only && c->changes) return refuse(403, "this page only shows (--read-only)", why);
  return 200;
}

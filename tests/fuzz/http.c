/* SPDX-License-Identifier: BSD-2-Clause */
/* Target that parses a request to the web page: its target, and the headers that identify the client. */
#define _GNU_SOURCE /* strcasestr */
#include "tests/fuzz/fuzz.h"

#include "src/web/guard.h"
#include "src/web/target.h"

#include <jansson.h>
#include <string.h>
#include <strings.h>

enum { TEXT_SIZE = 4096 };
static const char TOKEN[] = "0123456789abcdef", BEARER[] = "Bearer ";

/* Returns the next part of the bytes as a text; NULL if there is none. */
static const char *next(const uint8_t **bytes, size_t *size, char text[TEXT_SIZE]) {
  const uint8_t *part;
  if (*size == 0) return NULL;
  size_t length = fuzz_part(bytes, size, &part);
  if (length >= TEXT_SIZE) length = TEXT_SIZE - 1;
  memcpy(text, part, length);
  text[length] = 0;
  return text;
}

static void take_target(const char *text) {
  WebTarget target;
  const char *why;
  int status = web_target_read(text, &target, &why);
  FUZZ_HOLDS(status == 200 || status == 400 || status == 404);
  FUZZ_HOLDS((status == 400) == (why != NULL));
  if (status != 200) return;
  bool of_job = target.route >= WEB_JOB, of_file = target.route == WEB_FILE || target.route == WEB_PAGE;
  FUZZ_HOLDS(of_job == (spool_is_name(target.name) && !strchr(target.name, '/')));
  FUZZ_HOLDS(of_file == (*target.file != 0));
  FUZZ_HOLDS(!strstr(target.file, "..") && target.file[0] != '/' && target.file[0] != '.');
  FUZZ_HOLDS(!strchr(target.wanted, '/') && web_text_is_plain(target.wanted, strlen(target.wanted), false));
  FUZZ_HOLDS(target.n_settings <= WEB_SETTINGS_MAX);
  for (int k = 0; k < target.n_settings; k++)
    FUZZ_HOLDS(web_text_is_plain(target.settings[k].text, strlen(target.settings[k].text), false));
  FUZZ_HOLDS(target.priority >= -100 && target.priority <= 100);
  FUZZ_HOLDS(target.from < SPOOL_FOLDERS);
}

/* Judges headers on the loopback address, with a token. An admitted client knows the token, and its header Host names a
 * loopback host. */
static void take_claims(const WebClaims *claims) {
  WebGuard guard = {.address = "127.0.0.1", .machine = "node1", .loopback = true, .token_size = strlen(TOKEN)};
  const char *why;
  memcpy(guard.token, TOKEN, sizeof TOKEN);
  int status = web_guard_judge(&guard, claims, &why);
  FUZZ_HOLDS((status == 200) == (why == NULL));
  if (status != 200) return;
  const char *host = claims->host, *authorization = claims->authorization;
  FUZZ_HOLDS(strncasecmp(host, "localhost", 9) == 0 || strncmp(host, "127.", 4) == 0 || *host == '[');
  if (claims->open) return;
  FUZZ_HOLDS(authorization && strncasecmp(authorization, BEARER, strlen(BEARER)) == 0 &&
             strcmp(authorization + strlen(BEARER), TOKEN) == 0);
  FUZZ_HOLDS(!claims->origin || strcasestr(claims->origin, host));
}

static void take_http(const uint8_t *bytes, size_t size) {
  char text[6][TEXT_SIZE];
  if (web_text_is_plain((const char *)bytes, size, true)) {
    json_t *string = json_stringn((const char *)bytes, size);
    FUZZ_HOLDS(string); /* json_string succeeds, as the text is valid UTF-8 */
    json_decref(string);
  }
  const char *target = next(&bytes, &size, text[0]);
  if (target) take_target(target);
  WebClaims claims = {.host = next(&bytes, &size, text[1]),
                      .origin = next(&bytes, &size, text[2]),
                      .site = next(&bytes, &size, text[3]),
                      .authorization = next(&bytes, &size, text[4])};
  claims.changes = size & 1;
  claims.open = size & 2;
  take_claims(&claims);
}

const FuzzTarget fuzz_http = {.name = "http", .take = take_http};

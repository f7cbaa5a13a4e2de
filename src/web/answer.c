/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/web/answer.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void web_answer_clear(WebAnswer *answer) {
  if (!answer->lasting) free(answer->bytes);
  if (answer->file >= 0) close(answer->file);
  *answer = (WebAnswer){.file = -1};
}

/* Sets the ETag to an FNV-1a hash of the bytes. With it a browser recognises a text that has not changed. */
static void set_tag(WebAnswer *answer) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t k = 0; k < answer->size; k++) hash = (hash ^ (unsigned char)answer->bytes[k]) * 0x100000001b3u;
  snprintf(answer->tag, sizeof answer->tag, "\"%016" PRIx64 "\"", hash);
}

void web_answer_json(WebAnswer *answer, unsigned status, json_t *json) {
  static const char no_memory[] = "{\"error\": \"out of memory\"}";
  web_answer_clear(answer);
  answer->status = status;
  answer->type = "application/json";
  answer->bytes = json ? json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(10)) : NULL;
  json_decref(json);
  if (!answer->bytes) {
    answer->status = 503;
    answer->lasting = true;
    answer->bytes = (char *)no_memory; /* the cast is safe, since the bytes are only read */
  }
  answer->size = strlen(answer->bytes);
  if (answer->status == 200) set_tag(answer);
}

void web_answer_error(WebAnswer *answer, unsigned status, const char *text) {
  web_answer_json(answer, status, json_pack("{s:s}", "error", text));
}

void web_answer_file(WebAnswer *answer, int file, size_t size, const char *type) {
  web_answer_clear(answer);
  answer->status = 200;
  answer->type = type;
  answer->file = file;
  answer->size = size;
}

void web_answer_unsized(WebAnswer *answer, const char *type) {
  web_answer_clear(answer);
  answer->status = 200;
  answer->type = type;
  answer->unsized = true;
}

void web_answer_page(WebAnswer *answer, const void *bytes, size_t size, const char *type) {
  web_answer_clear(answer);
  answer->status = 200;
  answer->type = type;
  answer->bytes = (char *)bytes; /* the cast is safe, since the bytes are only read */
  answer->size = size;
  answer->lasting = answer->page = true;
  set_tag(answer);
}

void web_answer_spare(WebAnswer *answer, const char *known) {
  if (answer->status != 200 || !*answer->tag || !known || !strstr(known, answer->tag)) return;
  char tag[WEB_TAG_SIZE];
  bool page = answer->page;
  const char *type = answer->type;
  memcpy(tag, answer->tag, sizeof tag);
  web_answer_clear(answer);
  *answer = (WebAnswer){.status = 304, .type = type, .page = page, .file = -1};
  memcpy(answer->tag, tag, sizeof tag);
}

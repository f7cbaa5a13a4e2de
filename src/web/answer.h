/* SPDX-License-Identifier: BSD-2-Clause */
/* The answer to an HTTP request. */
#ifndef SRC_WEB_ANSWER_H
#define SRC_WEB_ANSWER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum { WEB_TAG_SIZE = 24 };

typedef struct WebAnswer {
  unsigned status;   /* HTTP status; 0: none yet */
  const char *type;  /* header Content-Type */
  const char *allow; /* header Allow, for status 405; NULL: none */
  char *bytes;       /* [size] content of the answer; owned unless `lasting`; NULL: the content is in `file` */
  size_t size;
  int file;               /* descriptor of a file of `size` bytes with the content; owned; -1: none */
  bool unsized;           /* the answer is to HEAD, and the size that GET would return is not known yet */
  bool lasting;           /* the bytes are static data of the program */
  bool page;              /* the answer is part of the page: it may run scripts and be displayed */
  char tag[WEB_TAG_SIZE]; /* header ETag; "": none */
} WebAnswer;

/* Answers with JSON and takes over the reference. json NULL means that there was no memory, which is reported to the
 * client. Sets the ETag. */
void web_answer_json(WebAnswer *answer, unsigned status, json_t *json);

/* Answers with the JSON text {"error": text}. */
void web_answer_error(WebAnswer *answer, unsigned status, const char *text);

/* Answers with an open file of `size` bytes, and takes it over. */
void web_answer_file(WebAnswer *answer, int file, size_t size, const char *type);

/* Answers HEAD for a file of this type if its size is not known yet. */
void web_answer_unsized(WebAnswer *answer, const char *type);

/* Answers with bytes that are static data of the program. */
void web_answer_page(WebAnswer *answer, const void *bytes, size_t size, const char *type);

/* Replaces the answer by 304 (not modified) if its ETag equals `known`, the client's header If-None-Match. */
void web_answer_spare(WebAnswer *answer, const char *known);

void web_answer_clear(WebAnswer *answer);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The answer to an HTTP request. */
#ifndef SRC_WEB_ANSWER_H
#define SRC_WEB_ANSWER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum { WEB_TAG_SIZE = 24 };

typedef struct WebAnswer {
  unsigned status;   /* HTTP status; 0: there is no answer yet */
  const char *type;  /* header Content-Type */
  const char *allow; /* header Allow, for status 405; NULL: none */
  char *bytes;       /* [size] content of the answer; owned unless `lasting`; NULL: the content is in `file`, or there
                      * is none */
  size_t size;
  int file;               /* descriptor of a file of `size` bytes with the content; owned; -1: none */
  bool unsized;           /* the answer is to HEAD, and the size of the answer to GET is not known yet */
  bool lasting;           /* whether the bytes are static data of the program, which must not be freed */
  bool page;              /* whether the answer is a file of the page itself, which may run scripts and be displayed */
  char tag[WEB_TAG_SIZE]; /* header ETag; "": none */
} WebAnswer;

/* Answers with JSON, and takes ownership of the reference. json is NULL if there was no memory for it; the client is
 * then informed. Sets the ETag. */
void web_answer_json(WebAnswer *answer, unsigned status, json_t *json);

/* Answers with the JSON object {"error": text}. */
void web_answer_error(WebAnswer *answer, unsigned status, const char *text);

/* Answers with an open file of `size` bytes, and takes ownership of its descriptor. */
void web_answer_file(WebAnswer *answer, int file, size_t size, const char *type);

/* Answers HEAD for a file of this type, of which the size is not known yet. */
void web_answer_unsized(WebAnswer *answer, const char *type);

/* Answers with bytes that are static data of the program. */
void web_answer_page(WebAnswer *answer, const void *bytes, size_t size, const char *type);

/* If the ETag of the answer equals `known`, the client's header If-None-Match, replaces the answer by status 304 (not
 * modified). */
void web_answer_spare(WebAnswer *answer, const char *known);

void web_answer_clear(WebAnswer *answer);

#endif

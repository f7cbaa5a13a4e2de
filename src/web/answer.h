/* The answer to a request. */
#ifndef SRC_WEB_ANSWER_H
#define SRC_WEB_ANSWER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum { WEB_TAG_SIZE = 24 };

typedef struct WebAnswer {
  unsigned status;   /* HTTP status; 0: none yet */
  const char *type;  /* Content-Type */
  const char *allow; /* Allow, for status 405; NULL: none */
  char *bytes;       /* [size] owned, unless `lasting`; NULL: the answer is a file */
  size_t size;
  int file;               /* descriptor of a file of that size, owned; -1: none */
  bool unsized;           /* answer to HEAD if the size of GET's answer is not known yet */
  bool lasting;           /* the bytes are static data of the program */
  bool page;              /* part of the page: it may run scripts and be displayed */
  char tag[WEB_TAG_SIZE]; /* ETag; "": none */
} WebAnswer;

/* Answers with JSON, which it takes over; NULL: no memory, which is reported to the client. Sets the tag. */
void web_answer_json(WebAnswer *answer, unsigned status, json_t *json);

/* Answers {"error": text}. */
void web_answer_error(WebAnswer *answer, unsigned status, const char *text);

/* Answers with an open file, which it takes over; size: in bytes. */
void web_answer_file(WebAnswer *answer, int file, size_t size, const char *type);

/* Answers HEAD: GET would return something of this type. */
void web_answer_unsized(WebAnswer *answer, const char *type);

/* Answers with static bytes. */
void web_answer_page(WebAnswer *answer, const void *bytes, size_t size, const char *type);

/* Replaces the answer by 304 if the client's If-None-Match, `known`, is its tag. */
void web_answer_spare(WebAnswer *answer, const char *known);

void web_answer_clear(WebAnswer *answer);

#endif

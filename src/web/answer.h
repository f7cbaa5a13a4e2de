/* What is answered to a request. */
#ifndef SRC_WEB_ANSWER_H
#define SRC_WEB_ANSWER_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum { WEB_TAG_SIZE = 24 };

typedef struct WebAnswer {
  unsigned status;   /* 0: there is none yet */
  const char *type;  /* Content-Type */
  const char *allow; /* Allow, of 405; NULL: none */
  char *bytes;       /* [size] owned, unless `lasting`; NULL: there is a file */
  size_t size;
  int file;               /* of that size, owned; -1: there is none */
  bool unsized;           /* of HEAD: what GET would give, whose size is not known yet */
  bool lasting;           /* the bytes are the program's own */
  bool page;              /* a part of the page: it may run, and be drawn */
  char tag[WEB_TAG_SIZE]; /* ETag; "": none */
} WebAnswer;

/* json: taken over; NULL: no memory, which is answered, too. The tag is of the text. */
void web_answer_json(WebAnswer *answer, unsigned status, json_t *json);

/* {"error": text} */
void web_answer_error(WebAnswer *answer, unsigned status, const char *text);

/* A file, which it takes over; size: of it. */
void web_answer_file(WebAnswer *answer, int file, size_t size, const char *type);

/* To HEAD: that GET would give something of that type. */
void web_answer_unsized(WebAnswer *answer, const char *type);

/* Bytes that outlive it. */
void web_answer_page(WebAnswer *answer, const void *bytes, size_t size, const char *type);

/* Nothing, since who asks has it (304), if that is `known`, its If-None-Match. */
void web_answer_spare(WebAnswer *answer, const char *known);

void web_answer_clear(WebAnswer *answer);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Messages from rank 0 to the workers of a pool. A worker makes its evaluator from a message (src/search/messages.h).
 * Each message begins with the number of its form. */
#ifndef SRC_RUN_MESSAGE_H
#define SRC_RUN_MESSAGE_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef enum MessageForm {
  MESSAGE_MODEL,     /* a problem with a dense model */
  MESSAGE_FILE,      /* the path of a file with a sparse model */
  MESSAGE_PROOF,     /* a problem with a dense model, and the data with which its proof compares motions */
  MESSAGE_SCENARIOS, /* scenarios and a control */
  MESSAGE_CASES,     /* cases of a lower bound */
  MESSAGE_SWEEP,     /* the plan of a sweep */
  MESSAGE_POINTS,    /* a problem that a user's program evaluates */
  MESSAGE_PLAN,      /* a motion plan */
  MESSAGE_FORMS
} MessageForm;

enum { MESSAGE_HEAD = sizeof(int64_t) };

/* Allocates a message with its form and `rest` further bytes, and sets *at to the address of these bytes. The caller
 * frees the message. NULL: no memory. */
static inline char *message_create(MessageForm form, size_t rest, size_t *size, char **at) {
  char *bytes = malloc(*size = MESSAGE_HEAD + rest);
  int64_t head = form;
  if (!bytes) return NULL;
  memcpy(bytes, &head, MESSAGE_HEAD);
  *at = bytes + MESSAGE_HEAD;
  return bytes;
}

/* Copy `size` bytes to *at or from *from, and advance this pointer. */
static inline void message_put(char **at, const void *bytes, size_t size) {
  if (size) memcpy(*at, bytes, size);
  *at += size;
}

static inline void message_get(const char **from, void *bytes, size_t size) {
  if (size) memcpy(bytes, *from, size);
  *from += size;
}

#endif

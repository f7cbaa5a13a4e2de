/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/library/message_list.h"

#include <stdlib.h>
#include <string.h>

struct StictionMessages {
  StictionListener listener;
  StictionMessage *list; /* [count] messages with owned texts */
  int count, room;
};

/* Returns a copy of a text; NULL for NULL, or if there is no memory. A member of a message that cannot be copied is
 * thus NULL. */
static char *copy(const char *text) { return text ? strdup(text) : NULL; }

static void keep(void *context, const StictionMessage *message) {
  StictionMessages *messages = context;
  if (messages->count == messages->room) {
    int room = 2 * messages->room + 8;
    StictionMessage *list = realloc(messages->list, (size_t)room * sizeof *list);
    if (!list) return; /* if there is no memory, the message is dropped; the call that failed also returns a status */
    messages->list = list;
    messages->room = room;
  }
  StictionMessage *kept = &messages->list[messages->count++];
  *kept = *message;
  kept->file = copy(message->file);
  kept->key = copy(message->key);
  kept->text = copy(message->text);
}

StictionMessages *stiction_messages_create(void) {
  StictionMessages *messages = calloc(1, sizeof *messages);
  if (messages) messages->listener = (StictionListener){messages, keep};
  return messages;
}

void stiction_messages_destroy(StictionMessages *messages) {
  for (int k = 0; messages && k < messages->count; k++) {
    free((char *)messages->list[k].file);
    free((char *)messages->list[k].key);
    free((char *)messages->list[k].text);
  }
  if (messages) free(messages->list);
  free(messages);
}

const StictionListener *stiction_messages_listener(const StictionMessages *messages) {
  return messages ? &messages->listener : NULL;
}

int stiction_messages_count(const StictionMessages *messages) { return messages ? messages->count : 0; }

/* Returns message k, or an empty one if there is none. */
static const StictionMessage *message(const StictionMessages *messages, int k) {
  static const StictionMessage none = {0};
  return messages && k >= 0 && k < messages->count ? &messages->list[k] : &none;
}

const char *stiction_message_file(const StictionMessages *messages, int k) { return message(messages, k)->file; }
long stiction_message_line(const StictionMessages *messages, int k) { return message(messages, k)->line; }
long stiction_message_column(const StictionMessages *messages, int k) { return message(messages, k)->column; }
const char *stiction_message_key(const StictionMessages *messages, int k) { return message(messages, k)->key; }
const char *stiction_message_text(const StictionMessages *messages, int k) { return message(messages, k)->text; }
bool stiction_message_warning(const StictionMessages *messages, int k) { return message(messages, k)->warning; }

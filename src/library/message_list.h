/* Messages of the library kept in a list: for languages that have no structs and callbacks of C, Python say. */
#ifndef SRC_LIBRARY_MESSAGE_LIST_H
#define SRC_LIBRARY_MESSAGE_LIST_H

#include "src/library/problem_file.h"

SIM_API_BEGIN

typedef struct StictionMessages StictionMessages;

StictionMessages *stiction_messages_create(void); /* NULL: no memory */
void stiction_messages_destroy(StictionMessages *messages);

/* Who keeps what is told; NULL of NULL. Valid as long as the list. */
const StictionListener *stiction_messages_listener(const StictionMessages *messages);

/* How many there are, 0 of NULL; message k from 0, each part as StictionMessage has it. Beyond the last: NULL, 0, false. */
int stiction_messages_count(const StictionMessages *messages);
const char *stiction_message_file(const StictionMessages *messages, int k);
long stiction_message_line(const StictionMessages *messages, int k);
long stiction_message_column(const StictionMessages *messages, int k);
const char *stiction_message_key(const StictionMessages *messages, int k);
const char *stiction_message_text(const StictionMessages *messages, int k);
bool stiction_message_warning(const StictionMessages *messages, int k);

SIM_API_END

#endif

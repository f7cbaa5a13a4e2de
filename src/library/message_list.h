/* Messages of the library in a list, for languages without structs and callbacks of C, for example Python. */
#ifndef SRC_LIBRARY_MESSAGE_LIST_H
#define SRC_LIBRARY_MESSAGE_LIST_H

#include "src/library/problem_file.h"

SIM_API_BEGIN

/* A list of messages, in the order in which they came. */
typedef struct StictionMessages StictionMessages;

StictionMessages *stiction_messages_create(void);           /* NULL: no memory */
void stiction_messages_destroy(StictionMessages *messages); /* may be NULL */

/* Returns the listener that adds messages to the list; NULL if messages is NULL. Valid as long as the list. */
const StictionListener *stiction_messages_listener(const StictionMessages *messages);

/* Returns the number of messages, 0 of NULL. The functions below return the parts of message k, from 0, as
 * StictionMessage has them; beyond the last NULL, 0 or false. */
int stiction_messages_count(const StictionMessages *messages);
const char *stiction_message_file(const StictionMessages *messages, int k); /* its file; NULL: none */
long stiction_message_line(const StictionMessages *messages, int k);        /* its line, from 1; 0: not known */
long stiction_message_column(const StictionMessages *messages, int k);      /* its column, from 1; 0: not known */
const char *stiction_message_key(const StictionMessages *messages, int k);  /* dotted path of the key; NULL: none */
const char *stiction_message_text(const StictionMessages *messages, int k); /* what is wrong, and what was expected */
bool stiction_message_warning(const StictionMessages *messages, int k);     /* whether it is a warning, not an error */

SIM_API_END

#endif

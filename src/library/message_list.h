/* SPDX-License-Identifier: BSD-2-Clause */
/* Keeps messages of the library in a list, for languages without C's structs and callbacks, e.g. Python. */
#ifndef SRC_LIBRARY_MESSAGE_LIST_H
#define SRC_LIBRARY_MESSAGE_LIST_H

#include "src/library/problem_file.h"

SIM_API_BEGIN

/* A list of messages, in the order in which they were reported. */
typedef struct StictionMessages StictionMessages;

StictionMessages *stiction_messages_create(void);           /* NULL: no memory */
void stiction_messages_destroy(StictionMessages *messages); /* may be NULL */

/* Returns the listener that adds messages to the list; NULL if messages is NULL. Valid as long as the list. */
const StictionListener *stiction_messages_listener(const StictionMessages *messages);

/* Returns the number of messages; 0 if messages is NULL. The functions below return the members of message number k,
 * from 0; StictionMessage describes them. If there is no such message, they return NULL, 0 or false. */
int stiction_messages_count(const StictionMessages *messages);
/* name of the file that the message concerns; NULL: it concerns no file */
const char *stiction_message_file(const StictionMessages *messages, int k);
long stiction_message_line(const StictionMessages *messages, int k);   /* line, from 1; 0: not known */
long stiction_message_column(const StictionMessages *messages, int k); /* column, from 1; 0: not known */
/* dotted path of the key that the message concerns; NULL: it concerns no key */
const char *stiction_message_key(const StictionMessages *messages, int k);
const char *stiction_message_text(const StictionMessages *messages, int k); /* what is wrong, and what was expected */
bool stiction_message_warning(const StictionMessages *messages, int k);     /* true: a warning; false: an error */

SIM_API_END

#endif

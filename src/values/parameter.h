/* Keys read and echoed by their rows (sim/parameter.h). */
#ifndef SRC_PARAMETER_H
#define SRC_PARAMETER_H

#include "src/values/reader.h"

/* Reads one key into the struct that its row is for (row->size > 0). What is wrong is told, and leaves the value as it
 * was; an expression that needs delta waits for parameters_evaluate. Returns whether the key was there and good. */
bool parameter_read(Reader *reader, Node *section, const SimParameter *row, void *owner);
/* All keys of a table that such a struct holds. */
void parameters_read(Reader *reader, Node *section, const SimParameter *rows, void *owner);
/* What has waited, once delta is known. */
void parameters_evaluate(Reader *reader);
void parameters_forget(Reader *reader); /* frees what waits */

/* Adds a key's value to an object, unless it is none, or in a form that the owner's code reads. False: no memory. */
bool parameter_echo(const SimParameter *row, const void *owner, json_t *object);
bool parameters_echo(const SimParameter *rows, const void *owner, json_t *object);

#endif

/* model.friction_table: friction measured at some speeds. */
#ifndef SRC_FRICTION_TABLE_H
#define SRC_FRICTION_TABLE_H

#include "src/values/parameter.h"

/* Reads it, if it is there, into problem->sim, whose thresholds are filled in; where they are not told otherwise they are the table's
 * first numbers times scale. Its numbers join the echo. */
void fill_friction_table(Reader *reader, Node *model, WrittenKeys *keys, double scale);

#endif

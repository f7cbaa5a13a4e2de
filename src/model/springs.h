/* model.springs: springs whose force is a law of their elongation. */
#ifndef SRC_MODEL_SPRINGS_H
#define SRC_MODEL_SPRINGS_H

#include "src/values/reader.h"

/* Gives problem->sim, whose sizes are set, the springs that the section says; mistakes are told. */
void read_springs(Reader *reader, Node *model);
/* Adds them as they were read to an echo of the section model. False: no memory. */
bool echo_springs(const Problem *problem, json_t *model);

#endif

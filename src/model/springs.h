/* model.springs: springs whose force is a law of their elongation. */
#ifndef SRC_MODEL_SPRINGS_H
#define SRC_MODEL_SPRINGS_H

#include "src/values/reader.h"

/* Gives problem->sim, whose sizes are set, the springs that the section says; mistakes are told. */
void read_springs(Reader *reader, Node *model);
/* Adds them as they were read to an echo of the section model. False: no memory. */
bool echo_springs(const Problem *problem, json_t *model);

/* Of any law of an elongation. Its range; reports one that is none, and returns whether it is one. */
bool read_law_range(Reader *reader, Node *section, double range[2]);
/* Whether the work and the memory that a law of so many columns takes are allowed; reports if not. */
bool law_allowed(Reader *reader, const char *key, const char *what, const Expression *law, int columns);
/* SimLoad.looks of such a law. */
long law_looks(int columns);
/* Reports why a law has no pieces; SIM_BAD_PROBLEM is the caller's to report. */
void report_law(Reader *reader, const char *key, SimStatus status, double where);

#endif

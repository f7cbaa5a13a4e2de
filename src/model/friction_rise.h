/* model.friction_rise: what thresholds rise by with a joint's place, or with the force in a spring. */
#ifndef SRC_MODEL_FRICTION_RISE_H
#define SRC_MODEL_FRICTION_RISE_H

#include "src/values/reader.h"

/* Reads the section, if it is there, into problem->rise; reports mistakes. */
void read_friction_rise(Reader *reader, Node *model);
/* Gives problem->sim, whose thresholds and springs are set, what has been read; reports what cannot be. */
void make_friction_rise(Reader *reader);
/* h of dof i (from 0) at the elongation e, N, by the text itself. */
double friction_rise(const Problem *problem, int i, double e);
/* Adds it as it was read to an echo of the section model. False: no memory. */
bool echo_friction_rise(const Problem *problem, json_t *model);

#endif

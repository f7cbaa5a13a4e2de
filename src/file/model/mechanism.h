/* A mechanism as read from the section model: its equations, and what follows from its start. */
#ifndef SRC_MECHANISM_H
#define SRC_MECHANISM_H

#include "sim/mechanism/local.h"
#include "src/file/model/model.h"

/* A place that moves with a body, of one to three expressions. */
typedef struct MechanismPoint {
  char name[LABEL_SIZE];
  int n, at[3]; /* nodes of the mechanism's graph, m */
} MechanismPoint;

/* A joint of a robot's file. */
typedef struct MechanismJoint {
  double damping, friction;           /* viscous and dry */
  double effort, speed, lower, upper; /* limits; infinite: none */
} MechanismJoint;

struct Mechanism {
  int shares; /* number of references in addition to the first */
  SimMechanism *sim;
  bool *turns;            /* [d] whether the unit is rad, else m */
  MechanismPoint *points; /* [n_points] */
  int n_points;
  MechanismJoint *joints; /* [d]; NULL: not of a robot's file */
  MechanismLocal start;   /* at x0, v0, t = 0; d = 0: not known */
};

/* Unit of a coordinate, m or rad, and of the force on it. */
const char *mechanism_unit(const Mechanism *mechanism, int i);
const char *mechanism_force_unit(const Mechanism *mechanism, int i);
/* The limit of a control by a robot's file: of the joint on which it alone acts; INFINITY: none. */
double mechanism_effort(const Problem *problem, int control);

/* Prints coordinates, M, rates and what sticks at the start; adds them to a JSON object. Returns false without memory. */
void mechanism_print(const Problem *problem);
bool mechanism_put(const Problem *problem, json_t *object);
/* Warns of rates that are fast for the time of the motion. */
void mechanism_warn(const Problem *problem, Diagnostics *diagnostics);

#endif

/* A mechanism as read from the section model: its points, its joints, and data of its start. */
#ifndef SRC_MECHANISM_H
#define SRC_MECHANISM_H

#include "sim/mechanism/local.h"
#include "src/file/model/model.h"

/* A point that moves with a body. It has one to three coordinates, each an expression. */
typedef struct MechanismPoint {
  char name[LABEL_SIZE];
  int n, at[3]; /* n: number of its coordinates. at: nodes of the mechanism's graph that evaluate to them, m. */
} MechanismPoint;

/* Data of a joint that a robot's file (URDF) gives. */
typedef struct MechanismJoint {
  double damping, friction;           /* coefficients of viscous friction and threshold of dry friction */
  double effort, speed, lower, upper; /* limits of force, speed and position; an infinite limit means none */
} MechanismJoint;

struct Mechanism {
  int shares; /* number of references to the mechanism in addition to the first */
  SimMechanism *sim;
  bool *turns;            /* [d] whether the unit of each coordinate is rad; otherwise it is m */
  MechanismPoint *points; /* [n_points] */
  int n_points;
  MechanismJoint *joints; /* [d] joints of a robot's file; NULL: the mechanism does not come from such a file */
  MechanismLocal start;   /* data of the equations of motion at x0, v0, t = 0; d = 0: not computed */
};

/* Returns the unit of coordinate i, "m" or "rad". The next function returns the unit of the force on it. */
const char *mechanism_unit(const Mechanism *mechanism, int i);
const char *mechanism_force_unit(const Mechanism *mechanism, int i);
/* Returns the limit of a control that a robot's file gives: that of the only joint on which the control acts.
 * INFINITY: there is none. */
double mechanism_effort(const Problem *problem, int control);

/* Prints the coordinates, M, the rates of the linearised motion, and the coordinates that stick at the start. The next
 * function adds these data to a JSON object. It returns false if there is no memory. */
void mechanism_print(const Problem *problem);
bool mechanism_put(const Problem *problem, json_t *object);
/* Warns if the fastest rate at the start is high relative to the duration of the motion, since the simulation then
 * takes long. */
void mechanism_warn(const Problem *problem, Diagnostics *diagnostics);

#endif

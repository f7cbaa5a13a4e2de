/* SPDX-License-Identifier: BSD-2-Clause */
/* A mechanism as read from the section model: its points, its joints, and data of its initial state. */
#ifndef SRC_MECHANISM_H
#define SRC_MECHANISM_H

#include "sim/mechanism/local.h"
#include "src/file/model/model.h"

/* A point that moves with a body, with one to three coordinates, each an expression. */
typedef struct MechanismPoint {
  char name[LABEL_SIZE];
  char columns[3][LABEL_SIZE + 2]; /* [n] names of its coordinates in results: hand.x, hand.y, hand.z */
  int n, at[3]; /* n: number of its coordinates. at: nodes of the mechanism's graph that evaluate to them, in m. */
  /* for a link that only revolute joints move: the point is always within the distance `reach`, in m, from `centre`;
   * reach = 0: no such distance is known */
  double centre[3], reach;
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
  MechanismPoint *points; /* [n_points] named points; their places are results */
  int n_points;
  MechanismPoint *spots; /* [n_spots] the points that a drawing of the mechanism shows: joints and ends of links,
                          * bodies, then the named points. Joints and ends that coincide with others have no name */
  int n_spots;
  int (*lines)[2]; /* [n_lines] pairs of indices into `spots`, between which a drawing has lines */
  int n_lines;
  MechanismJoint *joints; /* [d] joints of a robot's file; NULL: the mechanism does not come from such a file */
  MechanismLocal start;   /* data of the equations of motion at x = x0, v = v0, t = 0; d = 0: not computed */
};

/* mechanism_unit returns the unit of coordinate i, "m" or "rad". mechanism_force_unit returns the unit of the force on
 * it, "N" or "N m". */
const char *mechanism_unit(const Mechanism *mechanism, int i);
const char *mechanism_force_unit(const Mechanism *mechanism, int i);
/* Returns the coordinate, from 0, on which entry `control` of u acts. Returns -1 if it acts on none or on several. */
int mechanism_control_acts_on(const SimProblem *sim, int control);
/* Returns the first entry of u that acts on coordinate dof alone, from 0; -1: none. */
int mechanism_control_of(const SimProblem *sim, int dof);
/* Returns the force limit that a robot's file gives for the joint on which entry `control` of u acts. Returns INFINITY
 * if there is no limit, or if the entry acts on several joints. */
double mechanism_effort(const Problem *problem, int control);

/* Compiled formulas for the coordinates of points, for one thread at a time. */
typedef struct MechanismPlaces MechanismPlaces;
int mechanism_point_entries(const Mechanism *mechanism); /* number of coordinates of all points; NULL: 0 */
/* mechanism_places_create compiles the coordinates of all points, in the order of the points. mechanism_spots_create
 * does the same for the spots. mechanism_place_create compiles one coordinate of a point (node: MechanismPoint.at[i]),
 * with its derivatives by the coordinates of the mechanism and by t. All return NULL if there is no memory. */
MechanismPlaces *mechanism_places_create(const Mechanism *mechanism);
MechanismPlaces *mechanism_spots_create(const Mechanism *mechanism); /* coordinates of all spots */
MechanismPlaces *mechanism_place_create(const Mechanism *mechanism, int node);
void mechanism_places_destroy(MechanismPlaces *places); /* NULL is allowed */
/* Returns the coordinates, in m, of all points at the time t and the state x [d]; the array is valid until the next
 * call. */
const double *mechanism_places(MechanismPlaces *places, double t, const double *x);
/* Evaluates a coordinate of a point, as SimQuantity.place requires. context: result of mechanism_place_create. */
double mechanism_place(void *context, double t, const double *x, double *slopes);
/* Returns the index of the point with this name; -1: there is none. */
int mechanism_find_point(const Mechanism *mechanism, const char *name);

/* If the point can certainly not be brought into the intervals lower..upper [point->n], in m, by any coordinates at any
 * time, writes the reason to text; otherwise sets text to "". Infinite ends of intervals are no limits. This is found
 * from a ball that always contains the point: for a link, from the lengths between its revolute joints; for
 * expressions, if they are sums of sines and cosines with constant factors. Returns false if there is no memory. */
enum { MECHANISM_REACH_SIZE = 160 };
bool mechanism_point_reach(const Mechanism *mechanism, const MechanismPoint *point, const double *lower,
                           const double *upper, char text[MECHANISM_REACH_SIZE]);

/* mechanism_print prints the coordinates, the mass matrix M, the fastest rate of the motion (of decay, growth or
 * oscillation, linearised at the start), and the coordinates that stick at the start. mechanism_put adds these data to
 * a JSON object. It returns false if there is no memory. */
void mechanism_print(const Problem *problem);
bool mechanism_put(const Problem *problem, json_t *object);
/* Warns of coordinates that start outside the limits of a robot's file. For the scheme `event`, also warns if the
 * fastest rate of the motion, linearised at the start, is high relative to the duration of the motion, since the
 * simulation then takes long. */
void mechanism_warn(const Problem *problem, Diagnostics *diagnostics);

#endif

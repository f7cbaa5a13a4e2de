/* Equations of motion of rigid bodies that are joined as a tree, as nodes: Newton's and Euler's equations, outwards for the motion, inwards for
 * the forces. The graph folds the numbers 0 and 1 of frames that are turned by right angles. */
#ifndef SIM_MECHANISM_TREE_H
#define SIM_MECHANISM_TREE_H

#include "sim/mechanism/lagrange.h"

/* A body and the joint that holds it. Frames are Cartesian. The body's frame is the joint's, moved by the joint: turned by q about its
 * axis, or shifted by q along it. Lengths, masses and inertias are nodes, so that they may be parameters. */
typedef struct MechanismBody {
  int parent;        /* a body of smaller number; -1: the base */
  bool slides;       /* along its axis; else it turns about it */
  double axis[3];    /* in the joint's frame; of length 1 */
  double turn[3][3]; /* its columns are the axes of the joint's frame in the parent's */
  int origin[3];     /* of the joint's frame in the parent's, m */
  int mass;          /* kg */
  int centre[3];     /* of mass, in the body's frame, m */
  int inertia[3][3]; /* about the centre, in the body's frame, kg m^2 */
  int armature;      /* inertia of a motor's rotor at the joint, times its gear ratio squared: kg m^2, or kg */
} MechanismBody;

/* Body i has coordinate i of the variables, bodies: [d]. gravity: [3] in the base's frame, m/s^2. residuals: [d]. energy: T + V, J, with V = 0
 * for a centre at the base's origin; NULL: not wanted. Returns false without memory. */
bool mechanism_tree(Graph *graph, const MechanismVariables *variables, const MechanismBody *bodies,
                    const double *gravity, int *residuals, int *energy);

/* Where a point [3] of body i's frame is in the base's frame: place [3], m; all are nodes. Returns false without memory. */
bool mechanism_tree_place(Graph *graph, const MechanismVariables *variables, const MechanismBody *bodies, int i,
                          const int *point, int *place);

#endif

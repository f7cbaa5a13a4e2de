/* SPDX-License-Identifier: BSD-2-Clause */
/* Equations of motion of rigid bodies that are joined as a tree, as nodes of a graph, by the recursive Newton-Euler
 * equations. One pass from the base outwards computes the motion, and one pass inwards the forces. For frames that are
 * turned by right angles the graph simplifies products with the entries 0 and 1. */
#ifndef SIM_MECHANISM_TREE_H
#define SIM_MECHANISM_TREE_H

#include "sim/mechanism/lagrange.h"

/* A body and the joint that connects it to its parent. Frames are Cartesian. The body's frame is the joint's frame
 * after the motion of the joint: turned by q about the joint's axis, or shifted by q along it. Lengths, masses and
 * inertias are nodes, so that they may be parameters. */
typedef struct MechanismBody {
  int parent;        /* number of the parent, which is smaller than the body's own; -1: the base */
  bool slides;       /* true: the joint slides along its axis; false: it turns about its axis */
  double axis[3];    /* unit vector of the axis in the joint's frame */
  double turn[3][3]; /* orientation of the joint's frame: the columns are its axes, expressed in the parent's frame */
  int origin[3];     /* nodes of the joint frame's origin, expressed in the parent's frame, in m */
  int mass;          /* node of the mass, in kg */
  int centre[3];     /* nodes of the centre of mass in the body's frame, in m */
  int inertia[3][3]; /* nodes of the inertia about the centre of mass, in the body's frame, in kg m^2 */
  int armature;      /* node of the inertia of a motor's rotor at the joint, times the square of its gear ratio: kg
                      * m^2, or kg if the joint slides */
} MechanismBody;

/* Makes the equations of bodies [d]; body i moves with coordinate i of the variables. gravity: [3] in the base's frame,
 * in m/s^2. residuals: [d] set to the nodes of r. energy: set to the node of T + V, in J, with V = 0 for a centre of
 * mass at the base's origin; NULL: not needed. Returns false without memory. */
bool mechanism_tree(Graph *graph, const MechanismVariables *variables, const MechanismBody *bodies,
                    const double *gravity, int *residuals, int *energy);

/* Computes the position of a point [3] of body i's frame in the base's frame: place [3], in m. All are nodes. Returns
 * false without memory. */
bool mechanism_tree_place(Graph *graph, const MechanismVariables *variables, const MechanismBody *bodies, int i,
                          const int *point, int *place);

#endif

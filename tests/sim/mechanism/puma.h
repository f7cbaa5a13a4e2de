/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes the robot arm Puma 560 of rigid bodies, for tests. */
#ifndef TESTS_PUMA_H
#define TESTS_PUMA_H

#include "tests/fixture.h"

#include "sim/mechanism/tree.h"

/* Makes one body. turn: number of right angles about x by which the joint's frame is turned in the parent's frame. */
static inline MechanismBody puma_body(Graph *graph, int parent, int right_angles, const double *origin, double mass,
                                      const double *centre, const double *inertia, double armature) {
  MechanismBody body = {.parent = parent,
                        .axis = {0, 0, 1},
                        .mass = graph_number(graph, mass),
                        .armature = graph_number(graph, armature)};
  double cosine = cos(right_angles * FIXTURE_PI / 2), sine = sin(right_angles * FIXTURE_PI / 2);
  const double turn[3][3] = {{1, 0, 0}, {0, cosine, -sine}, {0, sine, cosine}};
  memcpy(body.turn, turn, sizeof turn);
  for (int i = 0; i < 3; i++) {
    body.origin[i] = graph_number(graph, origin[i]);
    body.centre[i] = graph_number(graph, centre[i]);
    for (int j = 0; j < 3; j++) body.inertia[i][j] = graph_number(graph, i == j ? inertia[i] : 0);
  }
  return body;
}

/* Makes all bodies in the frames of Corke's Robotics Toolbox: angles of the frames, offsets, masses, centres of mass,
 * inertias, and inertias of the motors' rotors at the joints. */
static inline void puma_bodies(Graph *graph, MechanismBody *bodies) {
  static const struct {
    int right_angles;
    double origin[3], mass, centre[3], inertia[3], rotor, ratio;
  } links[6] = {
      {0, {0, 0, 0}, 0, {0, 0, 0}, {0, 0, 0.35}, 200e-6, 62.6111},
      {1, {0, 0, 0}, 17.4, {0.068, 0.006, 0.2275}, {0.13, 0.524, 0.539}, 200e-6, 107.815},
      {0, {0.4318, 0, 0}, 4.8, {0, 0.07, 0.16415}, {0.066, 0.0125, 0.086}, 200e-6, 53.7063},
      {-1, {0.0203, 0, 0.15005}, 0.82, {0, 0, 0.4508}, {1.8e-3, 1.8e-3, 1.3e-3}, 33e-6, 76.0364},
      {1, {0, 0, 0.4318}, 0.34, {0, 0, 0}, {0.3e-3, 0.3e-3, 0.4e-3}, 33e-6, 71.923},
      {-1, {0, 0, 0}, 0.09, {0, 0, 0.032}, {0.15e-3, 0.15e-3, 0.04e-3}, 33e-6, 76.686},
  };
  for (int i = 0; i < 6; i++)
    bodies[i] = puma_body(graph, i - 1, links[i].right_angles, links[i].origin, links[i].mass, links[i].centre,
                          links[i].inertia, links[i].rotor * links[i].ratio * links[i].ratio);
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/mechanism/tree.h"

#include <math.h>
#include <stdlib.h>

/* A vector has the nodes of its three entries. A matrix has the nodes of the rotation from a body's frame to its
 * parent's frame. */
typedef struct Vector {
  int x[3];
} Vector;
typedef struct Matrix {
  int x[3][3];
} Matrix;

/* Motion of one body and the forces on it. Each vector is expressed in the body's own frame. */
typedef struct Link {
  Matrix turn;
  Vector origin;              /* origin of the body's frame in its parent's frame, including the shift by a sliding
                               * joint */
  Vector spin, spin_rate;     /* angular velocity, and its time derivative */
  Vector speed, acceleration; /* velocity and acceleration of the frame's origin; the base has the acceleration -g,
                               * which represents gravity */
  Vector height;              /* -g, so that the potential energy of 1 kg at a place is height . place */
  int potential;              /* node of the potential energy of 1 kg at the origin of the frame */
  Vector force, moment;       /* force on this body and all bodies that it carries, and their moment about its origin */
} Link;

static Vector plus(Graph *graph, Vector a, Vector b) {
  for (int i = 0; i < 3; i++) a.x[i] = graph_add(graph, a.x[i], b.x[i]);
  return a;
}

static Vector scaled(Graph *graph, int factor, Vector a) {
  for (int i = 0; i < 3; i++) a.x[i] = graph_multiply(graph, factor, a.x[i]);
  return a;
}

static int dot(Graph *graph, Vector a, Vector b) {
  int sum = graph_multiply(graph, a.x[0], b.x[0]);
  for (int i = 1; i < 3; i++) sum = graph_add(graph, sum, graph_multiply(graph, a.x[i], b.x[i]));
  return sum;
}

static Vector cross(Graph *graph, Vector a, Vector b) {
  Vector c;
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    c.x[i] = graph_subtract(graph, graph_multiply(graph, a.x[j], b.x[k]), graph_multiply(graph, a.x[k], b.x[j]));
  }
  return c;
}

static Vector numbers(Graph *graph, const double *values) {
  Vector a;
  for (int i = 0; i < 3; i++) a.x[i] = graph_number(graph, values[i]);
  return a;
}

static Vector of_nodes(const int *nodes) { return (Vector){{nodes[0], nodes[1], nodes[2]}}; }

/* outwards rotates a vector from the body's frame to its parent's frame; inwards rotates it back. */
static Vector outwards(Graph *graph, const Matrix *turn, Vector a) {
  Vector b;
  for (int i = 0; i < 3; i++) b.x[i] = dot(graph, (Vector){{turn->x[0][i], turn->x[1][i], turn->x[2][i]}}, a);
  return b;
}
static Vector inwards(Graph *graph, const Matrix *turn, Vector a) {
  Vector b;
  for (int i = 0; i < 3; i++) b.x[i] = dot(graph, of_nodes(turn->x[i]), a);
  return b;
}

/* Rounds a sine or cosine near 0, 1 or -1 to that number, so that frames turned by right angles are exact. */
static double exact(double value) {
  double nearest = rint(value);
  return fabs(value - nearest) < 1e-15 ? nearest : value;
}

/* Returns the rotation of a body by its joint: turn (I + sin q K + (1 - cos q) K^2), where K x = axis cross x. */
static Matrix joint_turn(Graph *graph, const MechanismBody *body, int q) {
  const double *k = body->axis, K[3][3] = {{0, -k[2], k[1]}, {k[2], 0, -k[0]}, {-k[1], k[0], 0}};
  int sine = graph_of(graph, GRAPH_SIN, q), cosine = graph_of(graph, GRAPH_COS, q);
  Matrix made;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double of_sine = 0, of_cosine = 0, alone = body->turn[i][j];
      for (int a = 0; a < 3; a++) of_sine += body->turn[i][a] * K[a][j];
      for (int a = 0; a < 9; a++) of_cosine -= body->turn[i][a / 3] * K[a / 3][a % 3] * K[a % 3][j];
      if (body->slides) of_sine = of_cosine = 0;
      int part = graph_affine(graph, exact(of_sine), sine, exact(alone - of_cosine));
      made.x[i][j] = graph_add(graph, part, graph_affine(graph, exact(of_cosine), cosine, 0));
    }
  return made;
}

/* Returns the origin of body i's frame, expressed in the frame of its parent. */
static Vector origin_of(Graph *graph, const MechanismVariables *variables, const MechanismBody *body, int i) {
  Vector along = numbers(graph, (const double[]){0, 0, 0});
  if (!body->slides) return of_nodes(body->origin);
  for (int j = 0; j < 3; j++)
    for (int k = 0; k < 3; k++)
      along.x[j] = graph_add(graph, along.x[j],
                             graph_affine(graph, exact(body->turn[j][k] * body->axis[k]), variables->q[i], 0));
  return plus(graph, of_nodes(body->origin), along);
}

bool mechanism_tree_place(Graph *graph, const MechanismVariables *variables, const MechanismBody *bodies, int i,
                          const int *point, int *place) {
  Vector at = of_nodes(point);
  for (; i >= 0; i = bodies[i].parent) {
    Matrix turn = joint_turn(graph, &bodies[i], variables->q[i]);
    at = plus(graph, origin_of(graph, variables, &bodies[i], i), inwards(graph, &turn, at));
  }
  for (int j = 0; j < 3; j++) place[j] = at.x[j];
  return at.x[0] >= 0 && at.x[1] >= 0 && at.x[2] >= 0;
}

/* Computes the motion of a body from that of its parent. */
static void go_outwards(Graph *graph, const MechanismVariables *variables, const MechanismBody *body,
                        const Link *parent, int i, Link *link) {
  Vector axis = numbers(graph, body->axis), spin = parent->spin, rate = parent->spin_rate;
  link->turn = joint_turn(graph, body, variables->q[i]);
  link->origin = origin_of(graph, variables, body, i);
  Vector around = cross(graph, spin, link->origin);
  Vector bent = plus(graph, cross(graph, rate, link->origin), cross(graph, spin, around));
  link->spin = outwards(graph, &link->turn, spin);
  link->spin_rate = outwards(graph, &link->turn, rate);
  link->speed = outwards(graph, &link->turn, plus(graph, parent->speed, around));
  link->acceleration = outwards(graph, &link->turn, plus(graph, parent->acceleration, bent));
  link->height = outwards(graph, &link->turn, parent->height);
  link->potential = graph_add(graph, parent->potential, dot(graph, parent->height, link->origin));
  Vector relative = scaled(graph, variables->v[i], axis), relative_rate = scaled(graph, variables->a[i], axis);
  Vector turning = cross(graph, link->spin, relative);
  if (body->slides) {
    link->speed = plus(graph, link->speed, relative);
    link->acceleration = plus(graph, link->acceleration, plus(graph, relative_rate, plus(graph, turning, turning)));
  } else {
    link->spin_rate = plus(graph, link->spin_rate, plus(graph, relative_rate, turning));
    link->spin = plus(graph, link->spin, relative);
  }
}

static Vector inertia_times(Graph *graph, const MechanismBody *body, Vector a) {
  Vector b;
  for (int i = 0; i < 3; i++) b.x[i] = dot(graph, of_nodes(body->inertia[i]), a);
  return b;
}

/* Computes the force and moment that accelerate a body. Returns the node of the body's energy T + V. */
static int find_forces(Graph *graph, const MechanismBody *body, int v, Link *link) {
  Vector centre = of_nodes(body->centre), around = cross(graph, link->spin, centre);
  Vector bent = plus(graph, cross(graph, link->spin_rate, centre), cross(graph, link->spin, around));
  Vector momentum = inertia_times(graph, body, link->spin);
  link->force = scaled(graph, body->mass, plus(graph, link->acceleration, bent));
  link->moment = plus(graph, inertia_times(graph, body, link->spin_rate), cross(graph, link->spin, momentum));
  link->moment = plus(graph, link->moment, cross(graph, centre, link->force));
  Vector speed = plus(graph, link->speed, around);
  int twice =
      graph_add(graph, graph_multiply(graph, body->mass, dot(graph, speed, speed)), dot(graph, link->spin, momentum));
  twice = graph_add(graph, twice, graph_multiply(graph, body->armature, graph_multiply(graph, v, v)));
  int potential = graph_add(graph, link->potential, dot(graph, link->height, centre));
  return graph_add(graph, graph_affine(graph, 0.5, twice, 0), graph_multiply(graph, body->mass, potential));
}

bool mechanism_tree(Graph *graph, const MechanismVariables *variables, const MechanismBody *bodies,
                    const double *gravity, int *residuals, int *energy) {
  int d = variables->d, sum = graph_number(graph, 0);
  Link *links = malloc(((size_t)d + 1) * sizeof *links), *base = links + (links ? d : 0);
  if (!links) return false;
  const Vector zero = {{sum, sum, sum}};
  *base = (Link){.spin = zero, .spin_rate = zero, .speed = zero, .potential = sum};
  base->height = base->acceleration = numbers(graph, (const double[]){-gravity[0], -gravity[1], -gravity[2]});
  for (int i = 0; i < d; i++) {
    go_outwards(graph, variables, &bodies[i], bodies[i].parent < 0 ? base : &links[bodies[i].parent], i, &links[i]);
    sum = graph_add(graph, sum, find_forces(graph, &bodies[i], variables->v[i], &links[i]));
  }
  bool good = sum >= 0;
  for (int i = d - 1; i >= 0; i--) {
    const MechanismBody *body = &bodies[i];
    const Link *link = &links[i];
    int along = dot(graph, numbers(graph, body->axis), body->slides ? link->force : link->moment);
    residuals[i] = graph_add(graph, along, graph_multiply(graph, body->armature, variables->a[i]));
    good = good && residuals[i] >= 0;
    if (body->parent < 0) continue;
    Link *parent = &links[body->parent];
    Vector force = inwards(graph, &link->turn, link->force), moment = inwards(graph, &link->turn, link->moment);
    parent->force = plus(graph, parent->force, force);
    parent->moment = plus(graph, parent->moment, plus(graph, moment, cross(graph, link->origin, force)));
  }
  free(links);
  if (energy) *energy = sum;
  return good;
}

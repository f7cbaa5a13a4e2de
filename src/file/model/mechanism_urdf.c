/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads model.urdf: converts the links of a robot's file to rigid bodies, one for each joint that moves. */
#include "src/file/model/mechanism_making.h"
#include "src/file/values/urdf.h"

#include <stdlib.h>
#include <string.h>

/* Sums over the links that form one body, i.e. are connected by fixed joints. */
typedef struct Whole {
  double mass, moment[3], inertia[3][3]; /* sums of the mass m, of m c (c: centre of mass), and of the inertia about
                                          * the origin of the body's frame */
} Whole;

/* Position and orientation of a link's frame in the frame of its body: a point x of the link is at turn x + origin. */
typedef struct Frame {
  int body; /* index of the body; -1: the fixed base */
  double turn[3][3], origin[3];
} Frame;

int making_urdf_names(const Urdf *urdf, char (*names)[LABEL_SIZE]) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
  int n = 0;
  for (int k = 0; k < urdf->n_joints; k++) {
    const UrdfJoint *joint = &urdf->joints[k];
    if (joint->motion == URDF_FIXED) continue;
    if (n == MECHANISM_MOST) return MECHANISM_MOST + 1;
    snprintf(names[n], LABEL_SIZE, "%.*s", LABEL_SIZE - 1, joint->name);
    for (char *c = names[n]; *c; c++)
      if (!strchr(letters, *c)) *c = '_'; /* - and . are replaced, since they are operators in expressions */
    n++;
  }
  return n;
}

static void times(double (*a)[3], double (*b)[3], double (*product)[3]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double sum = 0;
      for (int k = 0; k < 3; k++) sum += a[i][k] * b[k][j];
      product[i][j] = sum;
    }
}

/* Computes result = turn x + origin, the position in the frame of the body of a point x of the link. */
static void outwards(const Frame *frame, const double *x, double *result) {
  for (int i = 0; i < 3; i++) {
    double sum = frame->origin[i];
    for (int k = 0; k < 3; k++) sum += frame->turn[i][k] * x[k];
    result[i] = sum;
  }
}

/* Adds the mass, moment and inertia of a link to the sums of its body. */
static void add_link(UrdfLink *link, Frame *frame, Whole *whole) {
  double centre[3], back[3][3], part[3][3], turned[3][3], square = 0;
  outwards(frame, link->centre, centre);
  for (int i = 0; i < 9; i++) back[i / 3][i % 3] = frame->turn[i % 3][i / 3];
  times(frame->turn, link->inertia, part);
  times(part, back, turned);
  for (int i = 0; i < 3; i++) square += centre[i] * centre[i];
  whole->mass += link->mass;
  for (int i = 0; i < 3; i++) {
    whole->moment[i] += link->mass * centre[i];
    for (int j = 0; j < 3; j++)
      whole->inertia[i][j] += turned[i][j] + link->mass * ((i == j) * square - centre[i] * centre[j]);
  }
}

/* Returns the frame of a joint, relative to the frame of the body to which its parent link belongs. */
static Frame joint_frame(UrdfJoint *joint, Frame *parent) {
  Frame frame = {.body = parent->body};
  times(parent->turn, joint->turn, frame.turn);
  outwards(parent, joint->origin, frame.origin);
  return frame;
}

static void set_body(Graph *graph, const UrdfJoint *joint, const Frame *frame, const Whole *whole,
                     MechanismBody *body) {
  double centre[3] = {0}, square = 0;
  *body = (MechanismBody){.parent = frame->body,
                          .slides = joint->motion == URDF_SLIDES,
                          .mass = graph_number(graph, whole->mass),
                          .armature = graph_number(graph, 0)};
  memcpy(body->axis, joint->axis, sizeof body->axis);
  memcpy(body->turn, frame->turn, sizeof body->turn);
  for (int i = 0; i < 3 && whole->mass > 0; i++) centre[i] = whole->moment[i] / whole->mass;
  for (int i = 0; i < 3; i++) square += centre[i] * centre[i];
  for (int i = 0; i < 3; i++) {
    body->origin[i] = graph_number(graph, frame->origin[i]);
    body->centre[i] = graph_number(graph, centre[i]);
    for (int j = 0; j < 3; j++)
      body->inertia[i][j] =
          graph_number(graph, whole->inertia[i][j] - whole->mass * ((i == j) * square - centre[i] * centre[j]));
  }
}

/* Computes the frames of all links, the frames `held` of the movable joints, and the sums (mass, moment, inertia) of
 * the bodies [d]. */
static void find_bodies(Urdf *urdf, Frame *frames, Frame *held, Whole *wholes) {
  int next = 0;
  for (int i = 0; i < urdf->n_links; i++) frames[i] = (Frame){.body = -1, .turn = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  for (int k = 0; k < urdf->n_joints; k++) {
    UrdfJoint *joint = &urdf->joints[k];
    Frame frame = joint_frame(joint, &frames[joint->parent]);
    if (joint->motion == URDF_FIXED) {
      frames[joint->child] = frame;
    } else {
      held[next] = frame;
      frames[joint->child].body = next++;
    }
  }
  for (int i = 0; i < urdf->n_links; i++)
    if (frames[i].body >= 0) add_link(&urdf->links[i], &frames[i], &wholes[frames[i].body]);
}

/* Adds the origins of all links, so that points of the problem file can refer to them. frames: [urdf->n_links]. */
static void add_origins(Making *making, const Urdf *urdf, const Frame *frames, const MechanismBody *bodies) {
  for (int k = 0; k < urdf->n_links; k++) {
    int origin[3];
    for (int i = 0; i < 3; i++) origin[i] = graph_number(&making->sim->graph, frames[k].origin[i]);
    making_add_link(making, bodies, frames[k].body, origin, false, urdf->links[k].name);
  }
}

void making_add_urdf(Making *making, Urdf *urdf) {
  SimMechanism *sim = making->sim;
  Diagnostics *diagnostics = making->reader->diagnostics;
  size_t d = (size_t)sim->d;
  Frame *frames = diagnostics_calloc(diagnostics, (size_t)urdf->n_links + d, sizeof *frames), *held = NULL;
  Whole *wholes = diagnostics_calloc(diagnostics, d, sizeof *wholes);
  MechanismBody *bodies = diagnostics_calloc(diagnostics, d, sizeof *bodies);
  MechanismJoint *joints = making->made->joints = diagnostics_calloc(diagnostics, d, sizeof *joints);
  const double gravity[3] = {0, 0, -making->gravity};
  bool good = frames && wholes && bodies && joints;
  if (good) held = frames + urdf->n_links;
  if (good) find_bodies(urdf, frames, held, wholes);
  for (int k = 0, i = 0; good && k < urdf->n_joints; k++) {
    const UrdfJoint *joint = &urdf->joints[k];
    if (joint->motion == URDF_FIXED) continue;
    set_body(&sim->graph, joint, &held[i], &wholes[i], &bodies[i]);
    joints[i++] =
        (MechanismJoint){joint->damping, joint->friction, joint->effort, joint->speed, joint->lower, joint->upper};
  }
  if (good && !mechanism_add_tree(sim, bodies, gravity)) diagnostics->no_memory = true;
  if (good) making_draw_tree(making, bodies, NULL, false);
  if (good) add_origins(making, urdf, frames, bodies);
  free(frames);
  free(wholes);
  free(bodies);
}

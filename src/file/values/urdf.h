/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads robots from URDF files: a tree of links, which are connected by joints. The elements inertial, origin, axis,
 * dynamics and limit are read. Shapes, materials and elements for simulators are ignored. */
#ifndef SRC_URDF_H
#define SRC_URDF_H

#include "src/base/diagnostics.h"

typedef enum UrdfMotion { URDF_FIXED, URDF_TURNS, URDF_SLIDES } UrdfMotion;

typedef struct UrdfLink {
  char *name; /* owned */
  double mass;
  double centre[3];     /* position of the centre of mass in the link's frame, in m */
  double inertia[3][3]; /* moments of inertia about the centre of mass, in the link's frame, in kg m^2 */
  int joint;            /* index of the joint that holds the link; -1: the link is the root */
} UrdfLink;

typedef struct UrdfJoint {
  char *name; /* owned */
  UrdfMotion motion;
  int parent, child;    /* indices of the links that the joint connects */
  double origin[3];     /* origin of the child link's frame, in the parent's frame, in m */
  double turn[3][3];    /* rotation matrix: its columns are the axes of the child's frame in the parent's frame */
  double axis[3];       /* unit vector of the joint's axis, in the child's frame */
  double damping;       /* coefficient of viscous friction, in N m s for a rotation or N s/m for a translation */
  double friction;      /* threshold of dry friction, in N m for a rotation or N for a translation */
  double effort, speed; /* limits of force or torque and of speed; INFINITY: none */
  double lower, upper;  /* limits of the joint's coordinate; infinite: none */
  Place place;          /* position of the joint's element in the file; place.name is borrowed from the caller's path */
} UrdfJoint;

typedef struct Urdf {
  int n_links, n_joints;
  UrdfLink *links;   /* [n_links] */
  UrdfJoint *joints; /* [n_joints] joints in the order of the file, changed so that each comes after the joint that
                      * holds its parent link */
} Urdf;

enum { URDF_LINKS_MAX = 1000 };

/* Reads a file. Returns whether it is valid. Errors are reported for the key `key` at their lines of the file; a
 * missing file is reported at `place`, the position in the problem file that names it. The caller clears *urdf in each
 * case. */
bool urdf_read(const char *path, const char *key, const Place *place, Diagnostics *diagnostics, Urdf *urdf);
void urdf_clear(Urdf *urdf);

#endif

/* Robots as URDF files: links that joints hold, a tree. Read are inertial, origin, axis, dynamics and limit; shapes, materials and
 * what simulators add are passed over. */
#ifndef SRC_URDF_H
#define SRC_URDF_H

#include "src/base/diagnostics.h"

typedef enum UrdfMotion { URDF_FIXED, URDF_TURNS, URDF_SLIDES } UrdfMotion;

typedef struct UrdfLink {
  char *name; /* owned */
  double mass;
  double centre[3];     /* of mass, in the link's frame, m */
  double inertia[3][3]; /* about the centre, in the link's frame, kg m^2 */
  int joint;            /* that holds it; -1: the root */
} UrdfLink;

typedef struct UrdfJoint {
  char *name; /* owned */
  UrdfMotion motion;
  int parent, child;    /* links */
  double origin[3];     /* of the child's frame in the parent's, m */
  double turn[3][3];    /* columns: the axes of that frame in the parent's */
  double axis[3];       /* in the child's frame, of length 1 */
  double damping;       /* viscous friction, N m s or N s/m */
  double friction;      /* dry friction, N m or N */
  double effort, speed; /* limits; INFINITY: none */
  double lower, upper;  /* of the coordinate; infinite: none */
  Place place;          /* of its element; the name is borrowed from the path given */
} UrdfJoint;

typedef struct Urdf {
  int n_links, n_joints;
  UrdfLink *links;   /* [n_links] */
  UrdfJoint *joints; /* [n_joints], each after those that hold its parent; else in the file's order */
} Urdf;

enum { URDF_LINKS_MAX = 1000 };

/* Reads a file; to be cleared, whatever is returned. Returns whether it is valid; mistakes are reported for `key`, at their lines of
 * the file, and a missing file at `place`, which refers to it. */
bool urdf_read(const char *path, const char *key, const Place *place, Diagnostics *diagnostics, Urdf *urdf);
void urdf_clear(Urdf *urdf);

#endif

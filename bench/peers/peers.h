/* SPDX-License-Identifier: BSD-2-Clause */
/* Other simulators of mechanics, and the motions that all of them compute. Each simulator has a file here and a row
 * in peers.c.
 *
 * It moves d blocks of masses m_i, each along one axis, or the joints of an arm: d rods of the length 1 m and of masses
 * m_i in a vertical plane, the first of which turns about the origin, and each other one about the end of the rod
 * before it. Position i of an arm is the angle of rod i, rad, against the rod before, of rod 0 against the horizontal;
 * the simulator itself adds the weight of the rods. Block or joint i has dry friction with the constant threshold c_i,
 * in the simulator's own form. In each step the force on the blocks, or the torque on the joints, is what `load` gives
 * for the time, positions and speeds at the start of the step. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#ifdef __cplusplus
extern "C" {
#endif

#include <stdbool.h>

enum { PEER_DOFS_MAX = 3 };
#define PEER_GRAVITY 9.81 /* m/s^2 */

/* A motion. Its file in motions/ describes it for stiction, which computes the reference by `event`. */
typedef struct PeerMotion {
  const char *name; /* name, also of the file motions/NAME.yaml */
  const char *text; /* description of the motion, for the table */
  bool arm;         /* whether it is an arm; then d = 2, and units are rad and N m in place of m and N */
  int d;
  double end; /* T, s; a multiple of 0.1 */
  /* masses, kg; thresholds, N; initial positions, m; initial speeds, m/s */
  double mass[PEER_DOFS_MAX], threshold[PEER_DOFS_MAX], x0[PEER_DOFS_MAX], v0[PEER_DOFS_MAX];
  /* computes all forces [d] except friction and the weight of an arm, N */
  void (*load)(double t, const double *x, const double *v, double *force);
  bool linear; /* whether load is linear in x and v */
} PeerMotion;
extern const PeerMotion peer_motions[];
extern const int peer_motion_count;

/* Computes the mass matrix and all forces [d] except friction in  mass x'' = force - friction.  Of an arm they include
 * its weight and centrifugal forces. */
void peer_mechanics(const PeerMotion *motion, double t, const double *x, const double *v,
                    double mass[PEER_DOFS_MAX][PEER_DOFS_MAX], double *force);

/* States of a motion at PEER_SAMPLES + 1 equally spaced instants from 0 to T. */
enum { PEER_SAMPLES = 100 };
typedef struct PeerStates {
  double x[PEER_SAMPLES + 1][PEER_DOFS_MAX]; /* positions, m or rad */
  double seconds;                            /* processor time of the steps alone, s */
} PeerStates;

/* A simulator. run: computes a motion in `steps` equal steps, a multiple of PEER_SAMPLES; returns false if it
 * cannot. */
typedef struct Peer {
  const char *name;
  const char *(*version)(void);
  bool (*run)(const PeerMotion *motion, long steps, PeerStates *states);
} Peer;

/* Returns the processor time of this process, s. */
double peer_seconds(void);

#ifdef __cplusplus
}
#endif
#endif

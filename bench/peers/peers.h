/* Other simulators of mechanics, and the motions that all of them compute. Each simulator has a file here and a row in
 * peers.c. It moves d blocks of masses m_i along one axis each. Block i has dry friction of the constant threshold c_i in
 * the simulator's own form, and at each step the force that `load` gives for the time, positions and speeds at its start. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#ifdef __cplusplus
extern "C" {
#endif

#include <stdbool.h>

enum { PEER_DOFS_MAX = 3 };

/* A motion; its file in motions/ says the same to stiction, which computes the reference by `event`. */
typedef struct PeerMotion {
  const char *name; /* of the file motions/NAME.yaml, too */
  const char *text; /* what happens */
  int d;
  double end; /* T, s; a whole number of tenths */
  double mass[PEER_DOFS_MAX], threshold[PEER_DOFS_MAX], x0[PEER_DOFS_MAX], v0[PEER_DOFS_MAX]; /* kg, N, m, m/s */
  void (*load)(double t, const double *x, const double *v, double *force); /* all forces [d] but friction, N */
  bool linear;                                                             /* load is linear in x and v */
} PeerMotion;
extern const PeerMotion peer_motions[];
extern const int peer_motion_count;

/* States of a motion at PEER_SAMPLES + 1 instants of equal distance, 0 to T. */
enum { PEER_SAMPLES = 100 };
typedef struct PeerStates {
  double x[PEER_SAMPLES + 1][PEER_DOFS_MAX]; /* m */
  double seconds;                            /* processor time of the steps alone */
} PeerStates;

/* A simulator. run: computes a motion in `steps` equal steps, a multiple of PEER_SAMPLES; returns false where it cannot. */
typedef struct Peer {
  const char *name;
  const char *(*version)(void);
  bool (*run)(const PeerMotion *motion, long steps, PeerStates *states);
} Peer;

/* Processor time of this process, s. */
double peer_seconds(void);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/peers/peers.h"

#include <math.h>
#include <string.h>

/* The friction oscillator of TOMS 968: x'' = -x - 0.4 sgn x'. It rests at -0.2 from t = 4 pi on. */
static void oscillator(double t, const double *x, const double *v, double *force) {
  (void)t, (void)v;
  force[0] = -x[0];
}

/* A block of 1 kg on an incline. Its weight along the incline is 0.9 N, which is below the friction threshold of 1 N,
 * so it stays at rest. */
static void below(double t, const double *x, const double *v, double *force) {
  (void)t, (void)x, (void)v;
  force[0] = 0.9;
}

/* The same block on a steeper incline. Its weight along the incline is 1.1 N, so it slides: x = 0.05 t^2. */
static void above(double t, const double *x, const double *v, double *force) {
  (void)t, (void)x, (void)v;
  force[0] = 1.1;
}

/* A block on a belt of 0.5 m/s is held by a spring. Coordinates move with the belt. The block sticks to the belt, slips
 * back, and sticks again. */
static void belt(double t, const double *x, const double *v, double *force) {
  (void)v;
  force[0] = -(x[0] + 0.5 * t);
}

/* Stewart's three blocks in a row. All springs and dampers have the constant 1, and the force 10 cos(pi t) acts at the
 * end. */
static void three_blocks(double t, const double *x, const double *v, double *force) {
  force[0] = -2 * x[0] + x[1] - v[0];
  force[1] = x[0] - 2 * x[1] + x[2] - v[1];
  force[2] = x[1] - x[2] - v[2] + 10 * cos(M_PI * t);
}

/* Test problem 1 of Glowinski and Kearsley without control. */
static void tp1(double t, const double *x, const double *v, double *force) {
  (void)v;
  double push = -100 * exp(-10 * t);
  force[0] = push - x[0] - x[1] / 2 - x[2] / 3;
  force[1] = push - x[0] / 2 - x[1] / 3 - x[2] / 4;
  force[2] = push - x[0] / 3 - x[1] / 4 - x[2] / 5;
}

/* Test problem 2 of Glowinski and Kearsley without control. */
static void tp2(double t, const double *x, const double *v, double *force) {
  (void)v;
  double push = -10 * sin(3 * M_PI * t / 5) * exp(-t * t);
  force[0] = push - 3 * x[0] + 2 * x[1];
  force[1] = push + 2 * x[0] - 4 * x[1] + 3 * x[2];
  force[2] = push + 3 * x[1] - 5 * x[2];
}

/* A pendulum of m l^2 = 1 kg m^2 and m g l = 9.81 N m with friction in its bearing. It ends at rest, away from the
 * vertical, where friction holds it. */
static void pendulum(double t, const double *x, const double *v, double *force) {
  (void)t, (void)v;
  force[0] = -9.81 * sin(x[0]);
}

/* An arm without motors. Friction of 21 and 5 N m holds it against its weight of 19.0 and 4.3 N m. */
static void none(double t, const double *x, const double *v, double *force) {
  (void)t, (void)x, (void)v;
  force[0] = force[1] = 0;
}

/* The same arm with a motor in its first joint. The torque breaks it away, and it comes to rest again. */
static void motor(double t, const double *x, const double *v, double *force) {
  (void)x, (void)v;
  force[0] = -4 * sin(M_PI * t / 5);
  force[1] = 0;
}

/* Computes Lagrange's equations of two rods of 1 m. */
static void arm(const PeerMotion *motion, const double *x, const double *v, double mass[PEER_DOFS_MAX][PEER_DOFS_MAX],
                double *force) {
  double m0 = motion->mass[0], m1 = motion->mass[1], bend = m1 * sin(x[1]) / 2, reach = m1 * cos(x[1]) / 2;
  double weight1 = PEER_GRAVITY * m1 * cos(x[0] + x[1]) / 2;
  mass[0][0] = m0 / 3 + m1 * 4 / 3 + 2 * reach;
  mass[0][1] = mass[1][0] = m1 / 3 + reach;
  mass[1][1] = m1 / 3;
  force[0] += bend * (2 * v[0] + v[1]) * v[1] - PEER_GRAVITY * (m0 / 2 + m1) * cos(x[0]) - weight1;
  force[1] -= bend * v[0] * v[0] + weight1;
}

void peer_mechanics(const PeerMotion *motion, double t, const double *x, const double *v,
                    double mass[PEER_DOFS_MAX][PEER_DOFS_MAX], double *force) {
  motion->load(t, x, v, force);
  if (motion->arm) {
    arm(motion, x, v, mass, force);
    return;
  }
  for (int i = 0; i < motion->d; i++) {
    memset(mass[i], 0, sizeof mass[i]);
    mass[i][i] = motion->mass[i];
  }
}

const PeerMotion peer_motions[] = {
    {"oscillator", "slides back and forth, then rests", false, 1, 20, {1}, {0.4}, {3}, {0}, oscillator, true},
    {"below", "rests on an incline", false, 1, 10, {1}, {1}, {0}, {0}, below, true},
    {"above", "slides down an incline", false, 1, 10, {1}, {1}, {0}, {0}, above, true},
    {"belt", "sticks to a belt and slips", false, 1, 20, {1}, {1}, {0}, {0}, belt, true},
    {"three-blocks",
     "three blocks in a row, pushed",
     false,
     3,
     12,
     {1, 1, 1},
     {0.3, 0.3, 0.3},
     {-1, 1, -1},
     {-1, 1, 1},
     three_blocks,
     true},
    {"tp1", "Glowinski and Kearsley's first", false, 3, 5, {4, 5, 6}, {10, 10, 10}, {1, 2, 3}, {1, 1, 1}, tp1, true},
    {"tp2", "Glowinski and Kearsley's second", false, 3, 10, {1, 2, 3}, {6, 5, 4}, {1, 3, 5}, {2, 2, 2}, tp2, true},
    {"pendulum", "swings, then rests off the vertical", false, 1, 20, {1}, {1}, {2}, {0}, pendulum, false},
    {"arm-holds", "an arm that friction holds", true, 2, 10, {1, 1}, {21, 5}, {0, 0.5}, {0, 0}, none, false},
    {"arm-slips", "the arm, moved by a motor", true, 2, 10, {1, 1}, {21, 5}, {0, 0.5}, {0, 0}, motor, false},
};
const int peer_motion_count = sizeof peer_motions / sizeof *peer_motions;

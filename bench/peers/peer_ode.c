/* SPDX-License-Identifier: BSD-2-Clause */
/* Simulates by ODE: a slider for each block, or a hinge for each joint of an arm, with a motor that brings it to
 * speed 0 with at most the force c. */
#include "bench/peers/peers.h"

#include <math.h>
#include <ode/ode.h>
#include <string.h>

/* The library does not give its version at run time, so this is the version of the package with which it was built. */
static const char *version(void) { return BENCH_ODE_VERSION; }

/* A motion in ODE. */
typedef struct Parts {
  const PeerMotion *motion;
  dWorldID world;
  dBodyID bodies[PEER_DOFS_MAX];
  dJointID joints[PEER_DOFS_MAX];
} Parts;

static void make_block(Parts *parts, int i) {
  const PeerMotion *motion = parts->motion;
  dMass mass;
  dMassSetSphereTotal(&mass, motion->mass[i], 0.1);
  dBodySetMass(parts->bodies[i], &mass);
  dBodySetPosition(parts->bodies[i], motion->x0[i], i, 0);
  dBodySetLinearVel(parts->bodies[i], motion->v0[i], 0, 0);
  dJointID slider = parts->joints[i] = dJointCreateSlider(parts->world, 0);
  dJointAttach(slider, parts->bodies[i], 0);
  dJointSetSliderAxis(slider, 1, 0, 0);
  dJointSetSliderParam(slider, dParamVel, 0);
  dJointSetSliderParam(slider, dParamFMax, motion->threshold[i]);
}

/* Makes rod i of an arm at rest. end: where the rod before it ends, x, y and angle; set to where this one ends. */
static void make_rod(Parts *parts, int i, double end[3]) {
  const PeerMotion *motion = parts->motion;
  double m = motion->mass[i], angle = end[2] + motion->x0[i];
  dMass mass;
  dMassSetParameters(&mass, m, 0, 0, 0, 1e-3, m / 12, m / 12, 0, 0, 0);
  dBodySetMass(parts->bodies[i], &mass);
  dMatrix3 turn;
  dRFromAxisAndAngle(turn, 0, 0, 1, angle);
  dBodySetRotation(parts->bodies[i], turn);
  dBodySetPosition(parts->bodies[i], end[0] + cos(angle) / 2, end[1] + sin(angle) / 2, 0);
  dJointID hinge = parts->joints[i] = dJointCreateHinge(parts->world, 0);
  dJointAttach(hinge, parts->bodies[i], i ? parts->bodies[i - 1] : 0);
  dJointSetHingeAnchor(hinge, end[0], end[1], 0);
  dJointSetHingeAxis(hinge, 0, 0, 1);
  dJointSetHingeParam(hinge, dParamVel, 0);
  dJointSetHingeParam(hinge, dParamFMax, motion->threshold[i]);
  end[0] += cos(angle);
  end[1] += sin(angle);
  end[2] = angle;
}

static void make(Parts *parts) {
  double end[3] = {0};
  parts->world = dWorldCreate();
  dWorldSetGravity(parts->world, 0, parts->motion->arm ? -PEER_GRAVITY : 0, 0);
  for (int i = 0; i < parts->motion->d; i++) {
    parts->bodies[i] = dBodyCreate(parts->world);
    if (parts->motion->arm)
      make_rod(parts, i, end);
    else
      make_block(parts, i);
  }
}

static bool run(const PeerMotion *motion, long steps, PeerStates *states) {
  int d = motion->d;
  dInitODE2(0);
  Parts parts = {.motion = motion};
  make(&parts);
  double from = peer_seconds(), step = motion->end / (double)steps;
  for (long n = 0; n <= steps; n++) {
    double x[PEER_DOFS_MAX], v[PEER_DOFS_MAX], force[PEER_DOFS_MAX];
    long every = steps / PEER_SAMPLES;
    for (int i = 0; i < d; i++) {
      if (motion->arm) { /* a hinge counts its angle from where it was made */
        x[i] = motion->x0[i] + dJointGetHingeAngle(parts.joints[i]);
        v[i] = dJointGetHingeAngleRate(parts.joints[i]);
      } else {
        x[i] = dBodyGetPosition(parts.bodies[i])[0];
        v[i] = dBodyGetLinearVel(parts.bodies[i])[0];
      }
    }
    if (n % every == 0) memcpy(states->x[n / every], x, sizeof x);
    if (n == steps) break;
    motion->load(step * (double)n, x, v, force);
    for (int i = 0; i < d; i++)
      if (motion->arm)
        dJointAddHingeTorque(parts.joints[i], force[i]);
      else
        dBodyAddForce(parts.bodies[i], force[i], 0, 0);
    dWorldStep(parts.world, step);
  }
  states->seconds = peer_seconds() - from;
  dWorldDestroy(parts.world);
  dCloseODE();
  return true;
}

const Peer peer_ode = {"ODE", version, run};

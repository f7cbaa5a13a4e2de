/* SPDX-License-Identifier: BSD-2-Clause */
/* Simulates by ODE: a slider joint for each block, with a motor that brings it to speed 0 with at most the force c. */
#include "bench/peers/peers.h"

#include <ode/ode.h>
#include <string.h>

/* The library does not give its version at run time, so this is the version of the package with which it was built. */
static const char *version(void) { return BENCH_ODE_VERSION; }

static bool run(const PeerMotion *motion, long steps, PeerStates *states) {
  int d = motion->d;
  dInitODE2(0);
  dWorldID world = dWorldCreate();
  dBodyID bodies[PEER_DOFS_MAX];
  for (int i = 0; i < d; i++) {
    dMass mass;
    bodies[i] = dBodyCreate(world);
    dMassSetSphereTotal(&mass, motion->mass[i], 0.1);
    dBodySetMass(bodies[i], &mass);
    dBodySetPosition(bodies[i], motion->x0[i], i, 0);
    dBodySetLinearVel(bodies[i], motion->v0[i], 0, 0);
    dJointID slider = dJointCreateSlider(world, 0);
    dJointAttach(slider, bodies[i], 0);
    dJointSetSliderAxis(slider, 1, 0, 0);
    dJointSetSliderParam(slider, dParamVel, 0);
    dJointSetSliderParam(slider, dParamFMax, motion->threshold[i]);
  }
  double from = peer_seconds(), step = motion->end / (double)steps;
  for (long n = 0; n <= steps; n++) {
    double x[PEER_DOFS_MAX], v[PEER_DOFS_MAX], force[PEER_DOFS_MAX];
    long every = steps / PEER_SAMPLES;
    for (int i = 0; i < d; i++) {
      x[i] = dBodyGetPosition(bodies[i])[0];
      v[i] = dBodyGetLinearVel(bodies[i])[0];
    }
    if (n % every == 0) memcpy(states->x[n / every], x, sizeof x);
    if (n == steps) break;
    motion->load(step * (double)n, x, v, force);
    for (int i = 0; i < d; i++) dBodyAddForce(bodies[i], force[i], 0, 0);
    dWorldStep(world, step);
  }
  states->seconds = peer_seconds() - from;
  dWorldDestroy(world);
  dCloseODE();
  return true;
}

const Peer peer_ode = {"ODE", version, run};

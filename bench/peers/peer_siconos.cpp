/* SPDX-License-Identifier: BSD-2-Clause */
/* Siconos: blocks that lie on the ground by their weight, each with a contact with friction of mu = c/(m g), by Moreau
 * and Jean's scheme with theta = 1/2. */
#include "bench/peers/peers.h"

#include <SiconosKernel.hpp>
#include <cmath>

/* The library gives no version at run time: that of the package it is built with. */
static const char *version() { return BENCH_SICONOS_VERSION; }

/* Sets the stiffness and damping of a motion with linear forces, which the scheme then takes implicitly. */
static void set_matrices(const PeerMotion *motion, LagrangianLinearTIDS &blocks) {
  const int d = motion->d;
  const double zero[PEER_DOFS_MAX] = {0};
  double none[PEER_DOFS_MAX], force[PEER_DOFS_MAX];
  auto stiffness = std::make_shared<SimpleMatrix>(2 * d, 2 * d), damping = std::make_shared<SimpleMatrix>(2 * d, 2 * d);
  stiffness->zero();
  damping->zero();
  motion->load(0, zero, zero, none);
  for (int j = 0; j < d; j++) {
    double unit[PEER_DOFS_MAX] = {0};
    unit[j] = 1;
    motion->load(0, unit, zero, force);
    for (int i = 0; i < d; i++) stiffness->setValue(2 * i, 2 * j, none[i] - force[i]);
    motion->load(0, zero, unit, force);
    for (int i = 0; i < d; i++) damping->setValue(2 * i, 2 * j, none[i] - force[i]);
  }
  blocks.setKPtr(stiffness);
  blocks.setCPtr(damping);
}

static bool run(const PeerMotion *motion, long steps, PeerStates *states) {
  const int d = motion->d;
  const double step = motion->end / double(steps), gravity = 9.81;
  /* Unknowns of block i: x at 2 i, height at 2 i + 1. */
  auto q = std::make_shared<SiconosVector>(2 * d), v = std::make_shared<SiconosVector>(2 * d);
  auto force = std::make_shared<SiconosVector>(2 * d);
  auto mass = std::make_shared<SimpleMatrix>(2 * d, 2 * d);
  mass->zero();
  for (int i = 0; i < d; i++) {
    q->setValue(2 * i, motion->x0[i]);
    v->setValue(2 * i, motion->v0[i]);
    force->setValue(2 * i + 1, -motion->mass[i] * gravity);
    mass->setValue(2 * i, 2 * i, motion->mass[i]);
    mass->setValue(2 * i + 1, 2 * i + 1, motion->mass[i]);
  }
  auto blocks = std::make_shared<LagrangianLinearTIDS>(q, v, mass);
  blocks->setFExtPtr(force);
  if (motion->linear) set_matrices(motion, *blocks);
  auto model = std::make_shared<NonSmoothDynamicalSystem>(0, motion->end * 2);
  model->insertDynamicalSystem(blocks);
  for (int i = 0; i < d; i++) {
    auto rows = std::make_shared<SimpleMatrix>(2, 2 * d); /* the normal direction, then the tangent */
    rows->zero();
    rows->setValue(0, 2 * i + 1, 1);
    rows->setValue(1, 2 * i, 1);
    const double mu = motion->threshold[i] / (motion->mass[i] * gravity);
    auto contact = std::make_shared<NewtonImpactFrictionNSL>(0, 0, mu, 2);
    model->link(std::make_shared<Interaction>(contact, std::make_shared<LagrangianLinearTIR>(rows)), blocks);
  }
  auto simulation =
      std::make_shared<TimeStepping>(model, std::make_shared<TimeDiscretisation>(0, step),
                                     std::make_shared<MoreauJeanOSI>(0.5), std::make_shared<FrictionContact>(2));
  simulation->initialize();
  const double from = peer_seconds();
  for (long n = 0; n <= steps; n++) {
    double x[PEER_DOFS_MAX], speed[PEER_DOFS_MAX], load[PEER_DOFS_MAX];
    for (int i = 0; i < d; i++) {
      x[i] = blocks->q()->getValue(2 * i);
      speed[i] = blocks->velocity()->getValue(2 * i);
      if (n % (steps / PEER_SAMPLES) == 0) states->x[n / (steps / PEER_SAMPLES)][i] = x[i];
    }
    if (n == steps) break;
    /* Linear forces: only their part in time is left, taken in the middle of the step. */
    const double zero[PEER_DOFS_MAX] = {0};
    if (motion->linear)
      motion->load(step * (double(n) + 0.5), zero, zero, load);
    else
      motion->load(step * double(n), x, speed, load);
    for (int i = 0; i < d; i++) force->setValue(2 * i, load[i]);
    simulation->computeOneStep();
    simulation->nextStep();
  }
  states->seconds = peer_seconds() - from;
  return true;
}

extern "C" const Peer peer_siconos = {"Siconos", version, run};

/* SPDX-License-Identifier: BSD-2-Clause */
/* Siconos: blocks that lie on the ground by their weight, each with a contact with friction of mu = c/(m g), by Moreau
 * and Jean's scheme with theta = 1/2. An arm has Lagrange's equations, and such a contact for the angle of each joint. */
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

/* Sets the part of a mass matrix that belongs to the positions. */
static void set_mass(const PeerMotion *motion, const double *x, SiconosMatrix &matrix) {
  const double rest[PEER_DOFS_MAX] = {0};
  double mass[PEER_DOFS_MAX][PEER_DOFS_MAX], force[PEER_DOFS_MAX];
  peer_mechanics(motion, 0, x, rest, mass, force);
  for (int i = 0; i < motion->d; i++)
    for (int j = 0; j < motion->d; j++) matrix.setValue(2 * i, 2 * j, mass[i][j]);
}

class Arm : public LagrangianDS {
public:
  Arm(const PeerMotion *of, SP::SiconosVector q, SP::SiconosVector v, SP::SiconosMatrix mass)
      : LagrangianDS(q, v, mass), motion(of) {
    _hasConstantMass = false;
  }
  void computeMass() override { computeMass(_q[0]); }
  void computeMass(SP::SiconosVector position) override {
    double x[PEER_DOFS_MAX];
    for (int i = 0; i < motion->d; i++) x[i] = position->getValue(2 * i);
    set_mass(motion, x, *_mass);
    _mass->resetFactorizationFlags();
  }

private:
  const PeerMotion *motion;
};

/* Makes the blocks or the arm at the start. Unknowns of block or joint i: x at 2 i, the height of its contact at
 * 2 i + 1. */
static std::shared_ptr<LagrangianDS> make(const PeerMotion *motion) {
  const int d = motion->d;
  auto q = std::make_shared<SiconosVector>(2 * d), v = std::make_shared<SiconosVector>(2 * d);
  auto force = std::make_shared<SiconosVector>(2 * d);
  auto mass = std::make_shared<SimpleMatrix>(2 * d, 2 * d);
  mass->zero();
  set_mass(motion, motion->x0, *mass);
  for (int i = 0; i < d; i++) {
    q->setValue(2 * i, motion->x0[i]);
    q->setValue(2 * i + 1, -1); /* below the ground, so that round-off opens no contact for a step */
    v->setValue(2 * i, motion->v0[i]);
    force->setValue(2 * i + 1, -motion->mass[i] * PEER_GRAVITY);
    mass->setValue(2 * i + 1, 2 * i + 1, motion->mass[i]);
  }
  std::shared_ptr<LagrangianDS> made;
  if (motion->arm)
    made = std::make_shared<Arm>(motion, q, v, mass);
  else {
    auto blocks = std::make_shared<LagrangianLinearTIDS>(q, v, mass);
    if (motion->linear) set_matrices(motion, *blocks);
    made = blocks;
  }
  made->setFExtPtr(force);
  return made;
}

static bool run(const PeerMotion *motion, long steps, PeerStates *states) {
  const int d = motion->d;
  const double step = motion->end / double(steps);
  auto blocks = make(motion);
  auto model = std::make_shared<NonSmoothDynamicalSystem>(0, motion->end * 2);
  model->insertDynamicalSystem(blocks);
  for (int i = 0; i < d; i++) {
    auto rows = std::make_shared<SimpleMatrix>(2, 2 * d); /* the normal direction, then the tangent */
    rows->zero();
    rows->setValue(0, 2 * i + 1, 1);
    rows->setValue(1, 2 * i, 1);
    const double mu = motion->threshold[i] / (motion->mass[i] * PEER_GRAVITY);
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
    double mass[PEER_DOFS_MAX][PEER_DOFS_MAX];
    if (motion->linear)
      motion->load(step * (double(n) + 0.5), zero, zero, load);
    else
      peer_mechanics(motion, step * double(n), x, speed, mass, load);
    for (int i = 0; i < d; i++) blocks->fExt()->setValue(2 * i, load[i]);
    simulation->computeOneStep();
    simulation->nextStep();
  }
  states->seconds = peer_seconds() - from;
  return true;
}

extern "C" const Peer peer_siconos = {"Siconos", version, run};

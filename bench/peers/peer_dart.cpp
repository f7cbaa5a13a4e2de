/* SPDX-License-Identifier: BSD-2-Clause */
/* DART: a prismatic joint with Coulomb friction for each block, a revolute one for each joint of an arm. */
#include "bench/peers/peers.h"

#include <dart/dart.hpp>

static const char *version() { return DART_VERSION; }

/* Adds a block, or the rod i of an arm at the rod before, with the friction of its joint. */
template <class Joint> static void add(const PeerMotion *motion, int i, dart::dynamics::Skeleton &skeleton) {
  typename Joint::Properties joint;
  dart::dynamics::BodyNode::AspectProperties body;
  joint.mName = "joint " + std::to_string(i); /* the same names again would cause messages */
  body.mName = "body " + std::to_string(i);
  auto *before = motion->arm && i ? skeleton.getBodyNode(std::size_t(i - 1)) : nullptr;
  auto pair = skeleton.createJointAndBodyNodePair<Joint>(before, joint, dart::dynamics::BodyNode::Properties(body));
  pair.first->setAxis(motion->arm ? Eigen::Vector3d::UnitZ() : Eigen::Vector3d::UnitX());
  pair.first->setCoulombFriction(0, motion->threshold[i]);
  pair.first->setPosition(0, motion->x0[i]);
  pair.first->setVelocity(0, motion->v0[i]);
  pair.second->setMass(motion->mass[i]);
  if (!motion->arm) return;
  if (before) pair.first->setTransformFromParentBodyNode(Eigen::Isometry3d(Eigen::Translation3d(1, 0, 0)));
  pair.second->setLocalCOM(Eigen::Vector3d(0.5, 0, 0));
  pair.second->setMomentOfInertia(1e-3, motion->mass[i] / 12, motion->mass[i] / 12);
}

static bool run(const PeerMotion *motion, long steps, PeerStates *states) {
  const int d = motion->d;
  const double step = motion->end / double(steps);
  auto world = dart::simulation::World::create();
  world->setGravity(motion->arm ? Eigen::Vector3d(0, -PEER_GRAVITY, 0) : Eigen::Vector3d::Zero());
  world->setTimeStep(step);
  auto blocks = dart::dynamics::Skeleton::create("blocks");
  for (int i = 0; i < d; i++)
    if (motion->arm)
      add<dart::dynamics::RevoluteJoint>(motion, i, *blocks);
    else
      add<dart::dynamics::PrismaticJoint>(motion, i, *blocks);
  world->addSkeleton(blocks);
  const double from = peer_seconds();
  for (long n = 0; n <= steps; n++) {
    double x[PEER_DOFS_MAX], v[PEER_DOFS_MAX], force[PEER_DOFS_MAX];
    for (int i = 0; i < d; i++) {
      x[i] = blocks->getPosition(std::size_t(i));
      v[i] = blocks->getVelocity(std::size_t(i));
      if (n % (steps / PEER_SAMPLES) == 0) states->x[n / (steps / PEER_SAMPLES)][i] = x[i];
    }
    if (n == steps) break;
    motion->load(step * double(n), x, v, force);
    for (int i = 0; i < d; i++) blocks->setForce(std::size_t(i), force[i]);
    world->step();
  }
  states->seconds = peer_seconds() - from;
  return true;
}

extern "C" const Peer peer_dart = {"DART", version, run};

/* SPDX-License-Identifier: BSD-2-Clause */
/* Bullet: one multibody of d blocks on prismatic joints, or of the rods of an arm on revolute joints, each joint with a
 * motor to the speed 0 of the largest impulse c dt. */
#include "bench/peers/peers.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointMotor.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <btBulletDynamicsCommon.h>
#include <memory>
#include <string>
#include <vector>

static const char *version() {
  static const std::string text = std::to_string(btGetVersion() / 100) + "." + std::to_string(btGetVersion() % 100) +
                                  (sizeof(btScalar) == sizeof(float) ? " (float)" : "");
  return text.c_str();
}

static void set_up(const PeerMotion *motion, btMultiBody &body) {
  for (int i = 0; i < motion->d; i++) {
    const btScalar mass = btScalar(motion->mass[i]);
    if (motion->arm)
      body.setupRevolute(i, mass, btVector3(btScalar(1e-3), mass / 12, mass / 12), i - 1, btQuaternion::getIdentity(),
                         btVector3(0, 0, 1), btVector3(i ? btScalar(0.5) : 0, 0, 0), btVector3(btScalar(0.5), 0, 0),
                         true);
    else
      body.setupPrismatic(i, mass, btVector3(1, 1, 1), -1, btQuaternion::getIdentity(), btVector3(1, 0, 0),
                          btVector3(0, btScalar(i), 0), btVector3(0, 0, 0), true);
  }
  body.finalizeMultiDof();
}

static bool run(const PeerMotion *motion, long steps, PeerStates *states) {
  const int d = motion->d;
  const double step = motion->end / double(steps);
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  btMultiBodyConstraintSolver solver;
  btMultiBodyDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  world.setGravity(btVector3(0, motion->arm ? btScalar(-PEER_GRAVITY) : 0, 0));

  btMultiBody body(d, 0, btVector3(0, 0, 0), true, false);
  set_up(motion, body);
  body.setLinearDamping(0);
  body.setAngularDamping(0);
  body.setMaxCoordinateVelocity(1e6);
  world.addMultiBody(&body);
  /* Motors without colliders are skipped; these meet nothing. */
  btSphereShape sphere(btScalar(0.1));
  std::vector<std::unique_ptr<btMultiBodyLinkCollider>> colliders;
  for (int i = 0; i < d; i++) {
    colliders.emplace_back(new btMultiBodyLinkCollider(&body, i));
    colliders.back()->setCollisionShape(&sphere);
    world.addCollisionObject(colliders.back().get(), 0, 0);
    body.getLink(i).m_collider = colliders.back().get();
  }
  std::vector<std::unique_ptr<btMultiBodyJointMotor>> motors;
  for (int i = 0; i < d; i++) {
    body.setJointPos(i, btScalar(motion->x0[i]));
    body.setJointVel(i, btScalar(motion->v0[i]));
    motors.emplace_back(new btMultiBodyJointMotor(&body, i, 0, 0, btScalar(motion->threshold[i] * step)));
    motors.back()->finalizeMultiDof();
    world.addMultiBodyConstraint(motors.back().get());
  }
  const double from = peer_seconds();
  for (long n = 0; n <= steps; n++) {
    double x[PEER_DOFS_MAX], v[PEER_DOFS_MAX], force[PEER_DOFS_MAX];
    for (int i = 0; i < d; i++) {
      x[i] = body.getJointPos(i);
      v[i] = body.getJointVel(i);
      if (n % (steps / PEER_SAMPLES) == 0) states->x[n / (steps / PEER_SAMPLES)][i] = x[i];
    }
    if (n == steps) break;
    motion->load(step * double(n), x, v, force);
    for (int i = 0; i < d; i++) body.addJointTorque(i, btScalar(force[i]));
    world.stepSimulation(btScalar(step), 0);
  }
  states->seconds = peer_seconds() - from;
  for (auto &motor : motors) world.removeMultiBodyConstraint(motor.get());
  for (auto &collider : colliders) world.removeCollisionObject(collider.get());
  world.removeMultiBody(&body);
  return true;
}

extern "C" const Peer peer_bullet = {"Bullet", version, run};

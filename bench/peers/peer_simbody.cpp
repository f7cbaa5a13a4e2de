/* SPDX-License-Identifier: BSD-2-Clause */
/* Simbody: each block is a ball on a slider above a half-space, pressed into it by a given depth, with Hunt and
 * Crossley's contact: friction of mu times the normal force above the transition speed, and none at rest. Pins have no
 * friction there, so those of an arm get that law as a force of the user's. Integrated by Runge and Kutta's third order
 * with fixed steps. */
#include "bench/peers/peers.h"

#include <Simbody.h>
#include <cmath>
#include <string>

using namespace SimTK;

static const char *version() {
  static std::string text;
  int major, minor, build;
  SimTK_version_simbody(&major, &minor, &build);
  text = std::to_string(major) + "." + std::to_string(minor);
  return text.c_str();
}

static const double transition = 1e-3; /* m/s or rad/s */

/* The forces of a motion, in the unknowns of the sliders or pins, and the friction of pins. */
class Load : public Force::Custom::Implementation {
public:
  explicit Load(const PeerMotion *of) : motion(of) {}
  void calcForce(const State &state, Vector_<SpatialVec> &, Vector_<Vec3> &, Vector &mobility) const override {
    double force[PEER_DOFS_MAX];
    motion->load(state.getTime(), &state.getQ()[0], &state.getU()[0], force);
    for (int i = 0; i < motion->d; i++) {
      mobility[i] += force[i];
      if (motion->arm) mobility[i] -= motion->threshold[i] * clamp(-1, state.getU()[i] / transition, 1);
    }
  }
  Real calcPotentialEnergy(const State &) const override { return 0; }

private:
  const PeerMotion *motion;
};

/* Adds the rods of an arm. */
static void add_rods(const PeerMotion *motion, SimbodyMatterSubsystem &matter, GeneralForceSubsystem &forces) {
  MobilizedBody before = matter.Ground();
  for (int i = 0; i < motion->d; i++) {
    const double m = motion->mass[i];
    Body::Rigid rod(MassProperties(m, Vec3(0.5, 0, 0), Inertia(1e-3, m / 3, m / 3)));
    before = MobilizedBody::Pin(before, Transform(Vec3(i > 0, 0, 0)), rod, Transform());
  }
  Force::UniformGravity weight(forces, matter, Vec3(0, -PEER_GRAVITY, 0));
}

/* Adds blocks on a ground with friction. */
static void add_blocks(const PeerMotion *motion, SimbodyMatterSubsystem &matter, GeneralForceSubsystem &forces,
                       GeneralContactSubsystem &contacts) {
  const double radius = 0.5, depth = 0.01, stiffness = 1e5;
  /* Hertz's force, where both bodies have this stiffness: each takes half of the depth. */
  const double normal = 4. / 3 * std::sqrt(radius) * stiffness * std::pow(depth / 2, 1.5);
  HuntCrossleyForce contact(forces, contacts, contacts.createContactSet());
  contact.setTransitionVelocity(transition);
  const ContactSetIndex set(0);
  contacts.addBody(set, matter.updGround(), ContactGeometry::HalfSpace(),
                   Transform(Rotation(-0.5 * Pi, ZAxis), Vec3(0)));
  for (int i = 0; i < motion->d; i++) {
    Body::Rigid ball(MassProperties(motion->mass[i], Vec3(0), Inertia(1)));
    MobilizedBody::Slider block(matter.Ground(), Transform(Vec3(0, radius - depth, 10 * i)), ball, Transform());
    contacts.addBody(set, block, ContactGeometry::Sphere(radius), Transform());
  }
  /* The coefficient of a pair is 2 mu_1 mu_2 / (mu_1 + mu_2): of a ground with a very large mu_1 it is 2 mu_2. */
  contact.setBodyParameters(ContactSurfaceIndex(0), stiffness, 0, 1e9, 1e9, 0);
  for (int i = 0; i < motion->d; i++) {
    const double mu = motion->threshold[i] / normal / 2;
    contact.setBodyParameters(ContactSurfaceIndex(i + 1), stiffness, 0, mu, mu, 0);
  }
}

static bool run(const PeerMotion *motion, long steps, PeerStates *states) {
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  GeneralContactSubsystem contacts(system);
  if (motion->arm)
    add_rods(motion, matter, forces);
  else
    add_blocks(motion, matter, forces, contacts);
  Force::Custom load(forces, new Load(motion));
  State state = system.realizeTopology();
  for (int i = 0; i < motion->d; i++) {
    state.updQ()[i] = motion->x0[i];
    state.updU()[i] = motion->v0[i];
  }
  RungeKutta3Integrator integrator(system);
  integrator.setFixedStepSize(motion->end / double(steps));
  TimeStepper stepper(system, integrator);
  stepper.initialize(state);
  const double from = peer_seconds();
  for (int k = 0; k <= PEER_SAMPLES; k++) {
    if (k) stepper.stepTo(motion->end * k / PEER_SAMPLES);
    for (int i = 0; i < motion->d; i++) states->x[k][i] = stepper.getState().getQ()[i];
  }
  states->seconds = peer_seconds() - from;
  return true;
}

extern "C" const Peer peer_simbody = {"Simbody", version, run};

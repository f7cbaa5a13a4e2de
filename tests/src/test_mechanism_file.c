/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests mechanisms in problem files: published numbers of a Puma 560 read from its URDF, the same arm written in
 * several ways, joints that are fixed, and echoes that read back. */
#include "tests/src/problem_text.h"

#include "src/file/model/mechanism.h"

static const char *const robot = "robot.urdf";

static void write_robot(const char *text) {
  char path[FIXTURE_PATH_SIZE];
  write_file(robot, text, strlen(text), path);
}

static void expect_near(double value, double expected, double tolerance, const char *what, int i) {
  if (!(fabs(value - expected) <= tolerance)) fail_msg("%s %d: %.17g, not %.17g", what, i, value, expected);
}

/* Corke's Robotics Toolbox, mdl_puma560: the torques by gravity (gravload) and the first row of the inertia matrix. */
static void the_puma_of_a_file_has_published_numbers(void **state) {
  (void)state;
  static const double gravity[] = {0, 31.6334, 6.0286, -0.0119, 0.0218, 0},
                      row[] = {3.6591, -0.4042, 0.1013, -0.0021, -0.0015, 0},
                      effort[] = {97.6, 186.4, 89.4, 24.2, 20.1, 21.3},
                      friction[] = {25.9836065, 10.6197775, 6.36419655, 1.06831142, 0.85444524, 0.55443978};
  char x0[] = "model.x0=[0, pi/4, -pi, 1, pi/4, 0]", *settings[] = {x0};
  Diagnostics diagnostics = {0};
  Problem p;
  assert_int_equal(problem_file_read(STICTION_ROOT "/jobs/problems/puma.yaml", settings, 1, false, &diagnostics, &p),
                   0);
  const MechanismLocal *start = &p.mechanism->start;
  for (int i = 0; i < 6; i++) {
    expect_near(start->load[i], gravity[i], 6e-5, "gravity", i);
    /* the file's armature is 0.784, for 200e-6 62.6111^2 = 0.78403 */
    expect_near(start->mass[i], row[i], 1e-4, "inertia", i);
    expect_near(start->thresholds[i], friction[i], 1e-9, "friction", i);
    expect_near(mechanism_effort(&p, i), effort[i], 1e-9, "effort", i);
  }
  problem_clear(&p);
}

/* Compares M, the loads and the sign of the energies of two problems, at their starts. */
static void expect_alike(const char *one, const char *other, double tolerance) {
  Problem a, b;
  read_good(one, NULL, &a);
  read_good(other, NULL, &b);
  const MechanismLocal *x = &a.mechanism->start, *y = &b.mechanism->start;
  int d = a.sim.d;
  assert_int_equal(d, b.sim.d);
  for (int i = 0; i < d * d; i++) expect_near(x->mass[i], y->mass[i], tolerance, "mass", i);
  for (int i = 0; i < d; i++) {
    expect_near(x->load[i], y->load[i], tolerance, "load", i);
    expect_near(x->thresholds[i], y->thresholds[i], tolerance, "threshold", i);
  }
  problem_clear(&a);
  problem_clear(&b);
}

#define TIME  "time: {end: 1, step: 0.1}\n"
#define START "  x0: {p: 0.3, q: -0.8}\n  v0: [0.7, -1.1]\n"

static void links_are_those_of_points_and_energies(void **state) {
  (void)state;
  static const char
      links[] = "model:\n  kind: mechanism\n  parameters: {L: 1.25}\n"
                "  links: {p: {length: L, mass: 2}, q: {length: 0.7, mass: 1.5, centre: 0.2, inertia: 0.04}}\n"
                "  viscous: [0.1, 0]\n  armature: {q: 0.3}\n  friction: {q: 0.1*abs(p')}\n" START TIME,
      bodies[] = "model:\n  kind: mechanism\n  coordinates: {p: rad, q: rad}\n  parameters: {L: 1.25}\n"
                 "  let: {a: p + q}\n"
                 "  bodies:\n"
                 "    upper: {mass: 2, at: [L/2*cos(p), L/2*sin(p)], inertia: 2*L^2/12, angle: p}\n"
                 "    fore: {mass: 1.5, at: [L*cos(p) + 0.2*cos(a), L*sin(p) + 0.2*sin(a)], inertia: 0.04, angle: a}\n"
                 "  kinetic: 0.3*q'^2/2\n  force: {p: -0.1*p'}\n  friction: [0, 0.1*abs(p')]\n" START TIME,
      energies[] = "model:\n  kind: mechanism\n  coordinates: {p: rad, q: rad}\n  gravity: 0\n"
                   "  kinetic: 2*1.25^2/3*p'^2/2 + 1.5*((1.25*p')^2 + (0.2*(p' + q'))^2 + 0.5*p'*(p' + q')*cos(q))/2 + "
                   "0.04*(p' + q')^2/2 + 0.15*q'^2\n"
                   "  potential: 9.81*(2*0.625*sin(p) + 1.5*(1.25*sin(p) + 0.2*sin(p + q)))\n"
                   "  viscous: {p: 0.1}\n  friction: {q: 0.1*abs(p')}\n" START TIME;
  expect_alike(links, bodies, 3e-14);
  expect_alike(links, energies, 3e-14);
}

/* A link at the end of a fixed joint moves with the body before it, as with a joint that is held at 0. */
static void fixed_joints_join_bodies(void **state) {
  (void)state;
  static const char text[] =
      "<robot name='r'>\n<link name='base'/>\n"
      "<link name='a'><inertial><origin xyz='0.1 0.2 0.3' rpy='0.3 0.2 0.1'/><mass value='2'/>"
      "<inertia ixx='0.3' iyy='0.4' izz='0.5' ixy='0.01' iyz='0.02' ixz='0.03'/></inertial></link>\n"
      "<link name='b'><inertial><origin xyz='-0.1 0.4 0.2' rpy='1 2 3'/><mass value='1.5'/>"
      "<inertia ixx='0.2' iyy='0.1' izz='0.15' ixy='-0.02'/></inertial></link>\n"
      "<link name='c'><inertial><origin xyz='0.5 0 0'/><mass value='0.7'/><inertia ixx='0.02' iyy='0.1' izz='0.1'/>"
      "</inertial></link>\n"
      "<joint name='ground' type='fixed'><parent link='base'/><child link='foot'/><origin xyz='1 2 3' rpy='0.4 0 "
      "0'/></joint>\n"
      "<link name='foot'/>\n"
      "<joint name='c' type='prismatic'><parent link='b'/><child link='c'/><origin xyz='0 0.3 0' rpy='0.5 0 1'/>"
      "<axis xyz='0 3 4'/><dynamics friction='2' damping='0.5'/><limit effort='30' lower='-1' upper='1' "
      "velocity='2'/></joint>\n"
      "<joint name='b' type='%s'><parent link='a'/><child link='b'/><origin xyz='0.2 -0.3 0.5' rpy='0.7 -0.2 1.5'/>"
      "<axis xyz='0 0 1'/></joint>\n"
      "<joint name='a' type='revolute'><parent link='foot'/><child link='a'/><origin rpy='0.1 0.9 0'/><axis xyz='1 1 "
      "0'/></joint>\n"
      "</robot>\n";
  static const char file[] = "model:\n  kind: mechanism\n  urdf: robot.urdf\n  viscous: {a: 2}\n"
                             "  x0: {a: 0.4, c: 0.2}\n  v0: {a: 1, c: -0.5}\n" TIME;
  char robots[2][4000], path[FIXTURE_PATH_SIZE];
  Problem held, joined;
  for (int k = 0; k < 2; k++) snprintf(robots[k], sizeof robots[k], text, k ? "fixed" : "continuous");
  write_robot(robots[0]);
  read_good(file, NULL, &held);
  write_robot(robots[1]);
  read_good(file, NULL, &joined);
  /* the file lists the joints a, b, c and a, c in an order in which parents come first */
  assert_string_equal(held.labels.names[1], "b");
  assert_string_equal(joined.labels.names[1], "c");
  assert_string_equal(joined.labels.position, "m or rad");
  const int of[] = {0, 2};
  const MechanismLocal *x = &held.mechanism->start, *y = &joined.mechanism->start;
  for (int i = 0; i < 2; i++) {
    for (int j = 0; j < 2; j++) expect_near(y->mass[i * 2 + j], x->mass[of[i] * 3 + of[j]], 2e-15, "mass", i * 2 + j);
    expect_near(y->load[i], x->load[of[i]], 1e-13, "load", i);
    expect_near(y->thresholds[i], i ? 2 : 0, 0, "threshold", i);
  }
  assert_true(mechanism_effort(&joined, 0) == INFINITY && mechanism_effort(&joined, 1) == 30);
  assert_true(joined.mechanism->joints[1].speed == 2 && joined.mechanism->joints[1].lower == -1);
  problem_clear(&held);
  problem_clear(&joined);
  fixture_path(directory, robot, path);
  unlink(path);
}

/* The slider of a crank has friction on a definition that depends on one coordinate, so it acts on this coordinate. */
static void friction_on_a_definition_is_on_its_coordinate(void **state) {
  (void)state;
  static const char crank[] = "model:\n  kind: mechanism\n  coordinates: {th: rad}\n  parameters: {r: 0.2, l: 0.5}\n"
                              "  let: {s: r*cos(th) + sqrt(l^2 - r^2*sin(th)^2)}\n"
                              "  kinetic: 0.01*th'^2/2 + 3*s'^2/2\n  friction: {s: 4, th: 0.5}\n"
                              "  x0: 0.9\n" TIME;
  Problem p;
  read_good(crank, NULL, &p);
  double slope = -0.2 * sin(0.9) - 0.04 * sin(0.9) * cos(0.9) / sqrt(0.25 - 0.04 * sin(0.9) * sin(0.9));
  expect_near(p.mechanism->start.thresholds[0], 0.5 + 4 * fabs(slope), 1e-15, "threshold", 0);
  expect_near(p.mechanism->start.mass[0], 0.01 + 3 * slope * slope, 1e-15, "mass", 0);
  problem_clear(&p);
}

/* The echo reads back as the same problem, to the byte. */
static void echoes_read_back(void **state) {
  (void)state;
  static const char *const files[] = {"cart-pole", "two-links", "furuta", "plate", "pendulum-coulomb", "puma"};
  for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
    char path[200];
    Diagnostics diagnostics = {0};
    Problem p, again;
    snprintf(path, sizeof path, STICTION_ROOT "/jobs/problems/%s.yaml", files[k]);
    assert_int_equal(problem_file_read(path, NULL, 0, false, &diagnostics, &p), 0);
    json_t *echo = problem_echo(&p);
    char *text = json_dumps(echo, JSON_REAL_PRECISION(17));
    read_good(text, NULL, &again);
    json_t *second = problem_echo(&again);
    if (!json_equal(echo, second)) fail_msg("%s: another echo", files[k]);
    assert_int_equal(p.sim.finalized == again.sim.finalized, 1);
    json_decref(echo);
    json_decref(second);
    free(text);
    problem_clear(&p);
    problem_clear(&again);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_puma_of_a_file_has_published_numbers),
      cmocka_unit_test(links_are_those_of_points_and_energies),
      cmocka_unit_test(fixed_joints_join_bodies),
      cmocka_unit_test(friction_on_a_definition_is_on_its_coordinate),
      cmocka_unit_test(echoes_read_back),
  };
  return cmocka_run_group_tests(tests, make_directory, remove_directory);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests both schemes of mechanisms with every pair of keys of problem files: the pair is refused with a reason, or the
 * motions of both agree, their energies close, and each key that acts on the motion changes it. */
#include "tests/src/problem_text.h"

#include "sim/core/scheme.h"

/* A key, or a group of keys that need each other. */
typedef struct Part {
  const char *name, *model, *control; /* lines of the two sections */
  const char *replaces;               /* parts of this group exclude each other; NULL: it excludes none */
  bool acts;                          /* whether it changes the motion */
} Part;

#define HAND "  points: {hand: [cos(p) + cos(p + q), sin(p) + sin(p + q)]}\n"

static const Part parts[] = {
    {.name = "none"},
    {.name = "armature", .model = "  armature: {q: 0.3}\n", .acts = true},
    {.name = "viscous", .model = "  viscous: [0.9, 0.7]\n", .acts = true},
    {.name = "force", .model = "  force: {p: 6*sin(5*t), q: -4*q*abs(q)}\n", .acts = true},
    {.name = "kinetic", .model = "  kinetic: 0.2*p'^2 + 0.1*p'*q'\n", .acts = true},
    {.name = "potential", .model = "  potential: 9*(p + 1)^2 + 3*q^4\n", .acts = true},
    {.name = "bodies",
     .model = "  bodies: {load: {mass: 0.5, at: [cos(p) + cos(p + q), sin(p) + sin(p + q)]}}\n",
     .acts = true},
    {.name = "gravity", .model = "  gravity: 3\n", .acts = true},
    {.name = "friction",
     .model = "  friction: {p: 2 + 3*p^2, q: \"0.5 + 0.5*exp(-abs(q')/0.2)\"}\n",
     .replaces = "friction",
     .acts = true},
    {.name = "no friction", .model = "  friction: 0\n", .replaces = "friction", .acts = true},
    {.name = "rigid stops",
     .model = "  stops: {lower: {q: -0.3}, upper: {q: 0.45}, restitution: {q: 0.5}}\n",
     .replaces = "stops",
     .acts = true},
    {.name = "elastic stops",
     .model = "  stops: {lower: {q: -0.3}, upper: {q: 0.45}, stiffness: {q: 90}}\n",
     .replaces = "stops",
     .acts = true},
    {.name = "start", .model = "  x0: [-1.2, 0.2]\n  v0: {q: 0.8}\n", .replaces = "start", .acts = true},
    {.name = "points", .model = HAND, .replaces = "points"},
    {.name = "lines", .model = "  lines: [[origin, p, q]]\n"},
    {.name = "signal", .control = "  signal: {kind: piecewise_constant, segments: 2}\n", .replaces = "signal"},
    {.name = "linear signal", .control = "  signal: {kind: piecewise_linear, segments: 2}\n", .replaces = "signal"},
    {.name = "one motor", .control = "  on: [q]\n  start: 1.5\n", .replaces = "on", .acts = true},
    {.name = "target at a place", .control = "  target: {position: {p: -1}}\n", .replaces = "target"},
    {.name = "target of points",
     .model = HAND,
     .control = "  target: {points: {hand: [1, null]}}\n",
     .replaces = "target"},
};
enum { PARTS = sizeof parts / sizeof *parts, STEPS = 2000, D = 2 };
static const double APART = 1e-2, NEAR = 1.5e-2;

static bool exclude(const Part *a, const Part *b) {
  bool hand = a->model && b->model && a != b && strstr(a->model, "points:") && strstr(b->model, "points:");
  return hand || (a != b && a->replaces && b->replaces && strcmp(a->replaces, b->replaces) == 0);
}

static void put(char *text, size_t size, const char *more) {
  size_t length = strlen(text);
  assert_in_range(snprintf(text + length, size - length, "%s", more ? more : ""), 0, (int)(size - length) - 1);
}

static bool replaced(const char *group, const Part *a, const Part *b) {
  return (a->replaces && strcmp(a->replaces, group) == 0) || (b->replaces && strcmp(b->replaces, group) == 0);
}

static void write_text(const Part *a, const Part *b, const char *scheme, char *text, size_t size) {
  *text = 0;
  put(text, size, "model:\n  kind: mechanism\n  links: {p: {length: 1, mass: 1}, q: {length: 1, mass: 1}}\n");
  if (!replaced("friction", a, b)) put(text, size, "  friction: [2, 0.5]\n");
  if (!replaced("start", a, b)) put(text, size, "  x0: {p: -pi/2 + 0.5}\n");
  put(text, size, a->model);
  put(text, size, a == b ? NULL : b->model);
  put(text, size, "time: {end: 1, steps: 2000}\nscheme: {name: ");
  put(text, size, scheme);
  put(text, size, "}\ncontrol:\n");
  if (!replaced("on", a, b)) put(text, size, "  start: [2, -1]\n");
  if (!replaced("target", a, b)) put(text, size, "  target: {velocity: 0}\n");
  put(text, size, a->control);
  put(text, size, a == b ? NULL : b->control);
}

static void look(void *context, const SimStep *step) {
  const SimEnergy *e = step->energy;
  double *open = context, size = fabs(e->work) + fabs(e->stored) + fabs(e->dissipated) + fabs(e->impacts) + 1;
  *open = fixture_max(*open, fabs(e->work - e->stored - e->dissipated - e->impacts - e->numerical) / size);
}

/* Computes x(T), v(T) [D] each. Returns whether the scheme takes the pair. */
static bool moves(const Part *a, const Part *b, const char *scheme, double *state) {
  char text[2000], errors[2000];
  Problem p;
  SimModel *model;
  SimWorkspace *work;
  double open = 0, u[3 * D] = {2, -1, 2, -1, 2, -1};
  write_text(a, b, scheme, text, sizeof text);
  int code = read_bytes(text, strlen(text), NULL, false, errors, &p);
  if (code) {
    if (code != EXIT_USAGE || !strstr(errors, "expected")) fail_msg("%s and %s: %s", a->name, b->name, errors);
    return false;
  }
  if (replaced("on", a, b)) u[0] = u[1] = u[2] = 1.5;
  SimFinal final = {.x = state, .v = state + D};
  assert_int_equal(stiction_model_create(&p.sim, NULL, &model), SIM_OK);
  assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
  SimStatus status = stiction_rollout(model, work, u, &(SimObserver){.context = &open, .step = look}, &final);
  if (status != SIM_OK || !(open < 1e-9))
    fail_msg("%s and %s by %s: status %d, open %g", a->name, b->name, scheme, status, open);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  problem_clear(&p);
  return true;
}

static double difference(const double *one, const double *other) {
  double off = 0;
  for (int i = 0; i < 2 * D; i++)
    off = fixture_max(off, fabs(one[i] - other[i]) / ((i < D ? 1 : 8) * (1 + fabs(other[i]))));
  return off;
}

static void every_pair_is_refused_or_right(void **state) {
  static double alone[PARTS][2 * D];
  int refused = 0, right = 0, neither = 0;
  (void)state;
  for (int a = 0; a < PARTS; a++)
    for (int b = a; b < PARTS; b++) {
      double exact[2 * D], steps[2 * D];
      if (exclude(&parts[a], &parts[b])) continue;
      bool event = moves(&parts[a], &parts[b], "event", exact), moreau = moves(&parts[a], &parts[b], "moreau", steps);
      refused += !event + !moreau;
      right += event + moreau;
      if (event && moreau && !(difference(steps, exact) < NEAR))
        fail_msg("%s and %s: the schemes differ by %g", parts[a].name, parts[b].name, difference(steps, exact));
      neither += !event && !moreau;
      const double *motion = event ? exact : steps;
      if (a == 0) memcpy(alone[b], motion, sizeof exact);
      if (a == 0 && b > 0 && parts[b].acts && !(difference(motion, alone[0]) > APART))
        fail_msg("%s does not show (%g)", parts[b].name, difference(motion, alone[0]));
    }
  print_message("%d refused, %d right\n", refused, right);
  assert_int_equal(neither, 0); /* one of the schemes takes each pair */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_pair_is_refused_or_right)};
  return cmocka_run_group_tests(tests, make_directory, remove_directory);
}

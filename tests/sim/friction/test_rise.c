/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests thresholds that depend on position or load, in every scheme: a closed form, and properties of any motion. */
#include "tests/fixture.h"

#include "sim/residual.h"

static const char *const all[] = {"moreau", "centered", "lie", "strang", "event"};
enum { ALL = sizeof all / sizeof *all, STEPPING = ALL - 1 };

/* A closed form. A mass of 1 kg on a spring of 40 N/m starts from rest at 0.5 m. Friction is 2 N plus half of the
 * spring's force, 20 |x|. Down to x = 0 the mass moves as on a spring of 20 N/m, then as on one of 60 N/m. It turns,
 * moves back as on one of 20 N/m, and rests where 40 |x| < 2 + 20 |x|. */

static const double START = 0.5, SPRING = 40, SHARE = 20, CONSTANT = 2, END = 3;

static double law(int i, double e) {
  (void)i;
  return SHARE * fabs(e);
}
static double no_force(int i, double t) {
  (void)i;
  (void)t;
  return 0;
}

typedef struct Turns {
  double first, rest; /* s */
  double turn, place; /* m */
} Turns;

static Turns closed_form(void) {
  double w = sqrt(SPRING - SHARE), fast = sqrt(SPRING + SHARE), centre = CONSTANT / (w * w), swing = START - centre;
  double down = acos(-centre / swing) / w, speed = -swing * w * sin(w * down);
  /* for a high speed the amplitude a is about CONSTANT/fast^2 */
  double a = -CONSTANT / (fast * fast), b = speed / fast;
  Turns turns = {.first = down + (atan2(b, a) + FIXTURE_PI) / fast, .turn = -a - hypot(a, b)};
  turns.place = -2 * centre - turns.turn;
  turns.rest = turns.first + FIXTURE_PI / w;
  return turns;
}

static void set_rise(SimProblem *p, SimElongation of, double range, FixtureForce *h, SimStatus expected) {
  FixtureSource source = {h, p->d};
  const SimLoad load = {.context = &source, .at = fixture_force_at};
  double where;
  assert_int_equal(stiction_problem_set_rise(p, of, p->d, &load, -range, range, 0, NULL, &where), expected);
}

static void make_block(SimProblem *p, const char *scheme, long steps, double range) {
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, 1, 0), SIM_OK);
  fixture_time(p, END, steps);
  fixture_scheme(p, scheme);
  p->system.mass[0] = 1;
  p->system.stiffness[0] = SPRING;
  p->friction[0] = CONSTANT;
  p->x0[0] = START;
  set_rise(p, SIM_OWN_PLACE, range, law, SIM_OK);
}

typedef struct Seen {
  double turn, rest, closure;
} Seen;

static void note_event(void *context, double t, int i, int slip) {
  Seen *seen = context;
  (void)i;
  if (slip > 0) seen->turn = t;
  if (slip == 0) seen->rest = t;
}

static void note_step(void *context, const SimStep *step) {
  Seen *seen = context;
  const SimEnergy *e = step->energy;
  seen->closure = fmax(seen->closure, fabs(e->work - e->stored - e->dissipated - e->numerical));
}

static void spring_that_presses(void **state) {
  (void)state;
  const Turns turns = closed_form();
  assert_true(turns.rest < END && fabs(turns.place) * (SPRING - SHARE) < CONSTANT);
  for (int k = 0; k < ALL; k++) {
    double error[2];
    for (int fine = 0; fine < 2; fine++) {
      SimProblem p;
      double x, v;
      Seen seen = {0};
      const SimObserver observer = {.context = &seen, .step = note_step, .event = note_event};
      make_block(&p, all[k], k == ALL - 1 ? 7 : fine ? 30000 : 3000, 1);
      assert_true(fabs(p.friction[0] - (CONSTANT + SHARE)) < 1e-12);
      fixture_run(&p, no_force, NULL, &observer, &x, &v);
      assert_true(seen.closure < 1e-9);
      error[fine] = fabs(x - turns.place);
      if (k < ALL - 1) continue;
      assert_true(error[fine] < 1e-10 && v == 0);
      assert_true(fabs(seen.turn - turns.first) < 1e-9 && fabs(seen.rest - turns.rest) < 1e-9);
    }
    assert_true(k == ALL - 1 || (error[1] < 1e-3 && error[1] < 0.2 * error[0]));
  }
}

/* A motion that leaves the range of the law ends there, with every scheme. */
static void range_ends_the_motion(void **state) {
  (void)state;
  for (int k = 0; k < ALL; k++) {
    SimProblem p;
    SimWorkspace *work;
    double x, v;
    SimFinal final = {.x = &x, .v = &v};
    make_block(&p, all[k], 300, 0.52);
    p.v0[0] = 2;
    SimModel *model = fixture_model(&p, no_force, &work);
    assert_int_equal(stiction_rollout(model, work, NULL, NULL, &final), SIM_OUT_OF_RANGE);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
}

static double falling(int i, double e) { return law(i, e) - 3 * CONSTANT; }
static double far_above(int i, double t) {
  (void)i;
  return 20 + sin(t);
}
static double falling_first(int i, double e) { return i == 0 ? falling(i, e) : law(i, e); }
static double jumping(int i, double e) {
  (void)i;
  return e > 0.3;
}

static void wrong_laws_are_refused(void **state) {
  (void)state;
  SimProblem p;
  make_block(&p, "moreau", 300, 1);
  set_rise(&p, SIM_OWN_PLACE, 1, falling, SIM_BAD_PROBLEM);
  assert_true(p.friction[0] == CONSTANT && p.rise.pieces == 0);
  double where;
  FixtureSource source = {far_above, 1};
  const SimLoad course = {.context = &source, .at = fixture_force_at};
  assert_int_equal(stiction_problem_set_thresholds(&p, 1, &course, 0, NULL, &where), SIM_OK);
  set_rise(&p, SIM_OWN_PLACE, 1, falling, SIM_OK); /* the law falls by less than the friction that depends on time */
  set_rise(&p, SIM_OWN_PLACE, 1, jumping, SIM_BAD_PROBLEM);
  set_rise(&p, SIM_OWN_PLACE, -1, law, SIM_BAD_ARGUMENT);
  sim_problem_clear(&p);
  assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 2, 0), SIM_OK);
  p.friction[0] = p.friction[1] = CONSTANT;
  set_rise(&p, SIM_OWN_PLACE, 1, falling_first, SIM_BAD_PROBLEM); /* the second dof also keeps its own threshold */
  assert_true(p.friction[0] == CONSTANT && p.friction[1] == CONSTANT && p.rise.pieces == 0);
  sim_problem_clear(&p);
}

/* A block rests under 2 N with thresholds 1 + 2 N forward and 3 + 2 N backward. Observed are lambda = 2/3 and that
 * force. */
static double two(int i, double e) {
  (void)i;
  (void)e;
  return 2;
}
static double load_of_two(int i, double t) {
  (void)i;
  (void)t;
  return 2;
}

typedef struct Shown {
  const SimProblem *problem;
  double lambda, force;
} Shown;

static void note_shown(void *context, const SimStep *step) {
  Shown *shown = context;
  shown->lambda = step->lambda[0];
  shown->force = stiction_friction_force(shown->problem, 0, step->t, step->x, step->slide[0], step->lambda[0]);
}

static void observers_see_the_sum(void **state) {
  (void)state;
  for (int k = 0; k < ALL; k++) {
    SimProblem p;
    double x, v;
    Shown shown = {.problem = &p};
    const SimObserver observer = {.context = &shown, .step = note_shown};
    assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 0), SIM_OK);
    fixture_time(&p, 1, 100);
    fixture_scheme(&p, all[k]);
    p.system.mass[0] = 1;
    p.by_direction = true;
    p.friction[0] = 2;
    p.friction_bias[0] = -1;
    set_rise(&p, SIM_OWN_PLACE, 1, two, SIM_OK);
    fixture_fill_force(&p, load_of_two);
    SimModel *model;
    SimWorkspace *work;
    SimFinal final = {.x = &x, .v = &v};
    assert_int_equal(stiction_problem_finalize(&p, NULL), SIM_OK);
    assert_int_equal(stiction_model_create(&p, NULL, &model), SIM_OK);
    assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
    assert_int_equal(stiction_rollout(model, work, NULL, &observer, &final), SIM_OK);
    assert_true(fabs(shown.lambda - 2.0 / 3) < 1e-9 && fabs(shown.force - 2) < 1e-8);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
}

/* Examination by `event` uses the original function of the law, and detects a different one. */
static double exact_rise(void *context, int i, double e) { return *(double *)context * law(i, e); }

static void residual_sees_the_law(void **state) {
  (void)state;
  for (int wrong = 0; wrong < 2; wrong++) {
    SimProblem p;
    SimWorkspace *work;
    double x, v, factor = wrong ? 1 + 1e-6 : 1;
    SimFinal final = {.x = &x, .v = &v};
    const SimOriginals originals = {.context = &factor, .rise = exact_rise};
    make_block(&p, "event", 30, 1);
    SimModel *model = fixture_model(&p, no_force, &work);
    assert_int_equal(sim_workspace_examine(work, &originals), SIM_OK);
    SimStatus status = stiction_rollout(model, work, NULL, NULL, &final);
    assert_int_equal(status, wrong ? SIM_RESIDUAL_LARGE : SIM_OK);
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spring_that_presses),    cmocka_unit_test(range_ends_the_motion),
      cmocka_unit_test(wrong_laws_are_refused), cmocka_unit_test(observers_see_the_sum),
      cmocka_unit_test(residual_sees_the_law),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests a spring at a natural length other than 0, where it exerts no force. A mass at rest there stays, with friction
 * without changing a bit. Its energies close, and examining the exact motion finds no error. This holds for any range
 * of the law. */
#include "sim/core/model.h"
#include "tests/sim/core/closure.h"
#include "tests/sim/friction/springs.h"

typedef enum Law { LINE, CUBE, CUBE_AND_LINE, FIFTH, EXPONENTIAL, SINE, SOFT, TAUT, GAP, LAWS } Law;
static const char *const names[] = {"a line", "a cube", "a cube and a line", "a fifth power", "an exponential",
                                    "a sine", "a root", "a taut string",     "a gap"};

/* The law with natural length `natural`. reach: half of its range. */
static struct Spring {
  Law law;
  double natural, stiffness, reach;
} spring;

static double pull(int i, double e) {
  double k = spring.stiffness, s = e - spring.natural, length = spring.reach / 40;
  (void)i;
  switch (spring.law) {
  case LINE: return k * s;
  case CUBE: return k * s * s * s;
  case CUBE_AND_LINE: return k * (s * s * s + 0.4 * s);
  case FIFTH: return k * s * s * s * s * s;
  case EXPONENTIAL: return k * length * (exp(s / length) - 1);
  case SINE: return k * length * sin(s / length);
  case SOFT: return k * s / sqrt(1 + s * s);
  case TAUT: return k * fmax(s, 0);
  case GAP: return k * (fmax(s, 0) + fmin(s + fabs(spring.natural) / 2, 0));
  case LAWS: break;
  }
  return NAN;
}

static double pull_asked(void *context, SimSpringPlace place, int k, double e) {
  (void)context, (void)place;
  return pull(k, e);
}

/* A problem and what is observed of it. */
typedef struct Rest {
  SimProblem problem;
  const char *scheme;
  bool rubs, links;
  double start; /* initial x of the first mass, m */
  bool moved;
  double fastest;
} Rest;

static void see(void *context, const SimStep *step) {
  Rest *r = context;
  for (int i = 0; i < r->problem.d; i++) {
    r->moved = r->moved || step->v[i] != 0 || step->x[i] != r->problem.x0[i];
    r->fastest = fixture_max(r->fastest, fabs(step->v[i]));
  }
}

/* Makes three masses in a row, or one, with time steps that the law allows. Returns whether the library accepts the
 * problem. It does not with time steps if the law is so steep somewhere that M is lost beside the mean stiffness. */
static bool make(Rest *r) {
  SimProblem *p = &r->problem;
  SimBounds bounds;
  double where;
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, r->links ? 3 : 1, 0), SIM_OK);
  for (int i = 0; i < p->d; i++) {
    p->system.mass[i * (p->d + 1)] = 1;
    p->friction[i] = r->rubs ? 1 : 0;
    p->x0[i] = r->links ? r->start + i * spring.natural : spring.natural;
  }
  fixture_time(p, 0.5, 50);
  fixture_scheme(p, r->scheme);
  SimStatus status = springs_set(p, r->links ? SIM_LINKS : SIM_ANCHORS, false, pull, spring.reach, &where);
  if (status != SIM_OK)
    fail_msg("%s of %g, +-%g: at %g: %s", names[spring.law], spring.natural, spring.reach, where,
             stiction_status_text(status));
  sim_problem_check(p, NULL, &bounds);
  if (p->step > bounds.spring_limit / 2 && bounds.spring_limit > 0) fixture_time(p, 25 * bounds.spring_limit, 50);
  return sim_problem_check(p, NULL, &bounds) == SIM_OK;
}

/* Returns the final speed of the masses if their positions, and 1 - 1 in the exponential, have round-off all the
 * time. */
static double speed_of_round_off(const SimProblem *p) {
  double far = fabs(p->x0[0]) + fabs(p->x0[p->d - 1]), off = 64 * DBL_EPSILON * far;
  double noise = spring.law == EXPONENTIAL ? DBL_EPSILON * spring.stiffness * spring.reach / 40 : 0;
  return p->end * 4 * (fabs(pull(0, spring.natural + off)) + fabs(pull(0, spring.natural - off)) + noise);
}

/* Runs the problem. Returns whether the motion exists. */
static bool rest(Rest *r, bool by_polynomials) {
  SimWorkspace *work;
  double x[3], v[3];
  const SimObserver observer = {.context = r, .step = see};
  const SimOriginals originals = {.spring = by_polynomials ? NULL : pull_asked};
  SimFinal final = {.x = x, .v = v};
  if (!make(r)) {
    sim_problem_clear(&r->problem);
    return false;
  }
  SimModel *model = fixture_model(&r->problem, fixture_no_force, &work);
  if (strcmp(r->scheme, "event") == 0) assert_int_equal(sim_workspace_examine(work, &originals), SIM_OK);
  r->moved = false;
  r->fastest = 0;
  stiction_rollout(model, work, NULL, &observer, &final);
  bool good = final.status == SIM_OK && (r->rubs ? !r->moved : r->fastest <= speed_of_round_off(&r->problem));
  if (!good)
    fail_msg("%s of %g m, +-%g m, %s %s by %s, from %g m: %s, v = %g of %g m/s, energy open by %g, residual %g",
             names[spring.law], spring.natural, spring.reach, r->rubs ? "rubbing" : "free",
             r->links ? "links" : "anchor", r->scheme, r->start, stiction_status_text(final.status), r->fastest,
             speed_of_round_off(&r->problem), final.closure.error, final.examined.largest);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&r->problem);
  return true;
}

static void rest_at_all_ranges(const char *scheme) {
  static const double naturals[] = {0.3, 1, -0.7, 50};
  int taken = 0, all = 0;
  for (spring.law = 0; spring.law < LAWS; spring.law++)
    for (size_t n = 0; n < sizeof naturals / sizeof *naturals; n++)
      for (double reach = 2; reach < 3e6; reach *= 100)
        for (int k = 0; k < 12; k++) {
          Rest r = {.scheme = scheme, .rubs = k % 2, .links = k / 2 % 3, .start = k / 2 % 3 == 2 ? 7.1 : 0};
          spring.natural = naturals[n];
          spring.reach = reach * fabs(naturals[n]);
          spring.stiffness = k < 6 ? 10 : 80378.98;
          taken += rest(&r, false);
          if (strcmp(scheme, "event") == 0) assert_true(rest(&r, true));
          all++;
        }
  assert_true(taken > 0.8 * all);
}

static void test_event(void **state) {
  (void)state;
  rest_at_all_ranges("event");
}
static void test_moreau(void **state) {
  (void)state;
  rest_at_all_ranges("moreau");
}
static void test_centered(void **state) {
  (void)state;
  rest_at_all_ranges("centered");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_event), cmocka_unit_test(test_moreau),
                                     cmocka_unit_test(test_centered)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

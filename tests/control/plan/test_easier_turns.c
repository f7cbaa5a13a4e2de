/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the start of a plan that rests at via points where the motion turns round. */
#include "tests/control/plan/forms.h"

#include "control/solve/easier.h"
#include "control/solve/easier_problems.h"

enum { SEGMENTS = 8, SEEN = 2 /* index of the velocity shortly after the via point */ };
static const double AT = 1.5, WAY = 0.6, SOON = 1e-9;

/* A block passes `via` at 1.5 s and ends at rest at `to` at 3 s, with the least effort. */
static void form_turn(Form *f, double via, double to) {
  form_begin(f, 1, 1, 1, 3, SEGMENTS);
  form_bound(f, 6);
  form_add(f, CTL_READ_EFFORT, 0, 0, 0, 0, CTL_ROLE_OBJECTIVE, 0);
  form_add(f, CTL_READ_MOTION, SIM_AT_TIME, 0, 1, 0, CTL_ROLE_EQUAL, via)->of.time = AT;
  form_add(f, CTL_READ_MOTION, SIM_AT_TIME, 0, 0, 1, CTL_ROLE_AT_MOST, 1e6)->of.time = AT + SOON;
  form_to(f, 0, to);
}

/* The start that easier_turns finds, from u = 0. */
typedef struct Found {
  CtlPlan *plan;
  CtlProblem problem;
  double from[SEGMENTS], point[SEGMENTS];
  int count;
  long evaluations;
} Found;

static void find(Form *f, Found *found) {
  *found = (Found){.plan = form_plan(f)};
  assert_int_equal(ctl_plan_problem(found->plan, &found->problem), SIM_OK);
  Easier e = {.plan = found->plan,
              .whole = &found->problem,
              .most = 1000000,
              .evaluations = &found->evaluations,
              .points = found->point};
  assert_int_equal(easier_turns(&e, found->from), SIM_OK);
  found->count = e.count;
}

static void close_found(Found *found) {
  ctl_problem_clear(&found->problem);
  ctl_plan_destroy(found->plan);
}

static void the_block_rests_where_it_turns(void **state) {
  (void)state;
  static Form f;
  Found found;
  CtlQuantityValue values[FORM_QUANTITIES];
  form_turn(&f, WAY, 0.2);
  find(&f, &found);
  assert_int_equal(found.count, 1);
  assert_true(found.evaluations > 1);
  assert_int_equal(ctl_plan_read(found.plan, found.point, values), SIM_OK);
  assert_true(fabs(values[1].value - WAY) < 1e-5 && fabs(values[SEEN].value) < 1e-5);
  assert_true(fabs(values[3].value - 0.2) < 1e-5 && fabs(values[4].value) < 1e-5);
  close_found(&found);
}

/* The mirror image of a plan has that of its start. */
static void a_mirror_image(void **state) {
  (void)state;
  static Form f;
  Found one, other;
  form_turn(&f, WAY, 0.2);
  find(&f, &one);
  form_turn(&f, -WAY, -0.2);
  find(&f, &other);
  assert_int_equal(one.count + other.count, 2);
  for (int k = 0; k < SEGMENTS; k++) assert_true(fabs(one.point[k] + other.point[k]) < 1e-4);
  close_found(&one);
  close_found(&other);
}

/* Where the block goes on in the same direction, or passes no point, there is nothing to search. */
static void without_a_turn(void **state) {
  (void)state;
  static Form f;
  Found found;
  for (int k = 0; k < 2; k++) {
    form_turn(&f, WAY, 1);
    if (k) f.quantity[1].role = CTL_ROLE_AT_MOST;
    find(&f, &found);
    assert_int_equal(found.count, 0);
    assert_int_equal(found.evaluations, 0);
    close_found(&found);
  }
}

/* A turn that no bounds allow gives no start. */
static void a_turn_out_of_reach(void **state) {
  (void)state;
  static Form f;
  Found found;
  form_turn(&f, 100, 0.2);
  find(&f, &found);
  assert_int_equal(found.count, 0);
  assert_true(found.evaluations > 0);
  close_found(&found);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_block_rests_where_it_turns), cmocka_unit_test(a_mirror_image),
                                     cmocka_unit_test(without_a_turn), cmocka_unit_test(a_turn_out_of_reach)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Strings and other sparse models on one rank: equal to the dense models, energy, rest, refinement, Newton's counts. */
#include "tests/string.h"

enum { D_MAX = 4096 };

typedef struct Seen {
  long n;
  int d;
  double moved;       /* largest |x - previous x| after `quiet` */
  double quiet;       /* s */
  double closure;     /* largest |work - stored - dissipated - numerical| */
  double scale;       /* largest of these energies */
  double least_loss;  /* least increase of the dissipated energy */
  double dissipated;
  double worst_lambda;
  double x[D_MAX];
} Seen;

static void see(void *context, const SimStep *step) {
  Seen *s = context;
  const SimEnergy *e = step->energy;
  s->n = step->n;
  s->closure = fmax(s->closure, fabs(e->work - e->stored - e->dissipated - e->numerical));
  s->scale = fmax(s->scale, fmax(fabs(e->work), fmax(fabs(e->stored), fabs(e->dissipated))));
  s->least_loss = fmin(s->least_loss, e->dissipated - s->dissipated);
  s->dissipated = e->dissipated;
  for (int i = 0; i < s->d; i++) {
    if (step->t > s->quiet) s->moved = fmax(s->moved, fabs(step->x[i] - s->x[i]));
    s->worst_lambda = fmax(s->worst_lambda, fabs(step->lambda[i]));
    s->x[i] = step->x[i];
  }
}

static double run(const StringCase *c, double u, Seen *seen, SimFinal *final) {
  SimProblem p;
  SimWorkspace *work;
  StringLoad load;
  string_problem(&p, c, NULL, 0, c->d, &load);
  SimModel *model = string_model(&p, &work);
  const SimObserver observer = {seen, see};
  if (seen) seen->d = c->d;
  sim_rollout(model, work, &u, seen ? &observer : NULL, final);
  sim_workspace_destroy(work);
  sim_model_destroy(model);
  sim_problem_clear(&p);
  return 0;
}

/* d = 50, all of moreau and centered x multipliers x solvers, with uneven tension and density, damping and a force. */
static void equals_dense_model(void **state) {
  (void)state;
  static const struct {
    const char *scheme;
    SimMultiplier multiplier;
    SimSolver solver;
    SimStart start;
    double theta, damping;
  } all[] = {{"moreau", SIM_UNREGULARIZED, SIM_EXACT, SIM_START_CONSISTENT, 0.5, 0},
             {"moreau", SIM_UNREGULARIZED, SIM_EXACT, SIM_START_CONSISTENT, 0.8, 0.1},
             {"moreau", SIM_UNREGULARIZED, SIM_FIXED_POINT, SIM_START_CONSISTENT, 0.5, 0},
             {"centered", SIM_UNREGULARIZED, SIM_EXACT, SIM_START_CONSISTENT, 0.5, 0},
             {"centered", SIM_UNREGULARIZED, SIM_EXACT, SIM_START_PAPER, 0.5, 0.1},
             {"centered", SIM_UNREGULARIZED, SIM_FIXED_POINT, SIM_START_CONSISTENT, 0.5, 0},
             {"centered", SIM_REGULARIZED, SIM_EXACT, SIM_START_CONSISTENT, 0.5, 0.1},
             {"centered", SIM_REGULARIZED, SIM_FIXED_POINT, SIM_START_CONSISTENT, 0.5, 0}};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    StringCase c = {.d = 50, .end = 1, .steps = 200, .scheme = all[k].scheme, .multiplier = all[k].multiplier,
                    .solver = all[k].solver, .friction = 0.3, .pluck = 0.2, .force = 0.5, .uneven = true,
                    .damping = all[k].damping};
    double x[2][50], v[2][50], u = 0.7, worst_x = 0, worst_v = 0;
    SimFinal a = {.x = x[0], .v = v[0]}, b = {.x = x[1], .v = v[1]};
    SimProblem p, dense;
    StringLoad load;
    SimWorkspace *work, *dense_work;
    string_problem(&p, &c, NULL, 0, c.d, &load);
    p.start = all[k].start;
    p.theta = all[k].theta;
    p.r = 0;
    SimModel *model = string_model(&p, &work);
    string_dense(&dense, &p);
    assert_int_equal(sim_problem_alloc_force(&dense), SIM_OK);
    for (long n = 0; n <= dense.steps; n++) string_force(&load, sim_force_time(&dense, n), dense.force + n * c.d);
    SimModel *dense_model;
    assert_int_equal(sim_model_create(&dense, NULL, &dense_model), SIM_OK);
    assert_int_equal(sim_workspace_create(dense_model, &dense_work), SIM_OK);
    assert_int_equal(sim_rollout(model, work, &u, NULL, &a), SIM_OK);
    assert_int_equal(sim_rollout(dense_model, dense_work, &u, NULL, &b), SIM_OK);
    for (int i = 0; i < c.d; i++) {
      worst_x = fmax(worst_x, fabs(x[0][i] - x[1][i]));
      worst_v = fmax(worst_v, fabs(v[0][i] - v[1][i]));
    }
    print_message("%zu: %.1e %.1e its %ld residual %.1e dense %ld %.1e\n", k, worst_x, worst_v, a.iterations, a.residual,
                  b.iterations, b.residual);
    sim_workspace_destroy(work);
    sim_model_destroy(model);
    sim_problem_clear(&p);
    sim_workspace_destroy(dense_work);
    sim_model_destroy(dense_model);
    sim_problem_clear(&dense);
  }
}

static void energy_closes(void **state) {
  (void)state;
  static const char *const schemes[] = {"moreau", "centered"};
  static Seen seen;
  for (int k = 0; k < 4; k++) {
    StringCase c = {.d = 1000, .end = 2, .steps = 500, .scheme = schemes[k % 2], .friction = 0.3, .pluck = 0.2,
                    .force = 0.5, .uneven = true, .damping = k >= 2 ? 0.05 : 0};
    static double x[1000], v[1000];
    SimFinal final = {.x = x, .v = v};
    seen = (Seen){.quiet = INFINITY};
    run(&c, 0.5, &seen, &final);
    print_message("%d status %d closure %.1e scale %.1e loss %.1e its %ld res %.1e\n", k, final.status, seen.closure, seen.scale, seen.least_loss, final.iterations, final.residual);
  }
}

static void comes_to_rest(void **state) {
  (void)state;
  static Seen seen;
  StringCase c = {.d = 1000, .end = 10, .steps = 2000, .scheme = "moreau", .friction = 0.5, .pluck = 0.2};
  static double x[1000], v[1000];
  SimFinal final = {.x = x, .v = v};
  seen = (Seen){.quiet = 5};
  run(&c, 0, &seen, &final);
  print_message("rest: moved %.3e x %.3e its %ld\n", seen.moved, x[300], final.iterations);
}

static void newton_counts(void **state) {
  (void)state;
  for (int e = 2; e <= 6; e++) for (int k = 0; k < 2; k++) {
    int d = (int)pow(10, e);
    StringCase c = {.d = d, .end = 1, .steps = k ? 100 : 200, .scheme = "moreau", .friction = 0.3, .pluck = 0.2};
    if (e==6) { c.end /= 10; c.steps /= 10; }
    double *x = calloc((size_t)d, 8), *v = calloc((size_t)d, 8);
    SimFinal final = {.x = x, .v = v};
    run(&c, 0, NULL, &final);
    print_message("d %d steps %ld: status %d newton %.2f res %.1e\n", d, c.steps, final.status, (double)final.iterations / (double)c.steps, final.residual);
    free(x); free(v);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(equals_dense_model), cmocka_unit_test(energy_closes),
                                     cmocka_unit_test(comes_to_rest), cmocka_unit_test(newton_counts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

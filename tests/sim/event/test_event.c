/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares the scheme `event` with exact and reference motions, and tests properties of any motion. */
#include "sim/core/model.h"
#include "sim/event/event.h"
#include "tests/sim/event/watch.h"

/* Compares with values of an independent event-exact integration, rtol 3e-14. */
static void papers_problems(void **state) {
  static const double u[3] = {12.020162900968497, -6.999892883404698, -9.537179063402549};
  static const double expected[3][6] = {
      {0.4471817146990943, 1.7468589677863335, 2.8875603283367375, 0, 0, 0},
      {1.9999999999911209, 4.143835394179035e-12, -1.9999999999962368, 0.6733920708861123, 0, -1.0199838382352138},
      {1.3832879484984906, 0.4484119035141093, 0.32877857552471407, 0, 0, 0}};
  static const long events[3] = {6, 6, 7};
  (void)state;
  for (int k = 0; k < 3; k++) {
    SimProblem p;
    double x[3], v[3];
    fixture_paper(&p, k < 2 ? 1 : 2, "event", SIM_UNREGULARIZED, 1);
    SimFinal final = fixture_run(&p, k < 2 ? fixture_tp1_force : fixture_tp2_force, k == 1 ? u : NULL, NULL, x, v);
    assert_int_equal(final.iterations, events[k]);
    for (int i = 0; i < 3; i++) {
      assert_near(x[i], expected[k][i], 1e-10);
      assert_near(v[i], expected[k][3 + i], 1e-10);
    }
  }
}

/* Observations of one dof. */
typedef struct Seen {
  double times[8];
  int slips[8], n;
} Seen;

static void see_event(void *context, double t, int dof, int slip) {
  Seen *seen = context;
  (void)dof;
  if (t == 0 || seen->n == 8) return;
  seen->times[seen->n] = t;
  seen->slips[seen->n++] = slip;
}

static double rising(int i, double t) {
  (void)i;
  return 3 * t;
}

/* With m = 2, c = 1.5 and f = 3 t, a block that starts at v = -1 has 2 (v + 1) = 1.5 t^2 + 1.5 t until v = 0. There 3 t
 * > c, so it reverses at once. A block at rest sticks until 3 t = c. */
static void one_block(void **state) {
  (void)state;
  for (int from_rest = 0; from_rest < 2; from_rest++) {
    SimProblem p;
    Seen seen = {.n = 0};
    const SimObserver observer = {&seen, see_step, see_event};
    double x, v;
    assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 1), SIM_OK);
    p.system.mass[0] = 2;
    p.friction[0] = 1.5;
    p.v0[0] = from_rest ? 0 : -1;
    fixture_time(&p, 2, 7);
    fixture_scheme(&p, "event");
    fixture_run(&p, rising, NULL, &observer, &x, &v);
    double turns = from_rest ? 0.5 : (sqrt(1 + 4 * 4.0 / 3) - 1) / 2, rest = 2 - turns;
    assert_int_equal(seen.n, 1);
    assert_int_equal(seen.slips[0], 1);
    assert_near(seen.times[0], turns, 1e-13);
    assert_near(v, (1.5 * (4 - turns * turns) - 1.5 * rest) / 2, 1e-12);
  }
}

/* Properties of any motion ------------------------------------------------------------------------------------ */

enum { D_MAX = 12 };
static double force_terms[D_MAX][4]; /* constant, amplitude, frequency and phase of each force */

static double random_force(int i, double t) {
  const double *term = force_terms[i];
  return term[0] + term[1] * sin(term[2] * t + term[3]);
}

static void random_forces(void *context, double t, double *f) {
  for (int i = 0; i < *(const int *)context; i++) f[i] = random_force(i, t);
}

static void add_square(uint64_t *seed, int d, double scale, bool diagonal, double *matrix) {
  double root[D_MAX * D_MAX];
  for (int i = 0; i < d * d; i++) root[i] = i / d != i % d && diagonal ? 0 : fixture_random(seed);
  for (int i = 0; i < d; i++)
    for (int j = 0; j < d; j++)
      for (int k = 0; k < d; k++) matrix[i * d + j] += scale * root[i * d + k] * root[j * d + k];
}

/* Makes a problem with thresholds over six decades, including zeros, some dofs at rest, loads at the threshold, and
 * identical dofs. */
static void random_problem(uint64_t *seed, SimProblem *p) {
  int d = 1 + (int)(event_uniform(seed) * D_MAX);
  bool alike = event_uniform(seed) < 0.1, at_threshold = event_uniform(seed) < 0.15;
  assert_int_equal(sim_problem_init(p, SIM_FRICTION, d, 1), SIM_OK);
  add_square(seed, d, 0.3, alike || event_uniform(seed) < 0.5, p->system.mass);
  if (event_uniform(seed) < 0.7) add_square(seed, d, 1, alike, p->system.stiffness);
  if (event_uniform(seed) < 0.4) add_square(seed, d, 0.2, alike, p->system.damping);
  p->system.stribeck = event_uniform(seed) < 0.5   ? SIM_STRIBECK_NONE
                       : event_uniform(seed) < 0.5 ? SIM_STRIBECK_SQRT
                                                   : SIM_STRIBECK_RAMP;
  for (int i = 0; i < d; i++) {
    double *term = force_terms[i], c = event_uniform(seed) < 0.15 ? 0 : pow(10, -3 + 6 * event_uniform(seed));
    p->friction[i] = c;
    p->x0[i] = at_threshold ? 0 : fixture_random(seed);
    p->v0[i] = at_threshold || event_uniform(seed) < 0.3 ? 0 : fixture_random(seed);
    p->system.stribeck_beta[i] = 0.05 + 0.9 * event_uniform(seed);
    p->system.stribeck_epsilon[i] = pow(10, -2 + 2 * event_uniform(seed));
    p->system.mass[i * d + i] += 0.1;
    term[0] = at_threshold ? (event_uniform(seed) < 0.5 ? -c : c) : fixture_random(seed);
    term[1] = at_threshold && event_uniform(seed) < 0.5 ? 0 : 3 * c * fixture_random(seed) + fixture_random(seed);
    term[2] = 10 * event_uniform(seed);
    term[3] = at_threshold ? 0 : 6 * event_uniform(seed);
  }
  for (int i = 1; alike && i < d; i++) {
    memcpy(force_terms[i], force_terms[0], sizeof force_terms[0]);
    double *const vectors[] = {p->friction, p->x0, p->v0, p->system.stribeck_beta, p->system.stribeck_epsilon};
    for (int k = 0; k < 5; k++) vectors[k][i] = vectors[k][0];
    p->system.mass[i * d + i] = p->system.mass[0];
    p->system.stiffness[i * d + i] = p->system.stiffness[0];
    p->system.damping[i * d + i] = p->system.damping[0];
  }
  fixture_time(p, 0.5 + 2 * event_uniform(seed), 40);
  fixture_scheme(p, "event");
}

static void mirror(SimProblem *p) {
  for (int i = 0; i < p->d; i++) {
    p->x0[i] = -p->x0[i];
    p->v0[i] = -p->v0[i];
    force_terms[i][0] = -force_terms[i][0];
    force_terms[i][1] = -force_terms[i][1];
  }
}

/* Numbers of random problems by their result. */
typedef struct Count {
  int accumulating, grazing, unsolved, open_energy, unlike, doubtful; /* of these numbers the last four are errors */
} Count;

/* Runs problem k or its mirror image. Returns its status; x, v: [d]. */
static SimStatus random_motion(uint64_t k, bool mirrored, int *d, double *x, double *v, Count *count) {
  SimProblem p;
  SimWorkspace *work;
  uint64_t seed = k * 7919;
  random_problem(&seed, &p);
  sim_problem_set(&p, "max_events", 3000);
  if (mirrored) mirror(&p);
  *d = p.d;
  SimModel *model = fixture_model(&p, random_force, &work);
  Watch watch = {.d = p.d, .friction = p.friction};
  const SimObserver observer = {&watch, check_step, NULL};
  SimFinal final = {.x = x, .v = v};
  const SimOriginals originals = {.context = d, .force = random_forces};
  assert_int_equal(sim_workspace_examine(work, &originals), SIM_OK);
  SimStatus status = stiction_rollout(model, work, NULL, &observer, &final);
  const SimResidual residual = final.examined;
  bool doubtful = status == SIM_RESIDUAL_LARGE;
  bool open = status == SIM_OK && !(watch.closing <= 1e-9 * fmax(watch.scale, 1e-3));
  bool unsolved = status != SIM_OK && status != SIM_EVENTS_ACCUMULATE;
  if (open) print_message("problem %d: energy closes to %g of %g\n", (int)k, watch.closing, watch.scale);
  if (doubtful)
    print_message("problem %d: residual %g of %s at %g\n", (int)k, residual.largest, sim_residual_text(residual.of),
                  residual.time);
  count->doubtful += doubtful;
  if (unsolved) print_message("problem %d: %s\n", (int)k, stiction_status_text(status));
  count->open_energy += open;
  count->unsolved += unsolved;
  count->accumulating += status == SIM_EVENTS_ACCUMULATE;
  count->grazing += status == SIM_OK && ((const EventMotion *)work->own)->at.grazes > 0;
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
  return status;
}

/* Energies close, |lambda| <= 1, dofs that stick do not move, and the mirrored motion has the same bits. The variable
 * STICTION_MOTIONS sets the number of problems. */
static void random_motions(void **state) {
  const char *wanted = getenv("STICTION_MOTIONS");
  long problems = wanted ? atol(wanted) : 500;
  Count count = {0}, ignored = {0};
  (void)state;
  assert_true(problems > 0);
  for (uint64_t k = 1; k <= (uint64_t)problems; k++) {
    double x[2][D_MAX], v[2][D_MAX];
    int d;
    SimStatus status = random_motion(k, false, &d, x[0], v[0], &count);
    bool unlike = random_motion(k, true, &d, x[1], v[1], &ignored) != status;
    for (int i = 0; i < d && status == SIM_OK; i++) unlike = unlike || x[0][i] != -x[1][i] || v[0][i] != -v[1][i];
    if (unlike) print_message("problem %d: its mirror image moves otherwise\n", (int)k);
    count.unlike += unlike;
  }
  print_message(
      "%ld random problems: events of %d accumulate, %d graze a threshold; %d unsolved, energy of %d does not "
      "close, residuals of %d are large, mirror images of %d move otherwise\n",
      problems, count.accumulating, count.grazing, count.unsolved, count.open_energy, count.doubtful, count.unlike);
  assert_int_equal(count.unsolved + count.open_energy + count.doubtful + count.unlike, 0);
  /* in these problems thresholds are reached exactly, so that events accumulate */
  assert_in_range(count.accumulating, 0, problems / 100);
}

/* `moreau` converges with the step to the motion by `event`. */
static void grids_approach(void **state) {
  (void)state;
  for (uint64_t k = 1; k <= 6; k++) {
    double x[3][D_MAX], v[D_MAX], error[2] = {0};
    int d = 0;
    for (int run_of = 0; run_of < 3; run_of++) {
      SimProblem p;
      uint64_t seed = k * 104729;
      do random_problem(&seed, &p);
      while ((p.d < 2 || p.d > 8) && (sim_problem_clear(&p), true));
      d = p.d;
      if (run_of < 2) {
        fixture_time(&p, p.end, run_of ? 32000 : 2000);
        fixture_scheme(&p, "moreau");
        fixture_run(&p, random_force, NULL, NULL, x[run_of], v);
      } else {
        fixture_run(&p, random_force, NULL, NULL, x[2], v);
      }
    }
    for (int i = 0; i < d; i++)
      for (int j = 0; j < 2; j++) error[j] = fmax(error[j], fabs(x[j][i] - x[2][i]));
    if (!(error[1] <= error[0] / 6 + 1e-9)) fail_msg("system %d: %g, then %g", (int)k, error[0], error[1]);
  }
}

/* Runs from one pause to the next. Each part uses a new workspace, which gets only the saved state. */
static void run_in_pauses(const SimModel *model, const double *control, SimFinal *final) {
  const SimObserver observer = {NULL, see_step, NULL};
  long steps = model->problem.steps;
  size_t size = sim_workspace_saved_size(model);
  void *bytes = malloc(size);
  for (long n = 0; n <= steps; n++) {
    SimWorkspace *work;
    assert_int_equal(stiction_workspace_create(model, &work), SIM_OK);
    if (n == 0)
      sim_rollout_begin(model, work, control, &observer);
    else
      assert_int_equal(sim_workspace_load(model, work, bytes, size), SIM_OK);
    sim_rollout_run_to(model, work, &observer, n);
    sim_workspace_save(model, work, bytes);
    if (n == steps) assert_int_equal(sim_rollout_end(model, work, final), SIM_OK);
    stiction_workspace_destroy(work);
  }
  free(bytes);
}

/* Neither observing nor a pause nor a batch changes a bit. */
static void rows_do_not_matter_with(SimStribeck law, SimSignal signal) {
  double x[4][3], v[4][3];
  /* The batch has two controls, of which the second is used. */
  static const double two[] = {0, 0, 0, 0, 0, 0, 12, -7, -9.5, 20, 3, -30}, *control = two + 6;
  for (int k = 0; k < 3; k++) {
    SimProblem p;
    SimWorkspace *work;
    SimFinal final = {.x = x[k], .v = v[k]};
    const SimObserver observer = {NULL, see_step, NULL};
    fixture_paper(&p, 1, "event", SIM_UNREGULARIZED, 1);
    fixture_time(&p, 5, k == 0 ? 2 : 377);
    p.signal = signal;
    p.segments = signal == SIM_CONSTANT ? 1 : 2;
    p.system.stribeck = law;
    for (int i = 0; i < 3; i++) {
      p.system.stribeck_beta[i] = 0.3;
      p.system.stribeck_epsilon[i] = 0.2;
    }
    SimModel *model = fixture_model(&p, fixture_tp1_force, &work);
    if (k < 2) {
      assert_int_equal(stiction_rollout(model, work, control, k ? &observer : NULL, &final), SIM_OK);
    } else {
      run_in_pauses(model, control, &final);
      SimFinal finals[2] = {{.x = x[3], .v = v[3]}, {.x = x[3], .v = v[3]}};
      stiction_batch(model, work, 2, control - 3 * p.segments, finals);
      assert_int_equal(finals[1].status, SIM_OK);
    }
    stiction_workspace_destroy(work);
    stiction_model_destroy(model);
    sim_problem_clear(&p);
  }
  for (int k = 1; k < 4; k++) {
    assert_memory_equal(x[0], x[k], sizeof x[0]);
    assert_memory_equal(v[0], v[k], sizeof v[0]);
  }
}

static void rows_do_not_matter(void **state) {
  (void)state;
  rows_do_not_matter_with(SIM_STRIBECK_NONE, SIM_CONSTANT);
  rows_do_not_matter_with(SIM_STRIBECK_SQRT, SIM_PIECEWISE_CONSTANT);
  rows_do_not_matter_with(SIM_STRIBECK_RAMP, SIM_PIECEWISE_LINEAR);
}

/* A control that varies in time gives the same motion as a force with the same values. Jumps and kinks inside a force
 * are found. */
static void signals(void **state) {
  (void)state;
  for (event_signal = SIM_PIECEWISE_CONSTANT; event_signal <= SIM_PIECEWISE_LINEAR; event_signal++) {
    double x[2], v[2];
    for (int as_force = 0; as_force < 2; as_force++) {
      SimProblem p;
      assert_int_equal(sim_problem_init(&p, SIM_FRICTION, 1, 1), SIM_OK);
      p.system.mass[0] = 2;
      p.system.stiffness[0] = 3;
      p.friction[0] = 4;
      fixture_time(&p, 2, 16);
      fixture_scheme(&p, "event");
      event_set_signal(&p, as_force);
      fixture_run(&p, as_force ? event_signal_force : fixture_no_force, as_force ? NULL : event_signal_values, NULL,
                  &x[as_force], &v[as_force]);
    }
    assert_near(x[0], x[1], 1e-10);
    assert_near(v[0], v[1], 1e-9);
  }
}

static void too_many_events(void **state) {
  SimProblem p;
  (void)state;
  fixture_paper(&p, 1, "event", SIM_UNREGULARIZED, 1);
  event_gives_up(&p, fixture_tp1_force);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(papers_problems), cmocka_unit_test(one_block), cmocka_unit_test(random_motions),
      cmocka_unit_test(grids_approach),  cmocka_unit_test(signals),   cmocka_unit_test(rows_do_not_matter),
      cmocka_unit_test(too_many_events),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

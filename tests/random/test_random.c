/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes random valid problems, and checks what must hold for each (README.md). A problem that fails is shrunk and
 * written to a file.
 *
 *     usage: test_random [COUNT [FIRST]]     problems FIRST .. FIRST + COUNT - 1: 1 to 200
 *            test_random --write SEED        prints one of them */
#include "sim/group.h"
#include "tests/fixture.h"
#include "tests/random/invariants.h"
#include "tests/random/proof.h"
#include "tests/random/shift.h"

#include "src/process/settings.h"

#include <mpi.h>
#include <unistd.h>

static char directory[FIXTURE_DIRECTORY_SIZE], path[FIXTURE_PATH_SIZE], reason[600];

static void write_problem(const RandomKnobs *knobs, const char *name) {
  FILE *file = fopen(name, "w");
  if (!file) abort();
  random_problem(knobs, file);
  fclose(file);
}

/* Whether the last problem was refused by a limit for dofs without mass that the generator of problems does not
 * know. */
static bool bounded;

static bool names_bound(const char *text) {
  return strstr(text, "without mass (expected less than") || strstr(text, "what has no mass may stick");
}

/* Reads a problem with settings [n]. Returns false if it is refused, with the message in `reason`. */
static bool read_trial(const RandomKnobs *knobs, char *const *settings, int n, Trial *t) {
  Diagnostics found = {0};
  write_problem(knobs, path);
  *t = (Trial){.shape = random_shape(knobs, NULL)};
  int code = problem_file_read(path, settings, n, false, &found, &t->problem);
  snprintf(reason, sizeof reason, "refused: %s: %s", found.count && found.list[0].key ? found.list[0].key : "",
           found.count ? found.list[0].text : "without a word");
  bounded = found.count && names_bound(found.list[0].text);
  diagnostics_clear(&found);
  if (code) return false;
  int variables = stiction_problem_variables(&t->problem.sim);
  t->control = calloc((size_t)variables + 1, sizeof *t->control);
  for (int i = 0; i < variables && t->problem.has_control; i++)
    t->control[i] = random_rounded(&t->shape, t->shape.load * random_sign(knobs, "u", i));
  return true;
}

static void clear_trial(Trial *t) {
  free(t->control);
  problem_clear(&t->problem);
}

typedef struct Count {
  long accumulating, not_converged, proofs, wrong, bounded;
  /* grids: number of motions compared with those by time steps. undecided: number of those that were undecided on the
   * finest grid tried. */
  long grids, undecided;
} Count;

/* Grids ---------------------------------------------------------------------------------------------------------- */

/* Numbers of time steps of the grids. COARSEST: of the first; GROWS: factor from each grid to the next; JUDGED: number
 * from which on motions are judged. */
enum { COARSEST = 500, JUDGED = 8000, GROWS = 4 };
/* Limits: largest number of steps, and largest product of steps and degrees of freedom. */
static const double STEPS_MOST = 8.2e6, WORK_MOST = 2e7;
/* Largest delay of an event, in time steps of the grid with JUDGED steps. */
static const double LATE = 10;
/* Number of motions that may be undecided, in addition to one percent. In fact about one in thousands is. */
enum { UNDECIDED_MOST = 1 };
/* Number of steps. If two events are closer than this, motions by time steps may have them in another order, and then
 * continue differently. */
static const double APART = 10;

/* Results on a sequence of finer and finer grids. */
typedef struct Grids {
  const Motion *exact;
  double error[3]; /* errors on the last three grids, m, the finest first */
  double size, fast;
  long steps;
} Grids;

static const char *scheme_of_steps(const Trial *t) {
  bool massless = t->problem.sim.kind == SIM_CHAIN && t->problem.sim.chain.chain_case == SIM_CHAIN_QUASISTATIC;
  return t->shape.kind == KIND_DENSE || t->shape.kind == KIND_SPARSE ? "scheme={name: moreau}"
         : t->shape.kind == KIND_DASHPOT                             ? "scheme={name: backward_euler}"
         : massless                                                  ? "scheme={name: increment}"
                                                                     : "scheme={name: symplectic}";
}

/* Returns whether a number of steps is too small for the fastest oscillation, of angular frequency omega. With the step
 * h, until T, backward_euler multiplies its amplitude by exp(-omega^2 h T/2), as does moreau with dofs without mass.
 * The other schemes change its phase by omega^3 h^2 T/12. */
static bool is_too_fast(const SimProblem *p, double steps) {
  if (sim_problem_features(p) & SIM_HAS(MASSLESS)) return p->bounds.frequency_squared * p->end * p->end / steps > 0.1;
  const SimDashpot *d = &p->dashpot;
  if (p->kind == SIM_DASHPOT) return (d->stiffness + d->support_stiffness) / d->mass * p->end * p->end / steps > 0.1;
  double angle = sqrt(p->bounds.stiffness_max / p->bounds.mass_min) * p->end;
  return p->kind != SIM_CHAIN && angle * angle * angle / steps / steps / 12 > 0.1;
}

/* Runs one grid. Returns whether the problem accepts this number of steps. *wrong: error of the motion. */
static bool run_grid(const RandomKnobs *knobs, Grids *g, Wrong *wrong) {
  Trial grid;
  char steps[60];
  snprintf(steps, sizeof steps, "time.steps=%ld", g->steps);
  char *settings[] = {(char *)scheme_of_steps(g->exact->trial), steps};
  int d = g->exact->trial->problem.sim.d;
  /* with so few steps the motion is unstable or not resolved */
  if (!read_trial(knobs, settings, 2, &grid)) return false;
  Motion m = motion_run(&grid);
  memmove(g->error + 1, g->error, 2 * sizeof *g->error);
  g->error[0] = 0;
  for (int i = 0; i < d; i++) g->error[0] = fixture_max(g->error[0], fabs(m.state[i] - g->exact->state[i]));
  g->fast = fmax(g->fast, m.fast);
  *wrong = m.wrong;
  motion_clear(&m);
  clear_trial(&grid);
  return true;
}

static bool is_near(const Grids *g) {
  const RandomShape *shape = &g->exact->trial->shape;
  return g->error[0] <= 1e-6 * (g->size + shape->length) || g->error[0] <= LATE * g->fast * shape->end / JUDGED;
}

/* Motions by time steps must approach the motion by `event` to the required accuracy, with as many steps as that takes.
 * If the limit of work is reached before, they must be converging, or two events must be too close to tell apart. */
static Wrong check_grids(const RandomKnobs *knobs, const Motion *exact, Count *count) {
  const Trial *t = exact->trial;
  const SimProblem *p = &t->problem.sim;
  Grids g = {.exact = exact, .error = {INFINITY, INFINITY, INFINITY}, .fast = exact->fast, .steps = COARSEST};
  double most = fmin(STEPS_MOST, WORK_MOST / p->d);
  bool taken = false;
  for (int i = 0; i < p->d; i++) g.size = fmax(g.size, fabs(exact->state[i]));
  count->grids++;
  for (;; g.steps *= GROWS) {
    Wrong wrong = NULL;
    taken = run_grid(knobs, &g, &wrong);
    if (wrong) return wrong;
    if (taken && g.steps >= JUDGED && is_near(&g)) return NULL;
    if ((double)g.steps * GROWS > most) break;
  }
  if (taken && g.error[0] <= fmax(g.error[1], g.error[2]) / GROWS) return NULL;
  if (!taken || is_too_fast(p, (double)g.steps) || exact->gap < APART * t->shape.end / (double)g.steps) {
    count->undecided++;
    return NULL;
  }
  snprintf(reason, sizeof reason, "steps do not come nearer to the motion: %.2e, %.2e, %.2e of %.2e, by %ld steps",
           g.error[2], g.error[1], g.error[0], g.size, g.steps);
  return reason;
}

/* Runs the problem by `event`, if that supports it, whatever its own scheme is. */
static Wrong check_by_event(const RandomKnobs *knobs, Count *count) {
  char *settings[] = {"scheme={name: event, tolerance: 1e-12, max_events: 3000}"};
  Trial t;
  if (!read_trial(knobs, settings, 1, &t)) return NULL;
  Wrong wrong = check_proof(&t, &count->proofs);
  clear_trial(&t);
  return wrong;
}

/* Checks that the motion is the same in other units, and if it begins later. */
static Wrong check_invariance(const RandomKnobs *knobs, const Motion *plain) {
  Trial other, late;
  if (!read_trial(knobs, NULL, 0, &other)) return reason;
  Wrong wrong = check_units(plain, &other);
  clear_trial(&other);
  if (wrong) return wrong;
  if (!read_trial(knobs, NULL, 0, &other) || !read_trial(knobs, NULL, 0, &late)) return reason;
  wrong = check_shift(&other, &late);
  clear_trial(&other);
  clear_trial(&late);
  return wrong;
}

static Wrong check_all(const RandomKnobs *knobs, Count *count) {
  Trial t;
  if (!read_trial(knobs, NULL, 0, &t)) {
    count->bounded += bounded;
    return bounded ? NULL : reason;
  }
  Motion plain = motion_examined(&t);
  bool iterates = sim_problem_get(&t.problem.sim, "solver") == SIM_FIXED_POINT;
  SimStatus status = plain.final.status;
  Wrong wrong = plain.wrong;
  count->accumulating += status == SIM_EVENTS_ACCUMULATE;
  count->not_converged += status == SIM_NOT_CONVERGED && iterates;
  bool honest = status == SIM_OK || status == SIM_EVENTS_ACCUMULATE ||
                (status == SIM_OUT_OF_RANGE && trial_has_laws(&t)) || (status == SIM_NOT_CONVERGED && iterates);
  if (!honest) wrong = stiction_status_text(status);
  if (status == SIM_OK) {
    if (!wrong) wrong = check_mirror(&t, &plain);
    if (!wrong) wrong = check_invariance(knobs, &plain);
    if (!wrong) wrong = check_resume(&t, &plain);
    if (!wrong) wrong = check_kernels(&t);
    if (!wrong) wrong = check_derivatives(&t, &plain);
    if (!wrong && !strcmp(t.shape.scheme, "event")) wrong = check_grids(knobs, &plain, count);
  }
  if (!wrong && t.shape.kind == KIND_DENSE) wrong = check_by_event(knobs, count);
  motion_clear(&plain);
  clear_trial(&t);
  return wrong;
}

/* Removes the parts that a failure does not need. */
static RandomKnobs shrink(RandomKnobs knobs, Wrong first) {
  enum { ALIKE = 12 }; /* number of characters by which failures are compared */
  Count ignored = {0};
  bool smaller = true;
  while (smaller) {
    smaller = false;
    for (int k = 0; k < RANDOM_PARTS + 4; k++) {
      RandomKnobs less = knobs;
      RandomShape shape = random_shape(&knobs, NULL);
      if (k < RANDOM_PARTS) less.without |= UINT32_C(1) << k;
      if (k == RANDOM_PARTS) less.d = 1;
      if (k == RANDOM_PARTS + 1 && shape.d > 1) less.d = shape.d - 1;
      if (k == RANDOM_PARTS + 2) less.steps = (shape.steps + 1) / 2;
      if (k == RANDOM_PARTS + 3 && shape.steps > 1) less.steps = shape.steps - 1;
      RandomShape now = random_shape(&less, NULL);
      bool changed = less.without != knobs.without || now.d < shape.d || now.steps < shape.steps;
      Wrong wrong = changed ? check_all(&less, &ignored) : NULL;
      if (!wrong || strncmp(wrong, first, ALIKE) != 0) continue;
      knobs = less;
      smaller = true;
    }
  }
  return knobs;
}

static void report(const RandomKnobs *knobs, Wrong wrong) {
  char name[60], first[sizeof reason];
  Count ignored = {0};
  snprintf(first, sizeof first, "%s", wrong);
  RandomKnobs small = shrink(*knobs, first);
  Wrong left = check_all(&small, &ignored);
  snprintf(name, sizeof name, "random-%ld.yaml", (long)knobs->seed);
  printf("problem %ld: %s; %s has the least of it that goes wrong: %s\n", (long)knobs->seed, first, name,
         left ? left : "");
  write_problem(&small, name);
  fflush(stdout);
}

int main(int argc, char **argv) {
  long n = argc > 1 ? atol(argv[1]) : 200, first = argc > 2 ? atol(argv[2]) : 1;
  Count count = {0};
  RandomKnobs knobs = RANDOM_WHOLE;
  if (argc > 2 && !strcmp(argv[1], "--write")) {
    knobs.seed = (uint64_t)first;
    random_problem(&knobs, stdout);
    return 0;
  }
  MPI_Init(&argc, &argv);
  if (stiction_petsc_start(NULL) != SIM_OK || fixture_directory(directory)) return 1;
  fixture_path(directory, "problem.yaml", path);
  static const uint64_t fixed[] = {163914, 308500, 317678}; /* seeds that once failed */
  for (size_t k = 0; k < sizeof fixed / sizeof *fixed && argc < 3; k++) {
    knobs.seed = fixed[k];
    Wrong wrong = check_all(&knobs, &count);
    if (!wrong) continue;
    count.wrong++;
    report(&knobs, wrong);
  }
  for (knobs.seed = (uint64_t)first; knobs.seed < (uint64_t)(first + n); knobs.seed++) {
    Wrong wrong = check_all(&knobs, &count);
    if (!wrong) continue;
    count.wrong++;
    report(&knobs, wrong);
  }
  printf("%ld random problems from %ld on: %ld wrong; the events of %ld accumulate, fixed_point gives up %ld; %ld "
         "proofs; %ld held against steps, %ld of these undecided; %ld refused by a bound\n",
         n, first, count.wrong, count.accumulating, count.not_converged, count.proofs, count.grids, count.undecided,
         count.bounded);
  if (count.undecided > UNDECIDED_MOST + count.grids / 100) {
    printf("too many are undecided\n");
    count.wrong++;
  }
  unlink(path);
  rmdir(directory);
  return process_end(count.wrong > 0);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* bench-string measures the time per step and degree of freedom of a sliding string with 10^3 or more of them. Under
 * mpirun all ranks simulate it as one group. */
#include "bench/tools/measure.h"
#include "bench/tools/table.h"
#include "sim/group.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: bench-string [--iterations] [--quick | --full] [--csv | --markdown]        (mpirun -n R bench-string ...)\n"
    "Steps (moreau, exact, theta 1/2) of a string most of which slides; waves and fronts travel CFL nodes per\n"
    "step; the simulated time is steps CFL/(d+1).\n"
    "Nanoseconds of processor time per degree of freedom and step, the best of 5 rollouts: total, linear solves\n"
    "(with the branches found on the way), the rest of the friction problem (its check), the rest of the step;\n"
    "Newton and CG iterations per step; fraction of the dofs that slip at the end; bytes of memory per dof; and\n"
    "the time of a triad a = b + s c over 90 bytes, the minimum that a step must move, of the same length.\n"
    "--iterations  instead, Newton iterations per step if waves travel 10, 100, 1000 nodes per step: 20 steps of\n"
    "              such a string, pushed in the middle by 20 N\n"
    "--quick       only 10^3 to 10^4\n"
    "--full        to 10^7 (2.5 GB); default: to 10^6\n";

static const char *const heads[] = {"d",        "ranks",  "cfl", "steps",    "ns/dof/step", "solves",    "friction",
                                    "the rest", "Newton", "CG",  "slipping", "bytes/dof",   "triad 90 B"};
static const char *const iteration_heads[] = {"d", "theta", "10 nodes a step", "100", "1000"};
enum {
  COLUMNS = sizeof heads / sizeof *heads,
  ITERATION_COLUMNS = sizeof iteration_heads / sizeof *iteration_heads,
  ROLLOUTS = 5,
  LEAST_BYTES = 90,
  BYTES_FROM = 100000
};

typedef struct Cost {
  double total, solves, friction; /* times per dof and step, ns */
  double newton, linear;          /* iterations per step */
  double slipping;                /* fraction of the dofs that slip */
  double bytes;                   /* memory per dof, bytes */
} Cost;

/* Returns the resident memory of this process, bytes. The second number of /proc/self/statm is its number of pages. */
static double resident_bytes(void) {
  FILE *file = fopen("/proc/self/statm", "r");
  double pages = 0;
  if (file && fscanf(file, "%*f %lf", &pages) != 1) pages = 0;
  if (file) fclose(file);
  return pages * 4096;
}

static void no_complaint(void *context, const char *key, const char *text) {
  (void)context;
  fprintf(stderr, "bench-string: %s: %s\n", key, text);
}

static double *allocate_doubles(size_t n) {
  double *space = calloc(n, sizeof *space);
  if (space) return space;
  fputs("bench-string: out of memory\n", stderr);
  exit(EXIT_INTERNAL);
}

/* Makes a string of unit length, tension and density, with friction of 0.2 N/m. v0 is sin(3 pi s) with its magnitude
 * reduced by 0.3, but not below 0. pushed: a control acts around s = 1/2; otherwise there is none. */
static void make_string(SimProblem *p, SimGroup *group, int d, double cfl, long steps, double theta, bool pushed) {
  int first, count;
  sim_share(d, stiction_group_size(group), stiction_group_rank(group), &first, &count);
  double *one = allocate_doubles((size_t)count + 1), *friction = allocate_doubles((size_t)count), h = 1 / (d + 1.0);
  if (sim_problem_init_sparse(p, group, d, first, count, pushed) != SIM_OK) exit(EXIT_INTERNAL);
  for (int i = 0; i <= count; i++) one[i] = 1;
  for (int i = 0; i < count; i++) {
    friction[i] = 0.2;
    double s = (first + i + 1) * h, v = sin(3 * acos(-1) * s);
    if (pushed) p->control_matrix[i] = exp(-200 * (s - 0.5) * (s - 0.5)) * h;
    p->v0[i] = fabs(v) > 0.3 ? v - copysign(0.3, v) : 0;
  }
  if (sim_string_fill(p, 1, one, one, friction) != SIM_OK) exit(EXIT_INTERNAL);
  free(one);
  free(friction);
  p->steps = steps;
  p->step = cfl * h;
  p->end = p->step * (double)steps;
  sim_problem_set(p, "theta", theta);
}

static SimModel *open_string(SimProblem *p, SimWorkspace **work) {
  const SimReport report = {NULL, no_complaint};
  SimModel *model;
  if (stiction_problem_finalize(p, &report) != SIM_OK) exit(EXIT_INTERNAL);
  if (stiction_model_create(p, &report, &model) != SIM_OK || stiction_workspace_create(model, work) != SIM_OK)
    exit(EXIT_INTERNAL);
  return model;
}

static void close_string(SimProblem *p, SimModel *model, SimWorkspace *work, SimFinal *final) {
  free(final->x);
  free(final->v);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(p);
}

/* Measures a string. resident: memory of the process before the first string. Only one string is in memory at a time,
 * and none is larger than this one. */
static Cost measure_string(SimGroup *group, int d, double cfl, long steps, double resident) {
  double per = 1e9 / ((double)d * (double)steps);
  SimProblem p;
  SimWorkspace *work;
  Cost cost = {.total = INFINITY};
  make_string(&p, group, d, cfl, steps, 0.5, false);
  SimModel *model = open_string(&p, &work);
  SimFinal final = {.x = allocate_doubles((size_t)p.count), .v = allocate_doubles((size_t)p.count)};
  for (int k = 0; k < ROLLOUTS; k++) {
    SimProfile profile = {0};
    sim_workspace_profile(work, &profile);
    if (stiction_rollout(model, work, NULL, NULL, &final) != SIM_OK) exit(EXIT_UNSOLVED);
    if (profile.steps * per >= cost.total) continue;
    cost.total = profile.steps * per;
    cost.solves = profile.solves * per;
    cost.friction = profile.friction * per;
    cost.newton = (double) final.iterations / (double)steps;
    cost.linear = (double)profile.linear / (double)steps;
  }
  cost.bytes = d < BYTES_FROM ? NAN : (resident_bytes() - resident) / p.count;
  for (int i = 0; i < p.count; i++) cost.slipping += (final.v[i] != 0) / (double)p.count;
  close_string(&p, model, work, &final);
  return cost;
}

/* Returns the number of Newton iterations per step. */
static double count_iterations(SimGroup *group, int d, double theta, double cfl) {
  enum { STEPS = 20 };
  const double push = 20;
  SimProblem p;
  SimWorkspace *work;
  make_string(&p, group, d, cfl, STEPS, theta, true);
  SimModel *model = open_string(&p, &work);
  SimFinal final = {.x = allocate_doubles((size_t)p.count), .v = allocate_doubles((size_t)p.count)};
  if (stiction_rollout(model, work, &push, NULL, &final) != SIM_OK) exit(EXIT_UNSOLVED);
  close_string(&p, model, work, &final);
  return (double) final.iterations / STEPS;
}

static void add_iterations(TextTable *table, SimGroup *group, int d) {
  static const double thetas[] = {0.5, 0.6, 1};
  for (int k = 0; k < 3; k++) {
    text_table_number(table, "%.0f", d);
    text_table_number(table, "%g", thetas[k]);
    for (int cfl = 10; cfl <= 1000; cfl *= 10)
      text_table_number(table, "%.1f", count_iterations(group, d, thetas[k], cfl));
  }
}

/* Returns the time per byte of the loop a_i = b_i + s c_i, ns. It measures the bandwidth of the memory. */
static double time_triad(int d) {
  double *a = allocate_doubles((size_t)d), *b = allocate_doubles((size_t)d), *c = allocate_doubles((size_t)d),
         best = INFINITY;
  int repeats = 1 + 2000000 / d;
  for (int i = 0; i < d; i++) b[i] = c[i] = i;
  for (int k = 0; k < 10; k++) {
    double start = measure_seconds();
    for (int n = 0; n < repeats; n++) {
      double s = 1e-9 * n;
      for (int i = 0; i < d; i++) a[i] = b[i] + s * c[i];
      b[n % d] = a[d / 2];
    }
    best = fmin(best, (measure_seconds() - start) * 1e9 / (24.0 * d * repeats));
  }
  free(a);
  free(b);
  free(c);
  return best;
}

static void add_row(TextTable *table, SimGroup *group, int d, double cfl, double resident) {
  long steps = d > 5000000 ? 10 : d > 500000 ? 30 : d > 50000 ? 100 : 300;
  int ranks = stiction_group_size(group);
  Cost cost = measure_string(group, d, cfl, steps, resident);
  text_table_number(table, "%.0f", d);
  text_table_number(table, "%.0f", ranks);
  text_table_number(table, "%g", cfl);
  text_table_number(table, "%.0f", (double)steps);
  text_table_number(table, "%.1f", cost.total);
  text_table_number(table, "%.1f", cost.solves);
  text_table_number(table, "%.1f", cost.friction);
  text_table_number(table, "%.1f", cost.total - cost.solves - cost.friction);
  text_table_number(table, "%.2f", cost.newton);
  text_table_number(table, "%.1f", cost.linear);
  text_table_number(table, "%.3f", cost.slipping);
  text_table_number(table, "%.0f", cost.bytes);
  text_table_number(table, "%.1f", LEAST_BYTES * time_triad(d / ranks));
}

int main(int argc, char **argv) {
  TextTableForm form = TABLE_TEXT;
  int largest = 1000000;
  bool iterations = false;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--help") == 0) {
      fputs(usage, stdout);
      return EXIT_DONE;
    }
    if (strcmp(argv[i], "--quick") == 0)
      largest = 10000;
    else if (strcmp(argv[i], "--full") == 0)
      largest = 10000000;
    else if (strcmp(argv[i], "--iterations") == 0)
      iterations = true;
    else if (!table_form_option(argv[i], &form)) {
      fputs(usage, stderr);
      return EXIT_USAGE;
    }
  }
  SimGroup *group = NULL;
  if (stiction_petsc_start(NULL) != SIM_OK || stiction_group_create(MPI_COMM_WORLD, &group) != SIM_OK)
    return EXIT_INTERNAL;
  double resident = resident_bytes();
  TextTable *table = text_table_create(iterations ? ITERATION_COLUMNS : COLUMNS, iterations ? iteration_heads : heads);
  for (int d = 1000; d <= largest; d *= 10) {
    if (iterations) add_iterations(table, group, d);
    for (int k = 0; k < 2 && !iterations; k++) add_row(table, group, d, k ? 10 : 1, resident);
  }
  if (stiction_group_rank(group) == 0) table_print(table, form, stdout);
  text_table_destroy(table);
  stiction_group_destroy(group);
  stiction_petsc_stop();
  return EXIT_DONE;
}

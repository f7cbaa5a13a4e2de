/* SPDX-License-Identifier: BSD-2-Clause */
/* Makes the control paper's Table 5 and the data of its Figures 1 to 16. */
#include "bench/papers/sweeps.h"

#include <math.h>

#define PAPER "glowinski-kearsley-1995"

static const char *const problems[] = {"tp1", "tp2"}, *const controlled[] = {"no", "yes"};
enum { DOFS = 3, ROWS = 4 };

static double discrepancy(const Trace *t, const double *reference, const double *other) {
  double size = 0;
  for (long i = 0; i < (t->n + 1) * t->d; i++) size = fmax(size, fabs(reference[i]));
  return trace_farthest(t, other, reference, 0, t->d) / (1 + size);
}

void papers_discrepancy(const Trace *regularized, const Trace *unregularized, double *position, double *velocity) {
  *position = discrepancy(regularized, regularized->x, unregularized->x);
  *velocity = discrepancy(regularized, regularized->v, unregularized->v);
}

/* Row k is for test problem k/2 and control k%2. It has the discrepancies between the regularized and the unregularized
 * run: both under the regularized run's control, then each under its own; and then those of both runs from the exact
 * motion. */
enum { DISCREPANCIES = 8 };

/* Reads a run of the sweep, or the exact motion under the same control. */
static int read_run(const Papers *p, const char *sweep, int run, bool exact, Trace *trace) {
  char directory[1024], ending[64];
  snprintf(ending, sizeof ending, "/runs/%d%s", run, exact ? "/exact" : "");
  papers_path(p, sweep, ending, directory, sizeof directory);
  return trace_read(directory, trace);
}

/* Computes the rows of a problem from stored runs of one sweep: without control, and under the controls of the
 * unregularized and the regularized search. Collective; rows: set on rank 0. */
static int make_discrepancies(const Papers *p, const char *problem, double (*rows)[DISCREPANCIES]) {
  enum {
    REGULARIZED_U = 4,
    UNREGULARIZED_U = 2
  }; /* index of the first of two runs, the regularized and the
      * unregularized one */
  char name[64], controls[512];
  snprintf(name, sizeof name, "discrepancies-%s", problem);
  const PapersSweep sweep = {.name = name,
                             .problem = problem,
                             .control = "start",
                             .varies = {papers_vary_controls(p, problem, controls, sizeof controls),
                                        "scheme.multiplier=[regularized, unregularized]"},
                             .keep_exact = true};
  papers_sweep(p, &sweep);
  for (int k = 0; k < 2 && p->rank == 0; k++) {
    int run = k ? REGULARIZED_U : 0;
    Trace r, n, own, exact;
    int code = read_run(p, name, run, false, &r);
    if (!code) code = read_run(p, name, run + 1, false, &n);
    if (!code) code = read_run(p, name, (k ? UNREGULARIZED_U : 0) + 1, false, &own);
    if (!code) code = read_run(p, name, run, true, &exact);
    if (code) return code;
    papers_discrepancy(&r, &n, &rows[k][0], &rows[k][1]);
    papers_discrepancy(&r, &own, &rows[k][2], &rows[k][3]);
    papers_discrepancy(&exact, &r, &rows[k][4], &rows[k][5]);
    papers_discrepancy(&exact, &n, &rows[k][6], &rows[k][7]);
    trace_release(&r);
    trace_release(&n);
    trace_release(&own);
    trace_release(&exact);
  }
  return 0;
}

int papers_discrepancies(Papers *p, const char *argument) {
  (void)argument;
  static const char *const heads[] = {"problem",
                                      "control",
                                      "position, paper",
                                      "ours",
                                      "ratio",
                                      "remark",
                                      "velocity, paper",
                                      "ours",
                                      "ratio",
                                      "remark",
                                      "position, own u",
                                      "velocity, own u",
                                      "x_R from the motion itself",
                                      "v_R",
                                      "x_NR",
                                      "v_NR"};
  double rows[ROWS][DISCREPANCIES];
  for (int k = 0; k < ROWS; k += 2) {
    int code = make_discrepancies(p, problems[k / 2], rows + k);
    if (code) return code;
  }
  if (p->rank != 0) return 0;
  TextTable *table = text_table_create(sizeof heads / sizeof *heads, heads);
  for (int k = 0; k < ROWS; k++) {
    char name[NUMBER_NAME_SIZE];
    snprintf(name, sizeof name, "%s %s", problems[k / 2], controlled[k % 2]);
    text_table_word(table, "%s", problems[k / 2]);
    text_table_word(table, "%s", controlled[k % 2]);
    for (int i = 0; i < 2; i++) {
      double paper = numbers_find(&p->printed, PAPER, "5", name, i ? "velocity" : "position");
      text_table_number(table, "%.1e", paper);
      text_table_number(table, "%.1e", rows[k][i]);
      papers_ratio(table, rows[k][i], paper, "does not reproduce; see below");
    }
    for (int i = 2; i < DISCREPANCIES; i++) text_table_number(table, "%.1e", rows[k][i]);
  }
  papers_table(p, "table-5", table, true);
  int nearer = 0;
  for (int k = 0; k < ROWS; k++) nearer += (rows[k][6] < rows[k][4]) + (rows[k][7] < rows[k][5]);
  fprintf(p->text,
          "\nD(x_R, x_NR): the largest difference over components and instants over 1 + the largest |x_R|. Both runs "
          "under the\nregularized search's control; `own u`: each under its own. The last four columns are D of each "
          "from the event-exact motion\nunder that control: the unregularized run is the nearer one in %d of %d.\n"
          "Unexplained: (1.18) delays a jump of lambda by about epsilon = dt^(6/5) (5e-3 s, 4e-3 s), an impulse of c "
          "epsilon, so the\npositions differ by far more than 1e-7; in the study below D falls with epsilon, and is "
          "above the paper's 1e-7 even at dt^3.\n",
          nearer, 2 * ROWS);
  return 0;
}

static void write_motion(const Papers *p, int k, const Trace *r, const Trace *n, const Trace *m, const Trace *e) {
  char name[64];
  snprintf(name, sizeof name, "motion-%s-%s.csv", problems[k / 2], controlled[k % 2]);
  FILE *file = papers_open(p, name);
  const struct {
    const char *name;
    const double *values;
  } columns[] = {{"x", n->x},
                 {"v", n->v},
                 {"x_R", r->x},
                 {"v_R", r->v},
                 {"lambda_NR", n->lambda},
                 {"lambda_R", r->lambda},
                 {"lambda_M", m->lambda},
                 {"v_M", m->v},
                 {"x_E", e->x},
                 {"v_E", e->v},
                 {"lambda_E", e->lambda}};
  enum { COLUMNS = sizeof columns / sizeof *columns };
  fputs("t", file);
  for (int j = 0; j < COLUMNS; j++)
    for (int i = 0; i < DOFS; i++) fprintf(file, ",%s%d", columns[j].name, i + 1);
  for (long at = 0; at <= r->n; at++) {
    fprintf(file, "\n%.9g", (double)at * r->step);
    for (int j = 0; j < COLUMNS; j++)
      for (int i = 0; i < DOFS; i++) fprintf(file, ",%.9g", columns[j].values[at * DOFS + i]);
  }
  fputc('\n', file);
  papers_close(file, name);
}

int papers_motions(Papers *p, const char *argument) {
  (void)argument;
  if (p->rank != 0) return 0;
  for (int k = 0; k < ROWS; k++) {
    double u[DOFS];
    Trace r, n, m, e;
    papers_control(p, problems[k / 2], true, u);
    const Case unregularized = {.file = problems[k / 2], .settings = {"scheme.multiplier=unregularized"}},
               moreau = {.file = problems[k / 2], .settings = {"scheme={name: moreau}"}};
    int code = trace_make(&(Case){.file = problems[k / 2]}, 1, 1, k % 2 ? u : NULL, &r);
    if (!code) code = trace_make(&unregularized, 1, 1, k % 2 ? u : NULL, &n);
    if (!code) code = trace_make(&moreau, 1, 1, k % 2 ? u : NULL, &m);
    if (!code) code = trace_exact(problems[k / 2], NULL, 1, k % 2 ? u : NULL, &e);
    if (code) return code;
    write_motion(p, k, &r, &n, &m, &e);
    trace_release(&r);
    trace_release(&n);
    trace_release(&m);
    trace_release(&e);
  }
  fputs("Displacements, velocities and multipliers, unregularized (NR), regularized (R) of the Moreau-Jean scheme "
        "(M) "
        "and event-exact (E), which the\npaper does not have: `motion-PROBLEM-CONTROL.csv`, pictures of the same "
        "names. The paper prints no "
        "numbers with them.\n",
        p->text);
  return 0;
}

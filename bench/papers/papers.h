/* SPDX-License-Identifier: BSD-2-Clause */
/* The papers' tables and figures beside this program's results, for bench-papers.
 *
 * A part is one table or family of figures. All ranks of MPI_COMM_WORLD make each part together. The work is divided
 * into tasks, which give rows of numbers; only rank 0 writes. The numbers do not depend on the number of ranks,
 * except times. */
#ifndef BENCH_PAPERS_H
#define BENCH_PAPERS_H

#include "bench/accuracy/models.h"
#include "bench/papers/numbers.h"
#include "bench/tools/table.h"

typedef struct Papers {
  int rank;
  const char *directory;
  bool quick;      /* whether to make only a small part of everything, which takes seconds, for a test */
  Numbers printed; /* numbers printed in the papers, from papers.csv */
  FILE *text;      /* Markdown text of the current part, on rank 0 only; otherwise NULL */
} Papers;

typedef struct Part {
  const char *name;  /* name of the part's files */
  const char *title; /* title of the part's section */
  const char *argument;
  /* Makes the part. Collective. Returns 0, or an exit code after reporting errors on stderr. */
  int (*make)(Papers *papers, const char *argument);
  bool quick; /* whether the part is made with --quick, too */
} Part;

/* Make parts. argument: the problem. */
int papers_search_table(Papers *papers, const char *problem);     /* Tables 2, 4 */
int papers_simulation_table(Papers *papers, const char *problem); /* Tables 1, 3 */
int papers_discrepancies(Papers *papers, const char *argument);   /* Table 5 */
/* table that compares the method pds with sqp and auto */
int papers_search_methods(Papers *papers, const char *argument);
int papers_counts(Papers *papers, const char *argument);  /* number of points per simplex */
int papers_motions(Papers *papers, const char *argument); /* Figures 1-16 */
int papers_splitting(Papers *papers, const char *argument);
int papers_curves(Papers *papers, const char *argument);
/* Remark 4, and the statement "no spurious oscillations" */
int papers_symmetrized(Papers *papers, const char *argument);
int papers_uzawa(Papers *papers, const char *argument); /* convergence rate of the iteration (4.19)-(4.21) */
int papers_thesis(Papers *papers, const char *argument);
int papers_chains(Papers *papers, const char *argument);
int papers_study_runs(Papers *papers, const char *argument);
int papers_strong(Papers *papers, const char *argument); /* lambda in L^s */
int papers_study_controls(Papers *papers, const char *argument);

/* Fills rows [n][width], which are zero at first, on all ranks. Task k fills row k, on any free rank. A task that
 * returns other than 0 has reported an error, and the program ends with that code. Collective. */
typedef int PapersTask(void *context, int k, double *row);
void papers_tasks(int n, int width, PapersTask *task, void *context, double *rows);

/* Ends all ranks with an exit code. */
_Noreturn void papers_give_up(int code);

/* Writes the path DIRECTORY/NAMEENDING into path. */
void papers_path(const Papers *papers, const char *name, const char *ending, char *path, size_t size);

/* papers_open opens DIRECTORY/NAME for writing, on rank 0. papers_close closes it. Both end the program on failure. */
FILE *papers_open(const Papers *papers, const char *name);
void papers_close(FILE *file, const char *name);

/* Writes the table on rank 0 to NAME.csv and, if `shown`, to the text of the part; destroys the table. */
void papers_table(const Papers *papers, const char *name, TextTable *table, bool shown);

/* Writes a check and its result to the text of the part, on rank 0. The line of a failed check begins with
 * papers_fails, and the program exits with 1 at its end. */
extern const char papers_fails[];
void papers_expect(const Papers *papers, bool holds, const char *format, ...) LIKE_PRINTF(3, 4);

/* Adds the ratio ours/theirs of a result to the printed number, and a judgement: "as printed", "within 5 %", or else
 * the text `otherwise`. If theirs is NaN, adds empty cells. */
void papers_ratio(TextTable *table, double ours, double theirs, const char *otherwise);

/* A setting that gives the exact motion of any friction problem. */
#define PAPERS_EVENT "scheme={name: event, tolerance: 1e-12}"

/* A stored rollout with every `stride`-th instant. Any rank may use it alone. */
typedef struct Trace {
  int d;
  long n;                 /* index of the last instant */
  double step;            /* time between instants, s */
  double *x, *v, *lambda; /* [n+1][d]; x is the start of the block */
  long iterations;
} Trace;
int trace_make(const Case *c, long finer, long stride, const double *u, Trace *trace);
/* Computes the exact motion of a problem file, with one more setting (NULL: none), at the instants of a grid with
 * `finer` times its steps. */
int trace_exact(const char *file, const char *setting, long finer, const double *u, Trace *trace);
/* Reads trajectory.csv in a results directory. */
int trace_read(const char *directory, Trace *trace);
void trace_release(Trace *trace);

/* Return differences of two motions at the same instants. trace_farthest: the largest |a - b| over instants and the
 * components first .. first + count - 1. trace_norm: (step sum_n sum_i |a_i^n - b_i^n|^s)^(1/s) over n = 1, 2, .. and
 * all components. */
double trace_farthest(const Trace *t, const double *a, const double *b, int first, int count);
double trace_norm(const Trace *t, const double *a, const double *b, double s);
/* Returns the total variation of lambda, over all components and every `stride`-th instant from `from` on. */
double trace_variation(const Trace *t, long from, long stride);

/* Computes D(x_R, x_NR) and D(x'_R, x'_NR) of section 4: the largest difference, divided by 1 + the maximum of the
 * regularized run. */
void papers_discrepancy(const Trace *regularized, const Trace *unregularized, double *position, double *velocity);

/* Reads the control u [3] that papers_search_table found for tp1 or tp2, with the regularized or the unregularized
 * multiplier, from its files. Ends the program if there is none. */
void papers_control(const Papers *papers, const char *problem, bool regularized, double *u);
/* Returns the text control.start=[..] of a sweep over three controls: none, that of the unregularized search, and that
 * of the regularized one. */
const char *papers_vary_controls(const Papers *papers, const char *problem, char *text, size_t size);

#endif

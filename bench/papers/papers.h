/* The papers' tables and figures, ours beside theirs: what bench-papers is made of.
 *
 * A part is one table or family of figures. Every rank of MPI_COMM_WORLD makes each part together: the work is cut into
 * tasks, which give rows of numbers; rank 0 alone writes. The numbers do not depend on the ranks, but for clocks. */
#ifndef BENCH_PAPERS_H
#define BENCH_PAPERS_H

#include "bench/accuracy/models.h"
#include "bench/papers/numbers.h"
#include "bench/tools/table.h"

typedef struct Papers {
  int rank;
  const char *directory;
  bool quick;      /* a part of each part: seconds, for a test */
  Numbers printed; /* papers.csv */
  FILE *text;      /* Markdown of the part at hand; rank 0 alone, else NULL */
} Papers;

typedef struct Part {
  const char *name;  /* of its files */
  const char *title; /* of its section */
  const char *argument;
  /* Collective. Returns 0 or an exit code, told to stderr. */
  int (*make)(Papers *papers, const char *argument);
  bool quick; /* part of --quick */
} Part;

/* argument: problem */
int papers_search_table(Papers *papers, const char *problem);     /* Tables 2, 4 */
int papers_simulation_table(Papers *papers, const char *problem); /* Tables 1, 3 */
int papers_discrepancies(Papers *papers, const char *argument);   /* Table 5 */
int papers_search_methods(Papers *papers, const char *argument);  /* pds beside sqp and auto */
int papers_counts(Papers *papers, const char *argument);          /* points a simplex */
int papers_motions(Papers *papers, const char *argument);         /* Figures 1-16 */
int papers_splitting(Papers *papers, const char *argument);
int papers_curves(Papers *papers, const char *argument);
int papers_symmetrized(Papers *papers, const char *argument); /* Remark 4; "no spurious oscillations" */
int papers_uzawa(Papers *papers, const char *argument);       /* how fast (4.19)-(4.21) converges */
int papers_thesis(Papers *papers, const char *argument);
int papers_chains(Papers *papers, const char *argument);
int papers_study_runs(Papers *papers, const char *argument);
int papers_strong(Papers *papers, const char *argument); /* lambda in L^s */
int papers_study_controls(Papers *papers, const char *argument);

/* Fills rows [n][width] on all ranks, zeroed first: task k fills row k and is done by one rank, whichever is free. A task
 * that returns other than 0 has told why, and ends the program with that. Collective. */
typedef int PapersTask(void *context, int k, double *row);
void papers_tasks(int n, int width, PapersTask *task, void *context, double *rows);

/* Ends all ranks with a code. */
_Noreturn void papers_give_up(int code);

/* DIRECTORY/NAMEENDING. */
void papers_path(const Papers *papers, const char *name, const char *ending, char *path, size_t size);

/* Rank 0: DIRECTORY/NAME for writing; ends the program if it cannot be opened. papers_close: or written. */
FILE *papers_open(const Papers *papers, const char *name);
void papers_close(FILE *file, const char *name);

/* Rank 0: writes the table to NAME.csv, and, if shown, to the part's text; destroys it. */
void papers_table(const Papers *papers, const char *name, TextTable *table, bool shown);

/* Rank 0: states in the part's text whether what must hold does. What does not makes the program exit with 1:
 * its line begins with papers_fails. */
extern const char papers_fails[];
void papers_expect(const Papers *papers, bool holds, const char *format, ...) LIKE_PRINTF(3, 4);

/* ours/theirs, and what to say of it: "as printed", "within 5 %", else `otherwise`. NaN theirs: nothing. */
void papers_ratio(TextTable *table, double ours, double theirs, const char *otherwise);

/* The motion itself: a setting of any Case of friction. */
#define PAPERS_EVENT "scheme={name: event, tolerance: 1e-12}"

/* One rollout kept: every `stride`-th instant of it. All ranks may; local. */
typedef struct Trace {
  int d;
  long n;                 /* the last instant */
  double step;            /* s, between instants */
  double *x, *v, *lambda; /* [n+1][d]; x is the block's start */
  long iterations;
} Trace;
int trace_make(const Case *c, long finer, long stride, const double *u, Trace *trace);
/* The motion itself of a problem file, with one more setting (NULL: none), at the instants of `finer` times its steps. */
int trace_exact(const char *file, const char *setting, long finer, const double *u, Trace *trace);
/* From trajectory.csv of a results directory. */
int trace_read(const char *directory, Trace *trace);
void trace_release(Trace *trace);

/* Of two motions at the same instants. trace_farthest: the largest of |a - b| over instants and components first ..
 * first + count - 1; trace_norm: (step sum_n sum_i |a_i^n - b_i^n|^s)^(1/s) over n = 1.., all components. */
double trace_farthest(const Trace *t, const double *a, const double *b, int first, int count);
double trace_norm(const Trace *t, const double *a, const double *b, double s);
/* The total variation of lambda, all components, over every `stride`-th instant from `from` on. */
double trace_variation(const Trace *t, long from, long stride);

/* D(x_R, x_NR) and D(x'_R, x'_NR) of section 4: the largest difference over 1 + the largest of the regularized run. */
void papers_discrepancy(const Trace *regularized, const Trace *unregularized, double *position, double *velocity);

/* The controls that papers_search_table has found for tp1 or tp2: u [3], with the unregularized or the regularized
 * multiplier. Read from its files, so that what has been made need not be made again. Ends the program if there are none. */
void papers_control(const Papers *papers, const char *problem, bool regularized, double *u);
/* control.start=[..] of a sweep: none, the unregularized search's, the regularized one's. Returns text. */
const char *papers_vary_controls(const Papers *papers, const char *problem, char *text, size_t size);

#endif

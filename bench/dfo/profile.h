/* Data profiles (More and Wild, (2.2), (2.3)): a search has solved a problem to tau when it has come to a value
 *
 *     f <= f_L + tau (f(x0) - f_L),
 *
 * f_L the least that any search of the problem, on any number of ranks, has come to. What a method has solved within kappa is the
 * fraction of problems that it solves in kappa (n + 1) rounds at most: kappa simplex gradients, where a round is a point. */
#ifndef BENCH_DFO_PROFILE_H
#define BENCH_DFO_PROFILE_H

#include "bench/dfo/search.h"
#include "src/results/results.h"

enum { DFO_RANKS = 6, DFO_TAUS = 4, DFO_WITHIN = 2 };
extern const int dfo_ranks[DFO_RANKS];
extern const double dfo_taus[DFO_TAUS];
extern const double dfo_within[DFO_WITHIN]; /* kappas of tables */

/* All searches of the problems in one form. */
typedef struct DfoRuns {
  DfoForm form;
  bool wanted[DFO_PROBLEMS];
  int ranks;                                       /* so many of dfo_ranks are tried */
  double first[DFO_PROBLEMS], least[DFO_PROBLEMS]; /* f(x0), f_L */
  /* of a method to which ranks make no difference the first entry alone; steps owned */
  DfoHistory histories[DFO_PROBLEMS][DFO_METHODS][DFO_RANKS];
} DfoRuns;

/* A search's, whichever the ranks. */
const DfoHistory *dfo_history(const DfoRuns *runs, int problem, int method, int rank);

/* Rounds in units of n + 1 until tau; INFINITY: never. */
double dfo_cost(const DfoRuns *runs, int problem, int method, int rank, double tau);

/* The fraction of the wanted problems solved to tau within kappa. */
double dfo_solved(const DfoRuns *runs, int method, int rank, double tau, double kappa);

/* The fewest ranks on which a method solves more than another on as many within kappa; 0: on none. */
int dfo_ranks_to_beat(const DfoRuns *runs, int method, int other, double tau, double kappa);

/* Rows of the files, the heads first where runs is NULL: a row a search; a row a step of a profile on each number of ranks, from 0
 * to the budget; a row a number of ranks, with what each method solves. */
void dfo_write_runs(const DfoRuns *runs, FILE *out);
void dfo_write_profiles(const DfoRuns *runs, FILE *out);
void dfo_write_ranks(const DfoRuns *runs, FILE *out);

#endif

/* Data profiles (More and Wild, (2.2), (2.3)). A search has solved a problem to tau when it has found a value
 *
 *     f <= f_L + tau (f(x0) - f_L),
 *
 * f_L the lowest value found by any search of the problem on any number of ranks. A method's profile at kappa is the
 * fraction of problems that it solves within kappa (n + 1) rounds, which for one point per round are kappa simplex
 * gradients. */
#ifndef BENCH_DFO_PROFILE_H
#define BENCH_DFO_PROFILE_H

#include "bench/dfo/search.h"
#include "src/results/results.h"

enum { DFO_RANKS = 6, DFO_TAUS = 4, DFO_WITHIN = 2 };
extern const int dfo_ranks[DFO_RANKS];
extern const double dfo_taus[DFO_TAUS];
extern const double dfo_within[DFO_WITHIN]; /* values of kappa in tables */

/* All searches of the problems in one form. */
typedef struct DfoRuns {
  DfoForm form;
  bool wanted[DFO_PROBLEMS];
  int ranks;                                       /* number of entries of dfo_ranks in use */
  double first[DFO_PROBLEMS], least[DFO_PROBLEMS]; /* f(x0), f_L */
  /* for a method that does not use ranks, the first entry only; steps owned */
  DfoHistory histories[DFO_PROBLEMS][DFO_METHODS][DFO_RANKS];
} DfoRuns;

/* Rounds to reach tau in units of n + 1; INFINITY: never. */
double dfo_cost(const DfoRuns *runs, int problem, int method, int rank, double tau);

/* Fraction of the selected problems solved to tau within kappa. */
double dfo_solved(const DfoRuns *runs, int method, int rank, double tau, double kappa);

/* Smallest number of ranks on which a method solves more problems than another within kappa; 0: none. */
int dfo_ranks_to_beat(const DfoRuns *runs, int method, int other, double tau, double kappa);

/* Write rows of the files; with runs NULL, their header: a row per search; a row per step of a profile for each
 * number of ranks, from 0 to the budget; a row per number of ranks with the fraction that each method solves. */
void dfo_write_runs(const DfoRuns *runs, FILE *out);
void dfo_write_profiles(const DfoRuns *runs, FILE *out);
void dfo_write_ranks(const DfoRuns *runs, FILE *out);

#endif

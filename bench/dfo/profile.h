/* SPDX-License-Identifier: BSD-2-Clause */
/* Data profiles (More and Wild, (2.2), (2.3)). A search has solved a problem to tau when it has found a value
 *
 *     f <= f_L + tau (f(x0) - f_L),
 *
 * where f_L is the lowest value that any search found for the problem, on any number of ranks. The profile of a
 * method at kappa is the fraction of problems that it solves within kappa (n + 1) rounds. With one point per round
 * this is the cost of kappa simplex gradients. */
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
  int ranks;                                       /* number of entries of dfo_ranks that are used */
  double first[DFO_PROBLEMS], least[DFO_PROBLEMS]; /* f(x0) (`first`) and f_L (`least`) of each problem */
  /* Histories of the searches; their steps are owned. For a method that does not use ranks, only the first entry is
   * used. */
  DfoHistory histories[DFO_PROBLEMS][DFO_METHODS][DFO_RANKS];
} DfoRuns;

/* Returns the number of rounds to reach tau, in units of n + 1; INFINITY if it is never reached. */
double dfo_cost(const DfoRuns *runs, int problem, int method, int rank, double tau);

/* Returns the fraction of the selected problems that are solved to tau within kappa. */
double dfo_solved(const DfoRuns *runs, int method, int rank, double tau, double kappa);

/* Returns the smallest number of ranks on which a method solves more problems than another within kappa; 0 if there is
 * none. */
int dfo_ranks_to_beat(const DfoRuns *runs, int method, int other, double tau, double kappa);

/* Write rows of the files or, if runs is NULL, their header. dfo_write_runs writes a row for each search. The second
 * function writes a row for each step of a profile and number of ranks, from 0 to the budget. The third writes a row
 * for each number of ranks, with the fraction that each method solves. */
void dfo_write_runs(const DfoRuns *runs, FILE *out);
void dfo_write_profiles(const DfoRuns *runs, FILE *out);
void dfo_write_ranks(const DfoRuns *runs, FILE *out);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Performance profile of Dolan and More (Math. Program. 91, 2002). Let t_rm be the cost of method m in run r,
 * infinite if it failed. Then
 *
 *     rho_m(tau) = |{r: t_rm <= tau min_k t_rk}| / N,   tau >= 1,
 *
 * where N is the number of all runs, including those that no method has solved. */
#ifndef BENCH_METHODS_PROFILE_H
#define BENCH_METHODS_PROFILE_H

#include "src/results/results.h"

enum { PROFILE_METHODS_MAX = 16, PROFILE_RUNS_MAX = 2048 };
typedef enum ProfileCost { PROFILE_EVALUATIONS, PROFILE_SECONDS, PROFILE_COSTS } ProfileCost;

typedef struct Profile {
  int n_methods, n_runs;
  const char *methods[PROFILE_METHODS_MAX];
  /* cost of each method in each run, > 0; infinite: the method failed */
  double cost[PROFILE_COSTS][PROFILE_METHODS_MAX][PROFILE_RUNS_MAX];
} Profile;

/* Writes profile.csv (cost,method,ratio,fraction), which has rho from tau = 1 to the last step of any method, with a
 * row for each of its steps. Draws profile.svg with gnuplot. Returns 0; EXIT_INTERNAL after reporting an error; or
 * EXIT_USAGE without gnuplot, when the data are written if possible. */
int profile_write(const Profile *profile, const Results *results);

#endif

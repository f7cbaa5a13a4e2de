/* SPDX-License-Identifier: BSD-2-Clause */
/* Interface of a kind of model. A kind consists of a file kind.c in its folder, which fills a SimKindOps, its struct in
 * sim/kinds.h, and a line of the table in sim/setup/kinds.c. */
#ifndef SIM_KIND_H
#define SIM_KIND_H

#include "sim/internal.h"
#include "sim/joint/laws.h"
#include "sim/operator/check.h"

struct SimKindOps {
  const ProblemArray
      *arrays; /* table of the kind's arrays, except those of joint laws; the last row has a length NULL. NULL: there
                * are none. */
  /* Rows of the keys of the section `model`. sim_problem_init sets their defaults. */
  const SimParameter *parameters;
  /* Frees data of the kind that are not in arrays; NULL: there are none. */
  void (*clear)(SimProblem *problem);
  /* Whether models borrow the problem's arrays, because these may be large. Such a problem is never packed into bytes.
   * NULL: models copy the arrays. */
  bool (*borrowed)(const SimProblem *problem);
  /* Returns those features (sim/features.h) of a problem that only this kind has; NULL: there are none. */
  SimFeatures (*features)(const SimProblem *problem);
  /* Reports each error in the data of this kind; B, times and scheme have been checked before. Fills *bounds if neither
   * this check nor an earlier one has found an error. Returns SIM_OK, SIM_BAD_PROBLEM (reported) or SIM_NO_MEMORY. */
  SimStatus (*check)(Check *check, SimBounds *bounds);
  /* Returns s of balance.h, in J, for this rank's rows at x, v [count]: the size of the energies, relative to which
   * their rounding errors are measured. It is sum_i m_ii v_i^2 + a_ii x_i^2 + dt d_ii v_i^2, plus the energies of
   * springs with a law. work: a workspace of the model. */
  double (*energy_size)(const SimModel *model, SimWorkspace *work, const double *x, const double *v);
  bool has_multiplier;            /* whether lambda is a result of this kind */
  int n_extra;                    /* number of additional results of this kind, in SimStep.extra */
  const char *const *extra;       /* [n_extra] names of the additional results, for column headers */
  const char *const *extra_units; /* [n_extra] units of the additional results */
  /* For an observer: computes the additional results work->extra at t_n from x. NULL: the schemes of the kind compute
   * them. */
  void (*publish)(const SimModel *model, SimWorkspace *work, long n);
};

#endif

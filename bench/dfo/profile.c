/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/dfo/profile.h"

#include "bench/tools/measure.h"

#include <math.h>

const int dfo_ranks[DFO_RANKS] = {1, 4, 16, 64, 256, 1024};
const double dfo_taus[DFO_TAUS] = {1e-1, 1e-3, 1e-5, 1e-7};
const double dfo_within[DFO_WITHIN] = {10, 100};

/* Returns the history of a search. For methods that do not use ranks it is the same for any number of ranks. */
static const DfoHistory *dfo_history(const DfoRuns *runs, int problem, int method, int rank) {
  return &runs->histories[problem][method][dfo_methods[method].several ? rank : 0];
}

double dfo_cost(const DfoRuns *runs, int problem, int method, int rank, double tau) {
  const DfoHistory *history = dfo_history(runs, problem, method, rank);
  double least = runs->least[problem], goal = least + tau * (runs->first[problem] - least);
  for (int k = 0; k < history->count; k++)
    if (history->steps[k].f <= goal) return (double)history->steps[k].rounds / (dfo_problems[problem].n + 1);
  return INFINITY;
}

double dfo_solved(const DfoRuns *runs, int method, int rank, double tau, double kappa) {
  int n = 0, solved = 0;
  for (int k = 0; k < DFO_PROBLEMS; k++) {
    n += runs->wanted[k];
    solved += runs->wanted[k] && dfo_cost(runs, k, method, rank, tau) <= kappa;
  }
  return (double)solved / n;
}

int dfo_ranks_to_beat(const DfoRuns *runs, int method, int other, double tau, double kappa) {
  for (int rank = 0; rank < runs->ranks; rank++)
    if (dfo_solved(runs, method, rank, tau, kappa) > dfo_solved(runs, other, rank, tau, kappa)) return dfo_ranks[rank];
  return 0;
}

static void write_run(const DfoRuns *runs, int problem, int method, int rank, FILE *out) {
  const DfoProblem *p = &dfo_problems[problem];
  const DfoHistory *history = dfo_history(runs, problem, method, rank);
  double f = history->count ? history->steps[history->count - 1].f : INFINITY;
  fprintf(out, "%s,%d,%s,%d,%d,%d,%s,%d,%.9g,%.9g,%.9g,%ld,%ld,%d", dfo_form_names[runs->form], problem + 1,
          dfo_functions[p->function].name, p->n, p->m, p->far ? 10 : 1, dfo_methods[method].name, dfo_ranks[rank],
          runs->first[problem], runs->least[problem], f, history->rounds, history->evaluations, history->failed);
  for (int t = 0; t < DFO_TAUS; t++) fprintf(out, ",%.9g", dfo_cost(runs, problem, method, rank, dfo_taus[t]));
  fputc('\n', out);
}

void dfo_write_runs(const DfoRuns *runs, FILE *out) {
  if (!runs) {
    fputs("form,problem,function,n,m,start,method,ranks,f_start,f_least,f,rounds,evaluations,failed", out);
    for (int t = 0; t < DFO_TAUS; t++) fprintf(out, ",rounds/(n+1) to %g", dfo_taus[t]);
    fputc('\n', out);
    return;
  }
  for (int problem = 0; problem < DFO_PROBLEMS; problem++)
    for (int method = 0; method < DFO_METHODS && runs->wanted[problem]; method++)
      for (int rank = 0; rank < (dfo_methods[method].several ? runs->ranks : 1); rank++)
        write_run(runs, problem, method, rank, out);
}

/* Writes the profile of a method up to the budget. */
static void write_profile(const DfoRuns *runs, int method, int rank, double tau, FILE *out) {
  double costs[DFO_PROBLEMS], last = 0;
  int n = 0;
  for (int k = 0; k < DFO_PROBLEMS; k++)
    if (runs->wanted[k]) costs[n++] = dfo_cost(runs, k, method, rank, tau);
  sort_values(n, costs);
  for (int solved = 0;; last = solved < n && isfinite(costs[solved]) ? costs[solved] : 100) {
    while (solved < n && costs[solved] <= last) solved++;
    fprintf(out, "%s,%g,%d,%s,%.9g,%.9g\n", dfo_form_names[runs->form], tau, dfo_ranks[rank], dfo_methods[method].name,
            last, (double)solved / n);
    if (last >= 100) return;
  }
}

void dfo_write_profiles(const DfoRuns *runs, FILE *out) {
  if (!runs) fputs("form,tau,ranks,method,rounds/(n+1),solved\n", out);
  for (int t = 0; runs && t < DFO_TAUS; t++)
    for (int rank = 0; rank < runs->ranks; rank++)
      for (int method = 0; method < DFO_METHODS; method++)
        if (rank == 0 || dfo_methods[method].several) write_profile(runs, method, rank, dfo_taus[t], out);
}

void dfo_write_ranks(const DfoRuns *runs, FILE *out) {
  if (!runs) {
    fputs("form,tau,within,ranks", out);
    for (int method = 0; method < DFO_METHODS; method++) fprintf(out, ",%s", dfo_methods[method].name);
    fputc('\n', out);
    return;
  }
  for (int t = 0; t < DFO_TAUS; t++)
    for (int w = 0; w < DFO_WITHIN; w++)
      for (int rank = 0; rank < runs->ranks; rank++) {
        fprintf(out, "%s,%g,%g,%d", dfo_form_names[runs->form], dfo_taus[t], dfo_within[w], dfo_ranks[rank]);
        for (int method = 0; method < DFO_METHODS; method++)
          fprintf(out, ",%.9g", dfo_solved(runs, method, rank, dfo_taus[t], dfo_within[w]));
        fputc('\n', out);
      }
}

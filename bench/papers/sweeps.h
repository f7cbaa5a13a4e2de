/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs sweeps for the control paper's tables. */
#ifndef BENCH_PAPERS_SWEEPS_H
#define BENCH_PAPERS_SWEEPS_H

#include "bench/papers/papers.h"
#include "src/results/sweep_results.h"

enum { PAPERS_TEXTS_MAX = 8 };

typedef struct PapersSweep {
  const char *name;    /* name of its results */
  const char *problem; /* name of a file jobs/problems/PROBLEM.yaml */
  /* Lists, each NULL-terminated. */
  const char *settings[PAPERS_TEXTS_MAX], *varies[PAPERS_TEXTS_MAX], *columns[PAPERS_TEXTS_MAX];
  const char *control; /* control of simulations; NULL: the runs are searches */
  bool keep_exact;     /* whether the results of simulations and those of the exact motion are kept */
} PapersSweep;

/* Runs a sweep, and replaces DIRECTORY/NAME. Collective. Ends the program if a run fails. */
void papers_sweep(const Papers *papers, const PapersSweep *sweep);

/* Reads the table of a sweep with this number of runs, on rank 0; the caller clears it. Ends the program if there is
 * none. */
void papers_sweep_read(const Papers *papers, const PapersSweep *sweep, long runs, Table *results);
/* Returns a cell as a number; NAN if it is empty, or there is no such column. */
double papers_cell(const Table *results, long run, const char *column);

/* Quantities of a search. */
enum {
  SEARCH_SIMPLEXES,
  SEARCH_EVALUATIONS,
  SEARCH_IVPS,
  SEARCH_ITERATIONS, /* iterations or sweeps of the solver of a step */
  SEARCH_E1,
  SEARCH_E2,
  SEARCH_J,
  SEARCH_SECONDS, /* seconds of all simulations */
  SEARCH_TRUE_E1, /* E1 of the exact motion under the control found */
  SEARCH_TRUE_E2,
  SEARCH_U,
  SEARCH_WIDTH = SEARCH_U + 3
};

/* Runs a sweep of n searches, without refining answers, as papers_sweep does. rows [n]: set on rank 0. The sweep must
 * give no columns. */
void papers_searches(const Papers *papers, const PapersSweep *sweep, int n, double (*rows)[SEARCH_WIDTH]);

#endif

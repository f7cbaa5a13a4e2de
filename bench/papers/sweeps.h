/* Sweeps (src/sweep) for the control paper's tables. */
#ifndef BENCH_PAPERS_SWEEPS_H
#define BENCH_PAPERS_SWEEPS_H

#include "bench/papers/papers.h"
#include "src/results/sweep_results.h"

enum { PAPERS_TEXTS_MAX = 8 };

typedef struct PapersSweep {
  const char *name;    /* name of its results */
  const char *problem; /* jobs/problems/PROBLEM.yaml */
  /* each NULL-terminated */
  const char *settings[PAPERS_TEXTS_MAX], *varies[PAPERS_TEXTS_MAX], *columns[PAPERS_TEXTS_MAX];
  const char *control; /* control of simulations; NULL: searches */
  bool keep_exact;     /* keeps the simulations' results and those of the exact motion */
} PapersSweep;

/* Runs a sweep and replaces DIRECTORY/NAME. Collective. Ends the program when a run fails. */
void papers_sweep(const Papers *papers, const PapersSweep *sweep);

/* Rank 0: reads the table of a number of runs; the caller clears it. Ends the program if there is none. */
void papers_sweep_read(const Papers *papers, const PapersSweep *sweep, long runs, Table *results);
/* A cell; NAN: empty, or no such column. */
double papers_cell(const Table *results, long run, const char *column);

/* Quantities of a search. */
enum {
  SEARCH_SIMPLEXES,
  SEARCH_EVALUATIONS,
  SEARCH_IVPS,
  SEARCH_ITERATIONS, /* iterations of the per-step solver (fixed point), or sweeps */
  SEARCH_E1,
  SEARCH_E2,
  SEARCH_J,
  SEARCH_SECONDS, /* seconds of the simulations alone */
  SEARCH_TRUE_E1, /* E1 of the exact motion under u */
  SEARCH_TRUE_E2,
  SEARCH_U,
  SEARCH_WIDTH = SEARCH_U + 3
};

/* Runs a sweep of n searches, unrefined: rows [n], output on rank 0. Columns: none. Otherwise like papers_sweep. */
void papers_searches(const Papers *papers, const PapersSweep *sweep, int n, double (*rows)[SEARCH_WIDTH]);

#endif

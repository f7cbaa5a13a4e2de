/* SPDX-License-Identifier: BSD-2-Clause */
/* bench-papers compares the papers' tables and figures with this program's results, and studies the regularization. */
#include "bench/papers/papers.h"

#include "bench/tools/directory.h"
#include "sim/version.h"
#include "src/process/process.h"
#include "src/process/settings.h"

#include <mpi.h>
#include <string.h>

static const char usage[] =
    "usage: [mpirun -n P] bench-papers [--quick] [--again] [-o DIR]\n"
    "Reproduces the papers' tables and the study of the regularization: a Markdown and a CSV file each, and the\n"
    "data of the figures, in DIR (default results/papers). Parts that this version has already made are not\n"
    "repeated.\n"
    "--again  makes all parts again\n"
    "--quick  a small fraction of each part, which is made again in full without this option\n"
    "Exit code 1: a check has failed.\n";

/* The searches come first, because other parts use their controls. */
static const Part parts[] = {
    {"table-2", "Control paper, Table 2: test problem 1, control", "tp1", papers_search_table, true},
    {"table-4", "Control paper, Table 4: test problem 2, control", "tp2", papers_search_table, false},
    {"table-1", "Control paper, Table 1: test problem 1, simulation", "tp1", papers_simulation_table, true},
    {"table-3", "Control paper, Table 3: test problem 2, simulation", "tp2", papers_simulation_table, false},
    {"table-5", "Control paper, Table 5: regularized against unregularized", NULL, papers_discrepancies, false},
    {"search-methods", "Control paper: searches with derivatives", NULL, papers_search_methods, true},
    {"counts", "Control paper: points a simplex", NULL, papers_counts, true},
    {"motions", "Control paper, Figures 1 to 16", NULL, papers_motions, false},
    {"splitting", "Splitting papers: errors over the step", NULL, papers_splitting, true},
    {"curves", "Splitting papers: the motions of their figures", NULL, papers_curves, true},
    {"symmetrized", "Splitting papers: the symmetrized scheme, and oscillations", NULL, papers_symmetrized, true},
    {"uzawa", "Splitting papers: how fast the multiplier's iteration converges", NULL, papers_uzawa, true},
    {"thesis", "Thesis, Figures 19 to 32", NULL, papers_thesis, true},
    {"chains", "Chain paper: orders of the implicit Euler scheme", NULL, papers_chains, true},
    {"study-runs", "Study of the regularization: motions and multipliers", NULL, papers_study_runs, true},
    {"strong", "Study of the regularization: whether the multiplier converges strongly", NULL, papers_strong, true},
    {"study-controls", "Study of the regularization: what its controls are worth", NULL, papers_study_controls, false},
};
enum { PARTS = sizeof parts / sizeof *parts };

/* The line of NAME.md that identifies the program that made the file. */
static const char stamp_full[] = "By stiction " STICTION_VERSION ", in full.\n",
                  stamp_quick[] = "By stiction " STICTION_VERSION ", a part of it alone (--quick).\n";

/* Returns whether the file of a part is complete. A file made without --quick also serves --quick. */
static bool is_stamped(const Papers *papers, const Part *part) {
  char path[1024], line[4096];
  bool found = false;
  papers_path(papers, part->name, ".md", path, sizeof path);
  FILE *file = fopen(path, "r");
  if (!file) return false;
  while (!found && fgets(line, sizeof line, file))
    found = !strcmp(line, stamp_full) || (papers->quick && !strcmp(line, stamp_quick));
  fclose(file);
  return found;
}

/* Returns on all ranks whether rank 0 finds the part complete. */
static bool made_already(const Papers *papers, const Part *part) {
  int there = papers->rank == 0 && is_stamped(papers, part);
  MPI_Bcast(&there, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return there;
}

/* Finishes a part on rank 0. NAME.md is written last, in one step, so a part that has this file is complete. */
static void finish_part(const Papers *papers, const Part *part, const char *name, double start) {
  char from[1024], to[1024];
  fprintf(papers->text, "\nMade in %.1f s.\n\n", MPI_Wtime() - start);
  papers_close(papers->text, name);
  papers_path(papers, name, "", from, sizeof from);
  papers_path(papers, part->name, ".md", to, sizeof to);
  if (rename(from, to)) {
    perror(to);
    papers_give_up(EXIT_INTERNAL);
  }
  printf("%-15s %6.1f s\n", part->name, MPI_Wtime() - start);
  fflush(stdout);
}

static void make_part(Papers *papers, const Part *part) {
  char name[128];
  snprintf(name, sizeof name, "%s.md.part", part->name);
  double start = MPI_Wtime();
  if (papers->rank == 0) {
    papers->text = papers_open(papers, name);
    fprintf(papers->text, "## %s\n\n%s\n", part->title, papers->quick ? stamp_quick : stamp_full);
  }
  int code = part->make(papers, part->argument);
  if (code) papers_give_up(code);
  if (papers->rank == 0) finish_part(papers, part, name, start);
  MPI_Barrier(MPI_COMM_WORLD); /* the next part may read the files of this one */
}

/* Writes RESULTS.md from the existing parts. Returns the number of failed checks in it. */
static int collect_results(const Papers *papers) {
  int n_failed = 0;
  FILE *all = papers_open(papers, "RESULTS.md");
  fputs("# The papers' tables and figures, ours beside theirs\n\n", all);
  for (int k = 0; k < PARTS; k++) {
    char path[1024], line[4096];
    papers_path(papers, parts[k].name, ".md", path, sizeof path);
    FILE *part = fopen(path, "r");
    if (!part) continue;
    while (fgets(line, sizeof line, part)) {
      fputs(line, all);
      if (strncmp(line, papers_fails, strlen(papers_fails))) continue;
      fprintf(stderr, "bench-papers: %s: %s", parts[k].name, line);
      n_failed++;
    }
    fclose(part);
  }
  papers_close(all, "RESULTS.md");
  return n_failed;
}

static int run_parts(Papers *papers, bool again) {
  if (numbers_read(STICTION_ROOT "/bench/papers/papers.csv", &papers->printed)) return EXIT_INTERNAL;
  if (papers->rank == 0 && directory_make(papers->directory)) papers_give_up(EXIT_USAGE);
  for (int k = 0; k < PARTS; k++)
    if ((parts[k].quick || !papers->quick) && (again || !made_already(papers, &parts[k]))) make_part(papers, &parts[k]);
  int n_failed = papers->rank == 0 ? collect_results(papers) : 0;
  numbers_clear(&papers->printed);
  MPI_Bcast(&n_failed, 1, MPI_INT, 0, MPI_COMM_WORLD);
  return n_failed ? 1 : EXIT_DONE;
}

int main(int argc, char **argv) {
  Papers papers = {.directory = "results/papers"};
  bool again = false, help = false, bad = false;
  if (!process_start(&argc, &argv)) return EXIT_INTERNAL;
  if (!process_with_mpi()) MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &papers.rank);
  for (int i = 1; i < argc && !bad; i++) {
    if (!strcmp(argv[i], "--help")) {
      help = true;
    } else if (!strcmp(argv[i], "--quick")) {
      papers.quick = true;
    } else if (!strcmp(argv[i], "--again")) {
      again = true;
    } else if (!strcmp(argv[i], "-o") && i + 1 < argc) {
      papers.directory = argv[++i];
    } else {
      bad = true;
      if (papers.rank == 0) fprintf(stderr, "bench-papers: unknown argument '%s'\n%s", argv[i], usage);
    }
  }
  if (help && papers.rank == 0) fputs(usage, stdout);
  int code = bad ? EXIT_USAGE : help ? EXIT_DONE : run_parts(&papers, again);
  return process_end(code);
}

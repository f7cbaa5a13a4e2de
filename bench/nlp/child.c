/* SPDX-License-Identifier: BSD-2-Clause */
#include "bench/nlp/child.h"

#include "control/base/clock.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static NlpRun run; /* run of this child process */

static NlpEnd solve_runs(const NlpSolver *solver, const NlpProblem *problem, int starts, NlpResult *results) {
  if (solver->prepare && !solver->prepare()) return NLP_NOT_TO_BE_HAD;
  bool good = nlp_run_init(&run, problem, solver->stopped);
  for (int k = 0; k < starts && good; k++) {
    double begin = ctl_seconds();
    nlp_run_begin(&run, k);
    good = solver->solve(solver, &run);
    nlp_run_end(&run);
    results[k] = run.result;
    results[k].seconds = ctl_seconds() - begin;
  }
  nlp_run_clear(&run);
  return good ? NLP_DONE : NLP_FAILED;
}

static bool write_all(int to, const void *bytes, size_t size) {
  const char *at = bytes;
  while (size) {
    ssize_t written = write(to, at, size);
    if (written < 0 && errno != EINTR) return false;
    if (written > 0) at += written, size -= (size_t)written;
  }
  return true;
}

static bool read_all(int from, void *bytes, size_t size) {
  char *at = bytes;
  while (size) {
    ssize_t got = read(from, at, size);
    if (got == 0 || (got < 0 && errno != EINTR)) return false;
    if (got > 0) at += got, size -= (size_t)got;
  }
  return true;
}

static NlpEnd report_failure(const NlpSolver *solver, const char *what) {
  fprintf(stderr, "bench-nlp: %s: %s\n", solver->name, what);
  return NLP_FAILED;
}

NlpEnd nlp_child_solve(const NlpSolver *solver, const NlpProblem *problem, int starts, NlpResult *results) {
  int ends[2], status;
  size_t size = (size_t)starts * sizeof *results;
  fflush(NULL);
  if (pipe(ends)) return report_failure(solver, strerror(errno));
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    NlpEnd end = solve_runs(solver, problem, starts, results);
    bool reported = end != NLP_DONE || write_all(ends[1], results, size);
    _exit(reported ? (int)end : NLP_FAILED); /* exits without running the exit handlers of libraries */
  }
  close(ends[1]);
  bool whole = child > 0 && read_all(ends[0], results, size);
  close(ends[0]);
  if (child < 0) return report_failure(solver, strerror(errno));
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return report_failure(solver, strerror(errno));
  if (WIFSIGNALED(status)) return report_failure(solver, strsignal(WTERMSIG(status)));
  if (WEXITSTATUS(status) == NLP_NOT_TO_BE_HAD) return NLP_NOT_TO_BE_HAD;
  return whole && WEXITSTATUS(status) == NLP_DONE ? NLP_DONE : report_failure(solver, "ended without its results");
}

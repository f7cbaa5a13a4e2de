/* SPDX-License-Identifier: BSD-2-Clause */
/* Converts a force to polynomial pieces in time, for schemes that do not use time steps. */
#include "src/file/values/force_track.h"

#include <math.h>
#include <stdlib.h>

/* Estimated time to make one piece for one degree of freedom, in s. */
static const double SECONDS_A_PIECE = 1e-6;

typedef struct Source {
  const Force *force, *end;
  double share; /* factor of the values of `end` or, for thresholds, of all values */
  const SimProblem *problem;
  int columns; /* number of thresholds, or of columns of a surface's velocity */
} Source;

static void force_with_end(void *context, double t, double *f) {
  const Source *source = context;
  int d = source->problem->d;
  double end;
  force_at(source->force, source->problem, t, 0, d, f);
  if (!source->end) return;
  force_at(source->end, source->problem, t, 0, 1, &end);
  f[d - 1] += source->share * end;
}

static int compare(const void *a, const void *b) {
  const double *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

/* Appends to `breaks` the times in 0..end at which a piece of some track ends, and the times of measured samples.
 * Returns the new number of breaks. */
static int add_breaks(const Force *force, double end, int n, double *breaks) {
  for (const Track *track = force->tracks; track < force->tracks + force->n; track++)
    for (int k = 0; k < track->n; k++)
      if (track->pieces[k].until > 0 && track->pieces[k].until < end) breaks[n++] = track->pieces[k].until;
  for (int i = 0; i < force->n_samples; i++)
    for (long k = 0; k < samples_count(force->samples[i]); k++) {
      double t = samples_time(force->samples[i], k);
      if (t > 0 && t < end) breaks[n++] = t;
    }
  return n;
}

/* Returns the number of additional times at which the polynomial pieces are compared with the force. There is one per
 * time step, within limits, so that a pulse of one step is not missed. */
static long looks_of(const Force *force, const SimProblem *problem) {
  /* smallest and largest number of these times */
  enum { LEAST = 512, MOST = 16384 };
  if (force_is_constant(force)) return 0;
  return problem->steps < LEAST ? LEAST : problem->steps > MOST ? MOST : problem->steps;
}

/* Sorts the breaks and removes repeated ones. Returns the number of breaks that are left. */
static int sort_breaks(int n, double *breaks) {
  int kept = 0;
  qsort(breaks, (size_t)n, sizeof *breaks, compare);
  for (int k = 0; k < n; k++)
    if (kept == 0 || breaks[k] > breaks[kept - 1]) breaks[kept++] = breaks[k];
  return kept;
}

static void report_non_finite(const Force *force, Reader *reader, const SimProblem *problem, double t) {
  for (const Track *track = force->tracks; track < force->tracks + force->n; track++) {
    const Piece *piece = track_piece(track, t, TRACK_TOLERANCE * problem->step);
    double value = piece ? piece_value(piece, t) : 0;
    if (!piece)
      track_report_uncovered(track, reader, t);
    else if (!isfinite(value))
      key_error(reader, piece->key, "%g at t = %.12g (expected a finite value at every time)", value, t);
  }
}

/* Returns whether the force has no errors and is written for d degrees of freedom, or for any number. */
static bool is_of(const Force *force, int d) {
  bool good = !force->listed || force->n == d;
  for (int i = 0; i < force->n && good; i++) good = !force->tracks[i].wrong;
  return good;
}

/* Returns the number of pieces and samples of a force. */
static long count_pieces(const Force *force) {
  long n = 0;
  for (int i = 0; i < force->n; i++) n += force->tracks[i].n;
  for (int i = 0; i < force->n_samples; i++) n += samples_count(force->samples[i]);
  return n;
}

/* The quantity for which pieces are made: a force, a surface's velocity, or thresholds. */
typedef struct Purpose {
  const char *key, *what;     /* key: key for diagnostics; what: name of the quantity in messages about lack of
                               * memory */
  const char *bad, *expected; /* bad: text of the error if pieces cannot be made (SIM_BAD_PROBLEM); expected:
                               * requirement that the quantity must satisfy */
  int columns, numbers;       /* columns: number of columns of the quantity; numbers: how many numbers are stored for
                               * each column */
  SimStatus (*set)(SimProblem *problem, int columns, const SimLoad *load, int n, const double *breaks, double *where);
} Purpose;

/* Approximates the quantity, which the function `at` evaluates, by polynomial pieces and stores them in the problem. A
 * new piece begins wherever one of the source's forces has a break. Reports the reason of a failure. */
static void make(const Purpose *purpose, Source *source, void (*at)(void *, double, double *), Reader *reader,
                 SimProblem *problem) {
  const Force *one = source->force, *other = source->end;
  long own = count_pieces(one), others = other ? count_pieces(other) : 0;
  long looks = looks_of(one, problem), looks_other = other ? looks_of(other, problem) : 0;
  const SimLoad load = {.context = source,
                        .constant = force_is_constant(one) && !other,
                        .at = at,
                        .looks = looks > looks_other ? looks : looks_other};
  double all = (double)(own + others), bytes = 2 * all * (double)sim_piece_size(purpose->numbers) * sizeof(double);
  bool allowed = work_allowed(reader, purpose->key, purpose->what, SECONDS_A_PIECE * all * purpose->numbers, bytes);
  double where, *breaks = allowed ? diagnostics_calloc(reader->diagnostics, (size_t)all, sizeof *breaks) : NULL;
  if (!breaks) return;
  int n = add_breaks(one, problem->end, 0, breaks);
  if (other) n = add_breaks(other, problem->end, n, breaks);
  SimStatus status = purpose->set(problem, purpose->columns, &load, sort_breaks(n, breaks), breaks, &where);
  free(breaks);
  note_memory(reader, status);
  if (status == SIM_NON_FINITE) report_non_finite(one, reader, problem, where);
  if (status == SIM_NON_FINITE && other) report_non_finite(other, reader, problem, where);
  if (status == SIM_NOT_CONVERGED)
    key_error(reader, purpose->key,
              "swings too fast to be held as polynomials in time, of which there are too many by t = %.9g", where);
  if (status == SIM_BAD_PROBLEM)
    key_error(reader, purpose->key, "%s at t = %.9g (expected %s)", purpose->bad, where, purpose->expected);
}

static SimStatus set_pieces(SimProblem *problem, int columns, const SimLoad *load, int n, const double *breaks,
                            double *where) {
  (void)columns;
  return stiction_problem_set_pieces(problem, load, n, breaks, where);
}

void force_make_pieces(const Force *force, const Force *end, double share, Reader *reader, SimProblem *problem) {
  int d = problem->d;
  Source source = {.force = force, .end = end, .share = share, .problem = problem};
  const Purpose purpose = {"model.force", "the force in pieces of time", NULL, NULL, d, d, set_pieces};
  if (is_of(force, d) && (!end || is_of(end, 0))) make(&purpose, &source, force_with_end, reader, problem);
}

/* Returns whether the quantity can be stored. With sparse matrices it must be the same for all rows, so a list is
 * reported as an error. */
static bool serves_storage(Reader *reader, const SimProblem *problem, const char *key, const char *list, bool listed) {
  bool sparse = problem->kind == SIM_FRICTION && problem->system.storage == SIM_SPARSE;
  if (sparse && listed)
    key_error(reader, key, "%s with sparse matrices (expected one for all degrees of freedom)", list);
  return !sparse || !listed;
}

static void surface_speed(void *context, double t, double *w) {
  const Source *source = context;
  force_at(source->force, source->problem, t, 0, source->columns, w);
}

/* The velocity has one column if it is the same for all rows; otherwise one for each row. */
void force_make_surface(const Force *force, Reader *reader, SimProblem *problem) {
  int columns = force->listed ? problem->d : 1;
  Source source = {.force = force, .problem = problem, .columns = columns};
  const Purpose purpose = {"model.surface_velocity",
                           "the speed of surfaces in pieces of time",
                           "a jump",
                           "a speed without jumps: a steep slope, say",
                           columns,
                           columns,
                           stiction_problem_set_surface};
  if (is_of(force, problem->d) && serves_storage(reader, problem, purpose.key, "a list", force->listed))
    make(&purpose, &source, surface_speed, reader, problem);
}

/* Evaluates the thresholds at time t: first those of forward motion, then those of backward motion. */
static void thresholds_at(void *context, double t, double *c) {
  const Source *source = context;
  int columns = source->columns;
  force_at(source->force, source->problem, t, 0, columns, c);
  if (source->end) force_at(source->end, source->problem, t, 0, columns, c + columns);
  for (int k = 0; k < (source->end ? 2 : 1) * columns; k++) c[k] *= source->share;
}

void force_make_thresholds(const Force *forward, const Force *backward, double scale, Reader *reader,
                           SimProblem *problem) {
  int d = problem->d;
  bool listed = forward->listed || (backward && backward->listed);
  int columns = listed ? d : 1;
  Source source = {.force = forward, .end = backward, .share = scale, .problem = problem, .columns = columns};
  const Purpose purpose = {"model.friction", "thresholds in pieces of time", "below 0", ">= 0 at every time", columns,
                           2 * columns,      stiction_problem_set_thresholds};
  if (is_of(forward, d) && (!backward || is_of(backward, d)) &&
      serves_storage(reader, problem, purpose.key, "a list in time", listed))
    make(&purpose, &source, thresholds_at, reader, problem);
}

/* A force in pieces of time, for schemes without a grid. */
#include "src/values/force_track.h"

#include <math.h>
#include <stdlib.h>

/* What a piece takes to be made, a degree of freedom. */
static const double SECONDS_A_PIECE = 1e-6;

typedef struct Source {
  const Force *force, *end;
  double share; /* of end; of thresholds */
  const SimProblem *problem;
  int columns; /* of thresholds */
} Source;

static void at(void *context, double t, double *f) {
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

/* Adds the ends of pieces inside 0..end, of all tracks, and the times of what has been measured; returns how many there are
 * then. */
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

/* How often it is looked whether the pieces hold, besides their own places: once a step, so that a pulse of a step's length is seen. */
static long looks_of(const Force *force, const SimProblem *problem) {
  enum { LEAST = 512, MOST = 16384 };
  if (force_is_constant(force)) return 0;
  return problem->steps < LEAST ? LEAST : problem->steps > MOST ? MOST : problem->steps;
}

static long most_looks(long a, long b) { return a > b ? a : b; }

/* In order, each once; returns how many. */
static int sort_breaks(int n, double *breaks) {
  int kept = 0;
  qsort(breaks, (size_t)n, sizeof *breaks, compare);
  for (int k = 0; k < n; k++)
    if (kept == 0 || breaks[k] > breaks[kept - 1]) breaks[kept++] = breaks[k];
  return kept;
}

static void tell(const Force *force, Reader *reader, const SimProblem *problem, double t) {
  for (const Track *track = force->tracks; track < force->tracks + force->n; track++) {
    const Piece *piece = track_piece(track, t, TRACK_TOLERANCE * problem->step);
    double value = piece ? piece_value(piece, t) : 0;
    if (!piece)
      track_tell_uncovered(track, reader, t);
    else if (!isfinite(value))
      document_error(reader->document, reader->diagnostics, piece->key,
                     "%g at t = %.12g (expected a finite value at every time)", value, t);
  }
}

static void tell_swinging(Reader *reader, const char *key, double t) {
  document_error(reader->document, reader->diagnostics, key,
                 "swings too fast to be held as polynomials in time, of which there are too many by t = %.9g", t);
}

/* How many pieces and samples it has; -1: it is wrong, or written for another number of degrees of freedom. */
static long count_pieces(const Force *force, int d) {
  long n = 0;
  if (force->listed && force->n != d) return -1;
  for (int i = 0; i < force->n; i++) {
    if (force->tracks[i].wrong) return -1;
    n += force->tracks[i].n;
  }
  for (int i = 0; i < force->n_samples; i++) n += samples_count(force->samples[i]);
  return n;
}

/* Whether what that many pieces and samples take is allowed; told if not. */
static bool pieces_allowed(Reader *reader, const char *key, const char *what, long n, int columns) {
  double bytes = 2 * (double)n * (double)sim_piece_size(columns) * sizeof(double);
  return work_allowed(reader, key, what, SECONDS_A_PIECE * (double)n * columns, bytes);
}

void force_make_pieces(const Force *force, const Force *end, double share, Reader *reader, SimProblem *problem) {
  Source source = {.force = force, .end = end, .share = share, .problem = problem};
  long looks = most_looks(looks_of(force, problem), end ? looks_of(end, problem) : 0);
  const SimLoad load = {.context = &source, .at = at, .looks = looks};
  long own = count_pieces(force, problem->d), at_end = end ? count_pieces(end, 0) : 0;
  if (own < 0 || at_end < 0) return;
  if (!pieces_allowed(reader, "model.force", "the force in pieces of time", own + at_end, problem->d)) return;
  double where, *breaks = diagnostics_calloc(reader->diagnostics, (size_t)(own + at_end), sizeof *breaks);
  if (!breaks) return;
  int n = add_breaks(force, problem->end, 0, breaks);
  if (end) n = add_breaks(end, problem->end, n, breaks);
  SimStatus status = sim_problem_set_pieces(problem, &load, sort_breaks(n, breaks), breaks, &where);
  free(breaks);
  if (status == SIM_NO_MEMORY) reader->diagnostics->no_memory = true;
  if (status == SIM_NOT_CONVERGED) tell_swinging(reader, "model.force", where);
  if (status != SIM_NON_FINITE) return;
  tell(force, reader, problem, where);
  if (end) tell(end, reader, problem, where);
}

static void surface_speed(void *context, double t, double *w) {
  const Source *source = context;
  force_at(source->force, source->problem, t, 0, source->force->listed ? source->force->n : 1, w);
}

/* One for all rows, or one each. */
void force_make_surface(const Force *force, Reader *reader, SimProblem *problem) {
  static const char key[] = "model.surface_velocity";
  Source source = {.force = force, .problem = problem};
  bool sparse = problem->kind == SIM_FRICTION && problem->system.storage == SIM_SPARSE;
  int columns = force->listed ? problem->d : 1;
  long own = count_pieces(force, problem->d);
  if (own < 0) return;
  const SimLoad speed = {
      .context = &source, .constant = force_is_constant(force), .at = surface_speed, .looks = looks_of(force, problem)};
  if (sparse && force->listed) {
    document_error(reader->document, reader->diagnostics, key,
                   "a list with sparse matrices (expected one for all degrees of freedom)");
    return;
  }
  if (!pieces_allowed(reader, key, "the speed of surfaces in pieces of time", own, columns)) return;
  double where, *breaks = diagnostics_calloc(reader->diagnostics, (size_t)own, sizeof *breaks);
  if (!breaks) return;
  int n = sort_breaks(add_breaks(force, problem->end, 0, breaks), breaks);
  SimStatus status = sim_problem_set_surface(problem, columns, &speed, n, breaks, &where);
  free(breaks);
  if (status == SIM_NO_MEMORY) reader->diagnostics->no_memory = true;
  if (status == SIM_NON_FINITE) tell(force, reader, problem, where);
  if (status == SIM_NOT_CONVERGED) tell_swinging(reader, key, where);
  if (status == SIM_BAD_PROBLEM)
    document_error(reader->document, reader->diagnostics, key,
                   "a jump at t = %.9g (expected a speed without jumps: a steep slope, say)", where);
}

/* Columns of forward, then of backward. */
static void thresholds_at(void *context, double t, double *c) {
  const Source *source = context;
  int columns = source->columns;
  force_at(source->force, source->problem, t, 0, columns, c);
  if (source->end) force_at(source->end, source->problem, t, 0, columns, c + columns);
  for (int k = 0; k < (source->end ? 2 : 1) * columns; k++) c[k] *= source->share;
}

void force_make_thresholds(const Force *forward, const Force *backward, double scale, Reader *reader,
                           SimProblem *problem) {
  static const char key[] = "model.friction";
  bool listed = forward->listed || (backward && backward->listed);
  Source source = {
      .force = forward, .end = backward, .share = scale, .problem = problem, .columns = listed ? problem->d : 1};
  long looks = most_looks(looks_of(forward, problem), backward ? looks_of(backward, problem) : 0);
  const SimLoad load = {.context = &source, .at = thresholds_at, .looks = looks};
  long own = count_pieces(forward, problem->d), behind = backward ? count_pieces(backward, problem->d) : 0;
  if (own < 0 || behind < 0) return;
  if (listed && problem->system.storage == SIM_SPARSE) {
    document_error(reader->document, reader->diagnostics, key,
                   "a list in time with sparse matrices (expected one for all degrees of freedom)");
    return;
  }
  if (!pieces_allowed(reader, key, "thresholds in pieces of time", own + behind, 2 * source.columns)) return;
  double where, *breaks = diagnostics_calloc(reader->diagnostics, (size_t)(own + behind), sizeof *breaks);
  if (!breaks) return;
  int n = add_breaks(forward, problem->end, 0, breaks);
  if (backward) n = add_breaks(backward, problem->end, n, breaks);
  SimStatus status = sim_problem_set_thresholds(problem, source.columns, &load, sort_breaks(n, breaks), breaks, &where);
  free(breaks);
  if (status == SIM_NO_MEMORY) reader->diagnostics->no_memory = true;
  if (status == SIM_NON_FINITE) {
    tell(forward, reader, problem, where);
    if (backward) tell(backward, reader, problem, where);
  }
  if (status == SIM_NOT_CONVERGED) tell_swinging(reader, key, where);
  if (status == SIM_BAD_PROBLEM)
    document_error(reader->document, reader->diagnostics, key, "below 0 at t = %.9g (expected >= 0 at every time)",
                   where);
}

/* A force in pieces of time, for schemes without a grid. */
#include "src/values/force_track.h"

#include <math.h>
#include <stdlib.h>

typedef struct Source {
  const Force *force;
  const SimProblem *problem;
} Source;

static void at(void *context, double t, double *f) {
  const Source *source = context;
  force_at(source->force, source->problem, t, 0, source->problem->d, f);
}

static int compare(const void *a, const void *b) {
  const double *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

/* The ends of pieces inside 0..end, of all tracks, each once; returns how many. */
static int list_breaks(const Force *force, double end, double *breaks) {
  int n = 0, kept = 0;
  for (const Track *track = force->tracks; track < force->tracks + force->n; track++)
    for (int k = 0; k < track->n; k++)
      if (track->pieces[k].until > 0 && track->pieces[k].until < end) breaks[n++] = track->pieces[k].until;
  qsort(breaks, (size_t)n, sizeof *breaks, compare);
  for (int k = 0; k < n; k++)
    if (kept == 0 || breaks[k] > breaks[kept - 1]) breaks[kept++] = breaks[k];
  return kept;
}

static void tell(const Force *force, Reader *reader, const SimProblem *problem, double t) {
  for (const Track *track = force->tracks; track < force->tracks + force->n; track++) {
    const Piece *piece = track_piece(track, t, TRACK_TOLERANCE * problem->step);
    double value = piece ? expression_evaluate(piece->expression, &t) : 0;
    if (!piece)
      track_tell_uncovered(track, reader, t);
    else if (!isfinite(value))
      document_error(reader->document, reader->diagnostics, piece->key,
                     "%g at t = %.12g (expected a finite value at every time)", value, t);
  }
}

void force_make_pieces(const Force *force, Reader *reader, SimProblem *problem) {
  Source source = {force, problem};
  const SimLoad load = {.context = &source, .at = at};
  size_t most = 0;
  if (force->listed && force->n != problem->d) return;
  for (int i = 0; i < force->n; i++) {
    if (force->tracks[i].wrong) return;
    most += (size_t)force->tracks[i].n;
  }
  double where, *breaks = diagnostics_calloc(reader->diagnostics, most, sizeof *breaks);
  if (!breaks) return;
  SimStatus status = sim_problem_set_pieces(problem, &load, list_breaks(force, problem->end, breaks), breaks, &where);
  free(breaks);
  if (status == SIM_NO_MEMORY) reader->diagnostics->no_memory = true;
  if (status == SIM_NON_FINITE) tell(force, reader, problem, where);
}

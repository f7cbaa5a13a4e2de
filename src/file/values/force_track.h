/* The parts of a Force; private to force.c and force_rate.c. */
#ifndef SRC_FORCE_TRACK_H
#define SRC_FORCE_TRACK_H

#include "src/file/values/force.h"
#include "src/file/values/samples.h"

/* Tolerance for comparing times, relative to the step. */
#define TRACK_TOLERANCE 1e-9

typedef struct Piece {
  double until;           /* s; INFINITY: until the end */
  Expression *expression; /* NULL: measured, or an error */
  const Samples *samples; /* NULL: none; owned by the force */
  int column;             /* column of the samples */
  char *key;              /* for diagnostics */
  bool used;              /* holds at some time of the grid */
  bool reported;          /* an error was reported: not finite at some time */
} Piece;

/* The force on one degree of freedom, or on all. */
typedef struct Track {
  Piece *pieces; /* [n], until increasing */
  int n;
  bool listed; /* written as a list of pieces */
  bool wrong;
  char *key;
} Track;

struct Force {
  int shares;    /* number of references in addition to the first */
  Track *tracks; /* [n] */
  int n;
  bool listed;       /* one track for each degree of freedom */
  bool measured;     /* all tracks come from one file, samples[0] */
  Samples **samples; /* [n_samples] owned */
  int n_samples;
};

/* Returns the force of a piece at time t, N. */
double piece_value(const Piece *piece, double t);

/* Which piece holds at the time where one ends and the next begins. */
typedef enum TrackSide { FROM_THE_LEFT, FROM_THE_RIGHT } TrackSide;

/* Returns the first piece that extends to t - tolerance; NULL if there is none. */
Piece *track_piece(const Track *track, double t, double tolerance);

/* Updates the progress line from time to time: k of count times are done. */
void track_show(const Track *track, Reader *reader, long k, long count);

void track_report_uncovered(const Track *track, Reader *reader, double t);

/* Fills one column of a table [sim_force_count][columns], which begins at table; reports the same errors as
 * force_tabulate. */
void track_tabulate(const Track *track, Reader *reader, const SimProblem *problem, TrackSide side, int columns,
                    double *table);

/* Copies the first column of a table into columns 2 to `wanted`. */
void track_repeat(const SimProblem *problem, int columns, int wanted, double *table);

#endif

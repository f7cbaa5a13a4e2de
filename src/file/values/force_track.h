/* What a Force is made of: private to force.c and force_rate.c. */
#ifndef SRC_FORCE_TRACK_H
#define SRC_FORCE_TRACK_H

#include "src/file/values/force.h"
#include "src/file/values/samples.h"

/* Times are compared up to this times the step. */
#define TRACK_TOLERANCE 1e-9

typedef struct Piece {
  double until;           /* s; INFINITY: for ever */
  Expression *expression; /* NULL: wrong, or measured */
  const Samples *samples; /* NULL: none; the force's */
  int column;             /* of these */
  char *key;              /* for diagnostics */
  bool used;              /* at some time of the grid */
  bool told;              /* that it is not finite somewhere */
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
  int shares;    /* besides the first */
  Track *tracks; /* [n] */
  int n;
  bool listed;       /* one track for each degree of freedom */
  bool measured;     /* all of them in one file, samples[0] */
  Samples **samples; /* [n_samples] owned */
  int n_samples;
};

/* The force of a piece at a time. */
double piece_value(const Piece *piece, double t);

/* Which piece holds where one ends and the next begins. */
typedef enum TrackSide { FROM_THE_LEFT, FROM_THE_RIGHT } TrackSide;

/* The first piece that reaches t - tolerance; NULL when none does. */
Piece *track_piece(const Track *track, double t, double tolerance);

/* Shows now and then that k of count times are done. */
void track_show(const Track *track, Reader *reader, long k, long count);

void track_tell_uncovered(const Track *track, Reader *reader, double t);

/* Fills one column of a table [sim_force_count][columns], which begins at table; tells what force_tabulate tells. */
void track_tabulate(const Track *track, Reader *reader, const SimProblem *problem, TrackSide side, int columns,
                    double *table);

/* Copies the first column of a table into those up to the `wanted`-th. */
void track_repeat(const SimProblem *problem, int columns, int wanted, double *table);

#endif

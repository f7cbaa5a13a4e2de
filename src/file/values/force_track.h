/* SPDX-License-Identifier: BSD-2-Clause */
/* The structs that make up a Force (force.h): tracks, one for each degree of freedom, and their pieces in time. Only
 * force*.c use them. */
#ifndef SRC_FORCE_TRACK_H
#define SRC_FORCE_TRACK_H

#include "src/file/values/force.h"
#include "src/file/values/samples.h"

/* Tolerance for comparing times, relative to the step. */
#define TRACK_TOLERANCE 1e-9

typedef struct Piece {
  double until;           /* end of the piece, in s; INFINITY: the end of the motion */
  Expression *expression; /* expression of the force; NULL: the force is measured, or the expression has an error */
  const Samples *samples; /* measured values of the force; NULL: there are none; owned by the force */
  int column;             /* column of `samples` with the values of this piece */
  char *key;              /* key for diagnostics */
  bool used;              /* whether the piece contains a time of the grid */
  bool reported;          /* whether it has been reported that the piece is not finite at some time */
} Piece;

/* The force on one degree of freedom, or the same force on all of them. */
typedef struct Track {
  Piece *pieces; /* [n] the pieces, ordered by `until` */
  int n;
  bool listed; /* whether the file gives the track as a list of pieces */
  bool wrong;
  char *key;
} Track;

struct Force {
  int shares;    /* number of references in addition to the first */
  Track *tracks; /* [n] a track for each degree of freedom, or a single track for all */
  int n;
  bool listed;       /* whether the file gives a list with one track for each degree of freedom */
  bool measured;     /* whether all tracks come from one file, samples[0] */
  Samples **samples; /* [n_samples] measured values; owned */
  int n_samples;
};

/* Returns the force of a piece at time t, in N. */
double piece_value(const Piece *piece, double t);

/* Selects one of two adjacent pieces at the time at which one ends and the next begins: the piece on the left of this
 * time, or the one on its right. */
typedef enum TrackSide { FROM_THE_LEFT, FROM_THE_RIGHT } TrackSide;

/* Returns the first piece that holds at t - tolerance or later; NULL if there is none. */
Piece *track_piece(const Track *track, double t, double tolerance);

/* Updates the progress line from time to time. It shows that the force has been evaluated at k of `count` times. */
void track_show(const Track *track, Reader *reader, long k, long count);

void track_report_uncovered(const Track *track, Reader *reader, double t);

/* Fills one column of a table [sim_force_count][columns]; `table` points to the first entry of the column. Reports the
 * same errors as force_tabulate. */
void track_tabulate(const Track *track, Reader *reader, const SimProblem *problem, TrackSide side, int columns,
                    double *table);

/* Copies the first column of a table into the columns 2 to `wanted`. */
void track_repeat(const SimProblem *problem, int columns, int wanted, double *table);

#endif

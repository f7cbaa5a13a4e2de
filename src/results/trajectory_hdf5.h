/* trajectory.h5: a rollout as datasets of an HDF5 file, written as it goes by one process or by several together.
 *
 *     t [n], s;   NAME [n][d] for each vector, NAME [n] for each scalar, NAME [n][p] of the controls
 *     dof [d], 1 to d, or, where the model has positions, s [d], m;   control [p], 1 to p
 *
 * t, dof, s and control are the dimension scales of the others, and the labels of their dimensions.
 * n grows no further than announced: all datasets are laid out in full when the file is created, and nothing but their
 * numbers changes afterwards. So the file can be read at any time, also after the writer was killed: rows not reached
 * have t = NaN. hdf5_close may cut them off. Every dataset has an attribute `units`; the file has `format`, `title` and `problem` (as
 * understood, JSON). What is [n][..] carries PETSc's attribute `timestepping`: its viewer loads row k as a Vec. */
#ifndef SRC_TRAJECTORY_HDF5_H
#define SRC_TRAJECTORY_HDF5_H

#include <mpi.h>
#include <stdbool.h>

typedef struct Hdf5File Hdf5File;

/* What a row has: one number, d, or p. */
typedef enum Hdf5Row { HDF5_SCALAR, HDF5_DOFS, HDF5_CONTROLS, HDF5_N_ROWS } Hdf5Row;

typedef struct Hdf5Column {
  const char *name, *units;
  Hdf5Row row;
} Hdf5Column;

typedef struct Hdf5Layout {
  long n;           /* rows at most, >= 1 */
  int d;            /* numbers in a row of a vector */
  int controls;     /* p, >= 1 where a column is of the controls */
  int first, count; /* those of this process: first..first + count - 1 */
  MPI_Comm comm; /* of the processes that write together; MPI_COMM_NULL: this one alone, MPI need not be initialised */
  int n_columns; /* besides t */
  const Hdf5Column *columns;
  const double *positions; /* [count] s; NULL: none */
  const char *title;       /* NULL: none */
  const char *problem;
} Hdf5Layout;

enum { HDF5_COLUMNS_MAX = 16 };

/* Creates the file. Collective over layout->comm, as all here. NULL: it could not be done. layout: not kept, but for comm.
 */
Hdf5File *hdf5_create(const char *path, const Hdf5Layout *layout);

/* Whether hdf5_reopen can go on with a file, which may be damaged: a process of its own tries, for HDF5 may crash. The first
 * process alone asks. */
bool hdf5_holds(const char *path, const Hdf5Layout *layout, long rows);

/* One that is there, of this layout, to go on behind its first `rows` rows: what is behind them is forgotten. NULL: it could
 * not be done; it is another file, or has been cut. */
Hdf5File *hdf5_reopen(const char *path, const Hdf5Layout *layout, long rows);

/* Puts what has been appended on the disk: how many rows that are, or -1. */
long hdf5_sync(Hdf5File *file);

/* The next row: data[c] is [count]; [1] of a scalar, [p] of the controls (the first process's are written). Returns 0 or -1. */
int hdf5_append(Hdf5File *file, double t, const double *const *data);

/* cut: nobody will go on with it. Returns 0, or -1 when the file could not be written in full. NULL: 0. */
int hdf5_close(Hdf5File *file, bool cut);

#endif

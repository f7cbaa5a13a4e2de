/* SPDX-License-Identifier: BSD-2-Clause */
/* The sections identify and measured. They name the parameters to identify and the measured motion to fit. */
#ifndef SRC_PROBLEM_IDENTIFICATION_H
#define SRC_PROBLEM_IDENTIFICATION_H

#include "src/file/values/reader.h"

/* A number in the section model that the fit to the measured motion determines. */
typedef struct FitParameter {
  char path[NODE_PATH_SIZE]; /* path of the number, as the option --set takes it, e.g. "model.friction[1]" */
  double start;              /* value in the file */
  double lower, upper;
} FitParameter;

/* The quantity in one column of the measured file. */
typedef struct MeasuredColumn {
  int dof; /* number of the degree of freedom, from 0 */
  bool velocity;
} MeasuredColumn;

typedef struct Measured {
  double t;
  int dof; /* number of the degree of freedom, from 0 */
  bool velocity;
  double value, deviation; /* measured value and its standard deviation, m or m/s */
  long cell;               /* index row * columns + column of the value in the file; -1: the value is not in the
                            * file, but 0 since the dof was observed to stick */
} Measured;

enum {
  FIT_PARAMETERS_MAX = 64,
  FIT_CELLS_MAX = 1000000,
  FIT_STICK_POINTS = 8 /* number of points in each observed interval of sticking at which v = 0 is required */
};

struct Identification {
  int n;
  FitParameter parameters[FIT_PARAMETERS_MAX];
  long starts;
  char *file; /* absolute path of the measured file; owned, like all pointers here */
  double position_deviation, velocity_deviation;
  int columns;
  MeasuredColumn *column; /* [columns] quantities in the columns of the file */
  long rows;
  double *times;      /* [rows] times of the rows, in s */
  long m, data;       /* m: number of residuals; data: number of residuals that compare the motion with a value of the
                       * measured file */
  Measured *measured; /* [m] measured values in the order of time */
  Diagnostics late;   /* errors about samples after time.end; only the command `identify` reports them */
};

/* The keys of the sections identify and measured. */
extern const SimParameter identify_parameters[], measured_parameters[];

/* Reads the sections identify and measured into reader->problem->identification, which is NULL if both are absent. The
 * model and the time must have been read before. */
void read_identification(Reader *reader, Node *root);
/* Marks the sections identify and measured as known, so that their keys are not reported as unknown, but does not read
 * them. */
void pass_identification(Reader *reader, Node *root);
/* Reads the section measured into the members of Identification from `file` on. Returns false after reporting an
 * error. */
bool read_measured(Reader *reader, Node *section, Identification *identification);
void identification_destroy(Identification *identification); /* NULL is allowed */

/* Reports errors that prevent an identification but no other command. Returns 0, EXIT_USAGE or EXIT_INTERNAL; 0 if
 * identification is NULL. */
int identification_check(Identification *identification, Diagnostics *diagnostics);

/* Adds the sections identify and measured with resolved values to a JSON object. Returns false if there is no
 * memory. */
bool identification_echo(const Identification *identification, json_t *object);

#endif

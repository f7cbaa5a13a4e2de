/* The sections identify and measured: the parameters to identify and the measured motion to fit. */
#ifndef SRC_PROBLEM_IDENTIFICATION_H
#define SRC_PROBLEM_IDENTIFICATION_H

#include "src/file/values/reader.h"

/* A number of the file's section model that is identified. */
typedef struct FitParameter {
  char path[NODE_PATH_SIZE]; /* "model.friction[1]", as in --set */
  double start;              /* value in the file */
  double lower, upper;
} FitParameter;

/* Quantity in a column of the measured file. */
typedef struct MeasuredColumn {
  int dof; /* from 0 */
  bool velocity;
} MeasuredColumn;

typedef struct Measured {
  double t;
  int dof; /* from 0 */
  bool velocity;
  double value, deviation; /* m, or m/s */
  long cell;               /* row * columns + column in the file; -1: a dof that was observed to stick */
} Measured;

enum {
  FIT_PARAMETERS_MAX = 64,
  FIT_CELLS_MAX = 1000000,
  FIT_STICK_POINTS = 8 /* points in each interval of sticking at which v = 0 */
};

struct Identification {
  int n;
  FitParameter parameters[FIT_PARAMETERS_MAX];
  long starts;
  char *file; /* absolute path; owned, like all pointers here */
  double position_deviation, velocity_deviation;
  int columns;
  MeasuredColumn *column; /* [columns] */
  long rows;
  double *times;      /* [rows] */
  long m, data;       /* number of residuals; number of those that are cells of the file */
  Measured *measured; /* [m] ordered by time */
  Diagnostics late;   /* errors about samples after time.end; they matter only for identification */
};

/* Keys of both sections. */
extern const SimParameter identify_parameters[], measured_parameters[];

/* Reads both sections into reader->problem->identification; the model and the time must be known. NULL if both are
 * absent. */
void read_identification(Reader *reader, Node *root);
/* Marks both sections as known without reading them. */
void pass_identification(Reader *reader, Node *root);
/* Reads the section measured, all members from `file` on. Returns false after reporting an error. */
bool read_measured(Reader *reader, Node *section, Identification *identification);
void identification_destroy(Identification *identification); /* NULL: does nothing */

/* Reports errors that prevent an identification but no other command. Returns 0, EXIT_USAGE or EXIT_INTERNAL.
 * identification: may be NULL. */
int identification_check(Identification *identification, Diagnostics *diagnostics);

/* Adds both sections with resolved values to an object. Returns false if there is no memory. */
bool identification_echo(const Identification *identification, json_t *object);

#endif

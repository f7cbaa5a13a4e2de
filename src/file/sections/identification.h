/* What is to be identified, and the motion measured that it is found by: the sections identify and measured. */
#ifndef SRC_PROBLEM_IDENTIFICATION_H
#define SRC_PROBLEM_IDENTIFICATION_H

#include "src/file/values/reader.h"

/* A number of the file's section model. */
typedef struct FitParameter {
  char path[NODE_PATH_SIZE]; /* "model.friction[1]", as of --set */
  double start;              /* as the file has it */
  double lower, upper;
} FitParameter;

/* What a column of the measured file is of. */
typedef struct MeasuredColumn {
  int dof; /* from 0 */
  bool velocity;
} MeasuredColumn;

typedef struct Measured {
  double t;
  int dof; /* from 0 */
  bool velocity;
  double value, deviation; /* m, or m/s */
  long cell;               /* row columns + column of the file; -1: a dof that was seen to stick */
} Measured;

enum {
  FIT_PARAMETERS_MAX = 64,
  FIT_CELLS_MAX = 1000000,
  FIT_STICK_POINTS = 8 /* of an interval, at which v = 0 */
};

struct Identification {
  int n;
  FitParameter parameters[FIT_PARAMETERS_MAX];
  long starts;
  char *file; /* real path; owned, like the rest */
  double position_deviation, velocity_deviation;
  int columns;
  MeasuredColumn *column; /* [columns] */
  long rows;
  double *times;      /* [rows] */
  long m, data;       /* residuals; those that are cells of the file */
  Measured *measured; /* [m] in the order of their times */
  Diagnostics late;   /* what was measured after time.end: a mistake only where numbers are to be identified by it */
};

/* The keys. */
extern const SimParameter identify_parameters[], measured_parameters[];

/* Reads both into reader->problem->identification, once the model and the time are known; neither there: NULL. */
void read_identification(Reader *reader, Node *root);
/* Has both known, and nothing of them read. */
void pass_identification(Reader *reader, Node *root);
/* The section measured: all from file on. False: told. */
bool read_measured(Reader *reader, Node *section, Identification *identification);
void identification_destroy(Identification *identification); /* NULL: nothing */

/* Reports what stands in the way of an identification, and of nothing else. Returns 0, EXIT_USAGE or EXIT_INTERNAL. identification: may be NULL. */
int identification_check(Identification *identification, Diagnostics *diagnostics);

/* Both as they were understood, into an object. False: no memory. */
bool identification_echo(const Identification *identification, json_t *object);

#endif

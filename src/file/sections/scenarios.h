/* Motions of one problem whose numbers are not quite known: the section scenarios. */
#ifndef SRC_PROBLEM_SCENARIOS_H
#define SRC_PROBLEM_SCENARIOS_H

#include "src/file/values/reader.h"

enum { SCENARIOS_MAX = 1000000, SCENARIO_DIMENSIONS_MAX = 40 };

typedef enum ScenarioDistribution { SCENARIO_UNIFORM, SCENARIO_NORMAL } ScenarioDistribution;

/* What varies on its own, by z: a number of the file, or several together. z is in [-1, 1], or normal, of deviation 1. */
typedef struct VariedDimension {
  char path[NODE_PATH_SIZE]; /* "model.friction[1]", as of --set */
  bool several;              /* numbers, together */
  double value,
      width; /* the number is value + width z; of several the factor on all, or, with value 0, what is added */
} VariedDimension;

/* A number of the file: value + width z of its dimension. */
typedef struct VariedNumber {
  char path[NODE_PATH_SIZE];
  int dimension;
  double value, width;
} VariedNumber;

struct Scenarios {
  long count, seed;
  ScenarioDistribution distribution;
  bool correlated;
  bool table; /* model.friction_table varies: `friction`, which is the table's, is in lists */
  int n;
  VariedDimension dimensions[SCENARIO_DIMENSIONS_MAX]; /* [n] */
  int numbers;
  VariedNumber *number; /* [numbers] owned, as the rest */
  json_t *vary;         /* as it was understood */
  json_t *lists;        /* keys of the model whose one number stands for many: those, written out */
  json_t *written;      /* keys of the model in which something varies, as they were written */
};

/* The keys. */
extern const SimParameter scenario_parameters[];

/* Reads the section into reader->problem->scenarios, once the model is known; it is not there: NULL. */
void read_scenarios(Reader *reader, Node *root);
/* Has it known, and nothing of it read. */
void pass_scenarios(Reader *reader, Node *root);
void scenarios_destroy(Scenarios *scenarios); /* NULL: nothing */

/* Adds the section to the echo of a problem, whose model is in it. False: no memory. */
bool scenarios_echo(const Scenarios *scenarios, json_t *echo);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* The section scenarios: motions of one problem for different values of uncertain quantities, such as masses. */
#ifndef SRC_PROBLEM_SCENARIOS_H
#define SRC_PROBLEM_SCENARIOS_H

#include "src/file/values/reader.h"

enum { SCENARIOS_MAX = 1000000, SCENARIO_DIMENSIONS_MAX = 40 };

typedef enum ScenarioDistribution { SCENARIO_UNIFORM, SCENARIO_NORMAL } ScenarioDistribution;

/* An independent random variable z of the scenarios, uniform in [-1, 1] or standard normal. Either one number of the
 * problem file depends on z, or several numbers depend on z together. */
typedef struct VariedDimension {
  char path[NODE_PATH_SIZE]; /* path of the number, as the option --set takes it, e.g. "model.friction[1]" */
  bool several;              /* whether z varies several numbers together */
  /* With the random variable z, the number of the file is value + width z. If z varies several numbers, value + width z
   * is their common factor or, if value is 0, a number that is added to each of them. */
  double value, width;
} VariedDimension;

/* A number of the file that varies. Its value is value + width z, where z is the random variable number `dimension`. */
typedef struct VariedNumber {
  char path[NODE_PATH_SIZE];
  int dimension;
  double value, width;
} VariedNumber;

struct Scenarios {
  long count, seed;
  ScenarioDistribution distribution;
  bool correlated;
  bool table; /* whether model.friction_table varies; then `lists` has the key `friction`, which is the scale of the
               * table */
  int n;
  VariedDimension dimensions[SCENARIO_DIMENSIONS_MAX]; /* [n] the random variables */
  int numbers;
  VariedNumber *number; /* [numbers] the varied numbers; owned, like all pointers here */
  json_t *vary;         /* the key `vary` with resolved values */
  json_t *lists;        /* keys of the section model that have one number for all entries in the file, here expanded to
                         * lists */
  json_t *written;      /* keys of the section model with varying numbers, as written in the file */
};

/* The keys of the section `scenarios`. */
extern const SimParameter scenario_parameters[];

/* Reads the section into reader->problem->scenarios, which is NULL if the section is absent. The model must have been
 * read before. */
void read_scenarios(Reader *reader, Node *root);
/* Marks the section `scenarios` as known, so that its keys are not reported as unknown, but does not read it. */
void pass_scenarios(Reader *reader, Node *root);
void scenarios_destroy(Scenarios *scenarios); /* NULL is allowed */

/* Adds the section to the echo (resolved problem) of a problem, which must already have the model. Returns false if
 * there is no memory. */
bool scenarios_echo(const Scenarios *scenarios, json_t *echo);

#endif

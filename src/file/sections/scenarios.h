/* The section scenarios: motions of one problem for different values of uncertain numbers. */
#ifndef SRC_PROBLEM_SCENARIOS_H
#define SRC_PROBLEM_SCENARIOS_H

#include "src/file/values/reader.h"

enum { SCENARIOS_MAX = 1000000, SCENARIO_DIMENSIONS_MAX = 40 };

typedef enum ScenarioDistribution { SCENARIO_UNIFORM, SCENARIO_NORMAL } ScenarioDistribution;

/* An independent random variable z of the scenarios. It varies one number of the file, or several together. z is
 * uniform in [-1, 1] or standard normal. */
typedef struct VariedDimension {
  char path[NODE_PATH_SIZE]; /* path as for --set, "model.friction[1]" */
  bool several;              /* whether z varies several numbers together */
  /* The number is value + width z. For several numbers, this is a common factor or, if value is 0, a common
   * increment. */
  double value, width;
} VariedDimension;

/* A number of the file; it equals value + width z of its dimension. */
typedef struct VariedNumber {
  char path[NODE_PATH_SIZE];
  int dimension;
  double value, width;
} VariedNumber;

struct Scenarios {
  long count, seed;
  ScenarioDistribution distribution;
  bool correlated;
  bool table; /* model.friction_table varies; its scale `friction` is then in lists */
  int n;
  VariedDimension dimensions[SCENARIO_DIMENSIONS_MAX]; /* [n] the dimensions */
  int numbers;
  VariedNumber *number; /* [numbers] the varied numbers; owned, like all pointers here */
  json_t *vary;         /* the key `vary` with resolved values */
  json_t *lists;        /* model keys with one number for all entries, expanded to lists */
  json_t *written;      /* keys of the model in which a number varies, as written */
};

/* The keys of the section. */
extern const SimParameter scenario_parameters[];

/* Reads the section into reader->problem->scenarios, which is NULL if the section is absent. Call it after the model
 * was read. */
void read_scenarios(Reader *reader, Node *root);
/* Marks the section as known without reading it. */
void pass_scenarios(Reader *reader, Node *root);
void scenarios_destroy(Scenarios *scenarios); /* NULL is allowed */

/* Adds the section to the echo of a problem, which must already have the model. Returns false if there is no memory. */
bool scenarios_echo(const Scenarios *scenarios, json_t *echo);

#endif

/* What acts at joints: one row each. A law is a file of this room with its equations and its row, and its name in the table below. What a problem
 * has of it, what is wrong with that, and what it stores is then known to every scheme and check. */
#ifndef SIM_JOINT_LAWS_H
#define SIM_JOINT_LAWS_H

#include "sim/features.h"
#include "sim/joint/springs.h"

typedef struct JointLaw {
  /* Which of sim/features.h a problem has of it. */
  unsigned (*features)(const SimProblem *problem);
  /* Reports what is wrong with its numbers that rows of keys do not say; NULL: nothing can be. */
  void (*check)(Check *check);
  /* What it has stored at x [count], J, this rank's share; springs: NULL where no law of springs is. NULL: it stores nothing. */
  double (*stored)(const SimProblem *problem, const Springs *springs, const double *x);
  /* The size of the terms of which that is the sum, J: their round-off is in it. */
  double (*size)(const SimProblem *problem, const Springs *springs, const double *x);
} JointLaw;

/* X(name): the row joint_law_name */
#define JOINT_LAWS(X) X(threshold) X(rise) X(drop) X(viscous) X(gearbox) X(surface) X(stops) X(springs)

/* Of all rows. */
unsigned joint_features(const SimProblem *problem);
void joint_check(Check *check);
double joint_stored(const SimProblem *problem, const Springs *springs, const double *x);
double joint_size(const SimProblem *problem, const Springs *springs, const double *x);

#endif

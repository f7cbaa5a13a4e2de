/* Laws that act at joints, one row each. A law is a file of this folder with its equations and its row, and its name in
 * the table below. All schemes then use its features, its checks and its energy. */
#ifndef SIM_JOINT_LAWS_H
#define SIM_JOINT_LAWS_H

#include "sim/features.h"
#include "sim/joint/springs.h"

typedef struct JointLaw {
  /* Returns the features (sim/features.h) of this law that a problem has. */
  SimFeatures (*features)(const SimProblem *problem);
  /* Reports errors in the numbers of this law that the rows of keys do not cover; NULL: there are none. */
  void (*check)(Check *check);
  /* Energy stored at x [count], J: this rank's share. springs: NULL in a model without spring laws. A pointer of NULL:
   * the law stores no energy. */
  double (*stored)(const SimProblem *problem, const Springs *springs, const double *x);
  /* Size of the terms of the stored energy, J; the rounding error of the energy is relative to this size. */
  double (*size)(const SimProblem *problem, const Springs *springs, const double *x);
} JointLaw;

/* The table of laws: X(name) stands for the row joint_law_name */
#define JOINT_LAWS(X) X(threshold) X(rise) X(drop) X(viscous) X(gearbox) X(surface) X(stops) X(springs)

/* Features, checks, stored energy and its size, summed over all laws of the table. */
SimFeatures joint_features(const SimProblem *problem);
void joint_check(Check *check);
double joint_stored(const SimProblem *problem, const Springs *springs, const double *x);
double joint_size(const SimProblem *problem, const Springs *springs, const double *x);

#endif

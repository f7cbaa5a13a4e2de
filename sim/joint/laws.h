/* Laws that act at joints, each described by one JointLaw. A law is a file of this folder with its equations and its
 * JointLaw, and its name in the table below. All schemes then use its features, its checks and its energy. */
#ifndef SIM_JOINT_LAWS_H
#define SIM_JOINT_LAWS_H

#include "sim/features.h"
#include "sim/joint/springs.h"

typedef struct JointLaw {
  /* Returns the features (sim/features.h) of this law that a problem has. */
  unsigned (*features)(const SimProblem *problem);
  /* Reports errors in the numbers of this law that the rows of keys do not cover; NULL: there are none. */
  void (*check)(Check *check);
  /* Returns the energy that the law stores at x [count], J: the part of this rank's rows. springs: NULL in a model
   * without spring laws. The pointer is NULL if the law stores no energy. */
  double (*stored)(const SimProblem *problem, const Springs *springs, const double *x);
  /* Returns the size of the terms of the stored energy, J. The rounding error of the energy is relative to it. */
  double (*size)(const SimProblem *problem, const Springs *springs, const double *x);
} JointLaw;

/* the table of laws: X(name) stands for the variable joint_law_name */
#define JOINT_LAWS(X) X(threshold) X(rise) X(drop) X(viscous) X(gearbox) X(surface) X(stops) X(springs)

/* Return the features, checks, stored energy and its size, combined over all laws of the table. */
unsigned joint_features(const SimProblem *problem);
void joint_check(Check *check);
double joint_stored(const SimProblem *problem, const Springs *springs, const double *x);
double joint_size(const SimProblem *problem, const Springs *springs, const double *x);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Laws that act at joints, each described by one JointLaw. A law has a file in this folder, with its equations and its
 * JointLaw, and its name in the table JOINT_LAWS. All schemes then use its features, its checks and its energy. */
#ifndef SIM_JOINT_LAWS_H
#define SIM_JOINT_LAWS_H

#include "sim/features.h"
#include "sim/joint/springs.h"

/* Describes an array of a problem: the offset of its pointer in SimProblem, and its number of doubles (0: the pointer
 * is NULL). */
typedef struct ProblemArray {
  size_t offset;
  size_t (*length)(const SimProblem *problem);
  bool over_time; /* whether sim_problem_alloc_force allocates the array; before that call the pointer to the array
                   * is NULL */
} ProblemArray;
#define PROBLEM_ARRAY(member, doubles) .offset = offsetof(SimProblem, member), .length = (doubles)

typedef struct JointLaw {
  /* Returns those features (sim/features.h) of a problem that come from this law. */
  SimFeatures (*features)(const SimProblem *problem);
  /* Reports errors in the parameters of this law that the tables of keys do not exclude; NULL: there are none. */
  void (*check)(Check *check);
  /* Arrays with the law's parameters; the last row has a length NULL. NULL: the law has no arrays. */
  const ProblemArray *arrays;
  /* Returns the energy that the law stores at x [count], in J: the part of this rank's rows. springs: NULL in a model
   * without spring laws. The pointer is NULL if the law stores no energy. */
  double (*stored)(const SimProblem *problem, const Springs *springs, const double *x);
  /* Returns the size of the terms of the stored energy, in J, relative to which its rounding error is measured. */
  double (*size)(const SimProblem *problem, const Springs *springs, const double *x);
} JointLaw;

/* The table of laws. X(name) stands for the variable joint_law_name. */
#define JOINT_LAWS(X)          X(threshold) X(rise) X(drop) X(viscous) X(gearbox) X(surface) X(stops) X(springs)
#define JOINT_LAW_NUMBER(name) JOINT_LAW_##name,
enum { JOINT_LAWS(JOINT_LAW_NUMBER) JOINT_LAW_COUNT };

/* Laws with a section of their own in the section `model` of a problem file. X(name of the law and of the section,
 * member of SimProblem that is 0 if the section is absent, description). The table sim_NAME_parameters has the keys of
 * the section. */
#define JOINT_SECTIONS(X)             X(stops, stops.present, "ends that x does not pass")
#define JOINT_SECTION_KEYS(name, ...) extern const SimParameter sim_##name##_parameters[];
JOINT_SECTIONS(JOINT_SECTION_KEYS)

/* Returns the number of this rank's dofs that have a joint; 0 for kinds of models without joints. */
size_t joint_rows(const SimProblem *problem);
/* Returns the number of doubles in the rows of a law. */
size_t joint_law_size(const SimSpringLaw *law);
/* Returns the arrays of law k of the table; NULL if the law has none. */
const ProblemArray *joint_arrays(int k);
/* These functions return or make the features, the checks, the stored energy and its size for all laws of the table
 * together. */
SimFeatures joint_features(const SimProblem *problem);
void joint_check(Check *check);
double joint_stored(const SimProblem *problem, const Springs *springs, const double *x);
double joint_size(const SimProblem *problem, const Springs *springs, const double *x);

#endif

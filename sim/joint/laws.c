/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/joint/laws.h"

#define DECLARE(name) extern const JointLaw joint_law_##name;
JOINT_LAWS(DECLARE)

#define ROW(name) &joint_law_##name,
static const JointLaw *const laws[JOINT_LAW_COUNT] = {JOINT_LAWS(ROW)};

size_t joint_rows(const SimProblem *p) { return p->kind == SIM_FRICTION ? (size_t)p->count : 0; }

size_t joint_law_size(const SimSpringLaw *law) { return (size_t)law->pieces * sim_curve_size(law->columns); }

const ProblemArray *joint_arrays(int k) { return laws[k]->arrays; }

SimFeatures joint_features(const SimProblem *p) {
  SimFeatures has = 0;
  for (int k = 0; k < JOINT_LAW_COUNT; k++) has |= laws[k]->features(p);
  return has;
}

void joint_check(Check *check) {
  for (int k = 0; k < JOINT_LAW_COUNT; k++)
    if (laws[k]->check) laws[k]->check(check);
}

double joint_stored(const SimProblem *p, const Springs *springs, const double *x) {
  double sum = 0;
  for (int k = 0; k < JOINT_LAW_COUNT; k++)
    if (laws[k]->stored) sum += laws[k]->stored(p, springs, x);
  return sum;
}

double joint_size(const SimProblem *p, const Springs *springs, const double *x) {
  double sum = 0;
  for (int k = 0; k < JOINT_LAW_COUNT; k++)
    if (laws[k]->size) sum += laws[k]->size(p, springs, x);
  return sum;
}

#include "sim/joint/laws.h"

#define DECLARE(name) extern const JointLaw joint_law_##name;
JOINT_LAWS(DECLARE)

#define ROW(name) &joint_law_##name,
static const JointLaw *const laws[] = {JOINT_LAWS(ROW)};
enum { LAWS = sizeof laws / sizeof *laws };

SimFeatures joint_features(const SimProblem *p) {
  SimFeatures has = 0;
  for (int k = 0; k < LAWS; k++) has |= laws[k]->features(p);
  return has;
}

void joint_check(Check *check) {
  for (int k = 0; k < LAWS; k++)
    if (laws[k]->check) laws[k]->check(check);
}

double joint_stored(const SimProblem *p, const Springs *springs, const double *x) {
  double sum = 0;
  for (int k = 0; k < LAWS; k++)
    if (laws[k]->stored) sum += laws[k]->stored(p, springs, x);
  return sum;
}

double joint_size(const SimProblem *p, const Springs *springs, const double *x) {
  double sum = 0;
  for (int k = 0; k < LAWS; k++)
    if (laws[k]->size) sum += laws[k]->size(p, springs, x);
  return sum;
}

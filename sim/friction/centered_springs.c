#include "sim/friction/centered_springs.h"

#include "sim/joint/springs.h"

/* The slopes of a place stand from place count on. springs_slopes is of h about e-. */
void centered_springs_find(const SimModel *model, const SimWorkspace *work, double *slopes) {
  const SimProblem *p = &model->problem;
  const double *room = work->springs;
  int count = p->count;
  springs_slopes(model->springs, 0.5, room + SPRING_FROM * count, room + SPRING_TO * count, slopes, slopes + 2 * count);
  for (SimSpringPlace place = 0; place < SIM_SPRING_PLACES; place++)
    for (int j = 0; j < springs_of(p, place); j++)
      slopes[(int)place * count + j] -= springs_stiffness(model->springs, place, j);
}

void centered_springs_mix(const SimModel *model, const double *slopes, double minus, double plus, double mean,
                          double *sum) {
  const SimProblem *p = &model->problem;
  for (SimSpringPlace place = 0; place < SIM_SPRING_PLACES; place++)
    for (int j = 0; j < springs_of(p, place); j++) {
      int at = (int)place * p->count + j;
      sum[at] = minus * slopes[at] + plus * slopes[2 * p->count + at] +
                (mean != 0 ? mean * springs_stiffness(model->springs, place, j) : 0);
    }
}

/* Derivatives of the centred scheme's steps where springs have a law. With h of sim/joint/springs.h, its mean over the way from e- to e+, about e,
 *
 *     dh = S- de- + S de + S+ de+,    S = k the law's mean stiffness,
 *
 * and a step has -dt^2 G'h on its right side. All slopes [2][count]: anchors, then links. */
#ifndef SIM_FRICTION_CENTERED_SPRINGS_H
#define SIM_FRICTION_CENTERED_SPRINGS_H

#include "sim/core/model.h"

/* S- and S+ of the step that has been solved, one behind the other: slopes [2][2][count]. */
void centered_springs_find(const SimModel *model, const SimWorkspace *work, double *slopes);
/* Combinations of them: minus S- + plus S+ + mean S, in sum [2][count]. */
void centered_springs_mix(const SimModel *model, const double *slopes, double minus, double plus, double mean,
                          double *sum);

#endif

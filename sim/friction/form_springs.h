/* Springs with a law (sim/joint/springs.h), and elastic stops like such, in the step of a StepForm: the mean of their law over
 * the way from base to x+. */
#ifndef SIM_FRICTION_FORM_SPRINGS_H
#define SIM_FRICTION_FORM_SPRINGS_H

#include "sim/friction/form.h"
#include "sim/friction/spring_step.h"

/* Where surfaces move the laws go by x = y + W: W of a step and at the ends of its way, [count]. */
typedef struct SpringPath {
  const double *now, *ahead, *past;
} SpringPath;
/* Of step n, in work->surface; NULL: none moves. Differences: before t = 0 the surfaces have gone so far that w(0) is their centred
 * velocity there. */
const SpringPath *form_springs_path(const SimModel *model, SimWorkspace *work, long n, SpringPath *path);

/* from and to, of the step's ends, become x of dof i. about, where a step's matrix has none of the laws' mean stiffness, enters as without
 * surfaces. velocities: it has all of it about x + theta (W+ - W). differences: x = about + W, and alpha (W+ - 2W + W-) on, as in y it
 * has alpha times the second difference. */
LANE_INLINE void form_springs_show(const StepForm *form, const SpringPath *path, int i, Simd *from, Simd *to,
                                   Simd *about) {
  const double now = path->now[i], ahead = path->ahead[i], past = path->past[i];
  *from += past;
  *to += ahead;
  *about =
      form->differences ? *about + now + form->alpha * (ahead - 2 * now + past) : *from + form->theta * (ahead - past);
}

/* As spring_step_solve, of step n, whose b stands in its level. */
SimStatus form_springs_solve(const SimModel *model, SimWorkspace *work, long n, SpringSolve *solve);

/* Derivatives of such a step. With h of sim/joint/springs.h, its mean over the way from e- to e+, about e,
 *
 *     dh = S- de- + S de + S+ de+,    velocities: e is e-, and S 0; differences: S = k the law's mean stiffness,
 *
 * and a step has -force G'h on its right side. All slopes [2][count]: anchors, then links. Finds S- and S+ of the step that
 * has been solved, one behind the other: slopes [2][2][count]. */
void form_springs_find(const SimModel *model, const SimWorkspace *work, double *slopes);
typedef struct SpringMix {
  double minus, plus, mean;
} SpringMix;
/* minus S- + plus S+ + mean S, in mixed [2][count], which it returns. */
const double *form_springs_mix(const SimModel *model, const double *slopes, SpringMix mix, double *mixed);

#endif

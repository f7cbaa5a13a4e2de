/* Springs with a law (sim/joint/springs.h), and elastic stops like such, in the step of a StepForm: their law's mean over the way from base to x+. */
#ifndef SIM_FRICTION_FORM_SPRINGS_H
#define SIM_FRICTION_FORM_SPRINGS_H

#include "sim/friction/form.h"
#include "sim/friction/spring_step.h"

/* Where surfaces move the laws go by x = y + W: from and to, of the step's ends, become x. Returns where a step's matrix has none of the laws' mean
 * stiffness; now: without surfaces. velocities: about x + theta (W+ - W) it has all of it. differences: x = now + W, and
 * alpha (W+ - 2W + W-) on, as in y it has alpha times the second difference; before t = 0 the surfaces have gone so far that w(0) is their
 * centred velocity there. */
const double *form_springs_show(const SimModel *model, SimWorkspace *work, long n, const double *now, double *from,
                                double *to);
/* As spring_step_solve, of step n, whose b stands in its level. */
SimStatus form_springs_solve(const SimModel *model, SimWorkspace *work, long n, SpringSolve *solve);

#endif

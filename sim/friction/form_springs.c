#include "sim/friction/form_springs.h"

#include "sim/core/surface_model.h"
#include "sim/core/thresholds.h"

#include <string.h>

const double *form_springs_show(const SimModel *model, SimWorkspace *work, long n, const double *now, double *from,
                                double *to) {
  const SimProblem *p = &model->problem;
  const StepForm *form = form_of(model);
  if (!model->surface) return now;
  size_t count = (size_t)p->count;
  double *about = work->springs + SPRING_ABOUT * count;
  double *path = work->surface + SURFACE_PATH * count, *ahead = path + count, *past = path + 2 * count;
  surface_at(p, form_time(form->differences, p, form->differences ? n + 1 : n), ahead, NULL);
  surface_at(p, n > 0 ? form_time(form->differences, p, n - 1) : 0, past, path);
  for (size_t i = 0; i < count && n == 0; i++) past[i] = ahead[i] - 2 * p->step * path[i];
  surface_at(p, form_time(form->differences, p, n), path, NULL);
  for (size_t i = 0; i < count; i++) {
    from[i] += past[i];
    to[i] += ahead[i];
    about[i] = form->differences ? now[i] + path[i] + form->alpha * (ahead[i] - 2 * path[i] + past[i])
                                 : from[i] + form->theta * (ahead[i] - past[i]);
  }
  return about;
}

SimStatus form_springs_solve(const SimModel *model, SimWorkspace *work, long n, SpringSolve *solve) {
  const SimProblem *p = &model->problem;
  const FormPlan *plan = model->plan;
  const StepForm *form = &plan->form;
  const FormLevels at = form_levels(model, work);
  const double *base = form->differences ? at.base : at.x_before;
  double *from = work->springs + SPRING_OTHER * p->count, *to = work->springs + SPRING_BASE * p->count;
  memcpy(from, base, (size_t)p->count * sizeof *from);
  memcpy(to, base, (size_t)p->count * sizeof *to);
  for (int i = 0; i < p->count && !form->differences; i++) to[i] += form->behind * at.y[i];
  const SpringStep way = {.from = from,
                          .to = to,
                          .about = form_springs_show(model, work, n, form->differences ? at.x : base, from, to),
                          .to_rate = form->ahead,
                          .theta = form->theta,
                          .weight = form->force,
                          .stops = work->own || !work->reaction ? NULL : &p->stops};
  return spring_step_solve(model, thresholds_solver(work, 0, &plan->solver), solve, work, &way, at.b, at.w,
                           &work->tally);
}

/* The slopes of a place stand from place count on. springs_slopes is of h about e-. */
void form_springs_find(const SimModel *model, const SimWorkspace *work, double *slopes) {
  const SimProblem *p = &model->problem;
  const StepForm *form = form_of(model);
  const double *room = work->springs;
  int count = p->count;
  springs_slopes(model->springs, form->theta, room + SPRING_FROM * count, room + SPRING_TO * count, slopes,
                 slopes + 2 * count);
  for (SimSpringPlace place = 0; place < SIM_SPRING_PLACES && form->differences; place++)
    for (int j = 0; j < springs_of(p, place); j++)
      slopes[(int)place * count + j] -= springs_stiffness(model->springs, place, j);
}

const double *form_springs_mix(const SimModel *model, const double *slopes, SpringMix mix, double *mixed) {
  const SimProblem *p = &model->problem;
  for (SimSpringPlace place = 0; place < SIM_SPRING_PLACES; place++)
    for (int j = 0; j < springs_of(p, place); j++) {
      int at = (int)place * p->count + j;
      mixed[at] = mix.minus * slopes[at] + mix.plus * slopes[2 * p->count + at] +
                  (mix.mean != 0 ? mix.mean * springs_stiffness(model->springs, place, j) : 0);
    }
  return mixed;
}

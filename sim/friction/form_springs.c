/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/core/surface_model.h"
#include "sim/core/thresholds.h"
#include "sim/friction/form_rows.h"

const SpringPath *form_springs_path(const SimModel *model, SimWorkspace *work, long n, SpringPath *at) {
  const SimProblem *p = &model->problem;
  const bool differences = form_of(model)->differences;
  if (!model->surface) return NULL;
  double *path = work->surface + SURFACE_PATH * p->count, *ahead = path + p->count, *past = path + 2 * p->count;
  surface_at(p, form_time(differences, p, differences ? n + 1 : n), ahead, NULL);
  surface_at(p, n > 0 ? form_time(differences, p, n - 1) : 0, past, path);
  for (int i = 0; i < p->count && n == 0; i++) past[i] = ahead[i] - 2 * p->step * path[i];
  surface_at(p, form_time(differences, p, n), path, NULL);
  *at = (SpringPath){path, ahead, past};
  return at;
}

SimStatus form_springs_solve(const SimModel *model, SimWorkspace *work, long n, SpringSolve *solve) {
  const SimProblem *p = &model->problem;
  const FormPlan *plan = model->plan;
  const StepForm *form = &plan->form;
  const FormLevels at = form_levels(model, work);
  double *room = work->springs, *from = room + SPRING_OTHER * p->count, *to = room + SPRING_BASE * p->count,
         *about = room + SPRING_ABOUT * p->count;
  SpringPath moved;
  const SpringPath *path = form_springs_path(model, work, n, &moved);
  const FormRows rows = {
      .base = lane_rows(at.base), .x = lane_rows(form->differences ? at.x : at.x_before), .y = lane_rows(at.y)};
  for (int i = 0; i < p->count; i++)
    form_way(form->differences, form, path, rows, (FormWay){lane_rows(from), lane_rows(to), lane_rows(about)}, 0, i);
  const SpringStep way = {.from = from,
                          .to = to,
                          .about = about,
                          .to_rate = form->ahead,
                          .theta = form->theta,
                          .weight = form->force,
                          .stops = work->own || !work->reaction ? NULL : &p->stops};
  return spring_step_solve(model, thresholds_solver(work, 0, &plan->solver), solve, work, &way, at.b, at.w,
                           &work->tally);
}

/* slopes: those of the springs to the ground (anchors), then from index count on those between neighbours (links).
 * springs_slopes returns the slopes of h, which is the law without its mean stiffness, about the start e- of the path.
 * So for differences the mean stiffness is subtracted from S-. */
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

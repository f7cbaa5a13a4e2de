/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/joint/outside.h"

#include "sim/joint/rise.h"
#include "sim/joint/springs.h"

#include <math.h>

/* Replaces *worst by the elongation e of dof i if e is farther beyond the range of its law than *far, which is a
 * multiple of the range's width. Then also updates *far. */
static void raise_to(SimOutside *worst, double *far, const char *key, Curve law, int dof, double e) {
  double lower = curve_lower(law), upper = curve_upper(law), beyond = fmax(e - upper, lower - e) / (upper - lower);
  if (beyond <= *far) return;
  *far = beyond;
  *worst = (SimOutside){.key = key, .dof = dof, .elongation = e};
}

SimOutside outside_find(const SimProblem *p, const double *x) {
  static const char *const keys[] = {[SIM_ANCHORS] = "model.springs.anchors", [SIM_LINKS] = "model.springs.links"};
  SimOutside worst = {0};
  double far = -INFINITY;
  if (p->kind != SIM_FRICTION || stiction_group_size(p->group) > 1) return worst;
  for (SimSpringPlace place = 0; place < SIM_SPRING_PLACES; place++) {
    const Curve law = {p->springs[place].rows, p->springs[place].pieces, p->springs[place].columns};
    for (int k = 0; k < springs_of(p, place); k++)
      raise_to(&worst, &far, keys[place], law, k, springs_elongation(place, x, k));
  }
  for (int i = 0; i < p->count && p->rise.pieces; i++)
    raise_to(&worst, &far, "model.friction_rise", rise_law(p), i, rise_elongation(p, x, i));
  return worst;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Evaluator of a problem with many scenarios. */
#include "control/base/argument.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

SimStatus ctl_stack_init(CtlStack *stack, int scenarios, const CtlEvaluator *each, int positions) {
  ARGUMENT_THERE(stack);
  *stack = (CtlStack){0};
  ARGUMENT(scenarios >= 1, "scenarios", "is below 1");
  ARGUMENT_EVALUATOR(each);
  ARGUMENT(positions >= 0 && positions <= each->m, "positions", "is not in 0..m");
  size_t rows = (size_t)each->m * ctl_row_size(each->n);
  *stack = (CtlStack){.n = each->n, .scenarios = scenarios, .positions = positions, .each = each};
  stack->rows = malloc((rows + 1) * sizeof *stack->rows);
  return stack->rows ? SIM_OK : SIM_NO_MEMORY;
}

void ctl_stack_clear(CtlStack *stack) {
  if (!stack) return;
  free(stack->rows);
  *stack = (CtlStack){0};
}

/* Adds the counts and the status of one scenario's motion to those of a point. */
static void join_final(SimFinal *all, const SimFinal *one) {
  all->iterations += one->iterations;
  all->residual = fmax(all->residual, one->residual);
  all->grazes += one->grazes;
  if (all->status == SIM_OK) all->status = one->status;
}

/* maximum number of motions that are simulated at a time */
enum { BLOCK = 64 };

/* Evaluates a few points without derivatives: the motions of all scenarios run together in vector (SIMD) lanes. */
static void simulate_scenarios(const CtlStack *stack, int count, const double *controls, SimFinal *final) {
  SimRun runs[BLOCK];
  SimFinal one[BLOCK];
  int all = stack->scenarios * count, d = stack->each->d;
  for (int first = 0; first < all; first += BLOCK) {
    int n = all - first < BLOCK ? all - first : BLOCK;
    for (int k = 0; k < n; k++) {
      int s = (first + k) / count, i = (first + k) % count;
      const CtlSimulation *simulation = &stack->simulations[s];
      runs[k] = (SimRun){simulation->model, simulation->work, controls + (ptrdiff_t)i * stack->n};
      one[k] = (SimFinal){.x = final[i].x + s * d, .v = final[i].v + s * d};
    }
    sim_batch_models(n, runs, one);
    for (int k = 0; k < n; k++) join_final(&final[(first + k) % count], &one[k]);
  }
}

/* Evaluates points without derivatives, one scenario after the other. The points run together in vector (SIMD) lanes if
 * there are enough of them. */
static void simulate_points(const CtlStack *stack, CtlWant want, int count, const double *controls, SimFinal *final) {
  SimFinal one[BLOCK];
  for (int first = 0; first < count; first += BLOCK) {
    int n = count - first < BLOCK ? count - first : BLOCK;
    if (stack->simulations && want.motion == CTL_MOTION_FILE && n < stack->each->block) {
      simulate_scenarios(stack, n, controls + (size_t)first * (size_t)stack->n, final + first);
      continue;
    }
    for (int s = 0; s < stack->scenarios; s++) {
      const CtlEvaluator *e = &stack->each[s];
      for (int i = 0; i < n; i++)
        one[i] = (SimFinal){.x = final[first + i].x + s * e->d, .v = final[first + i].v + s * e->d};
      e->evaluate(e->context, want, n, controls + (size_t)first * (size_t)e->n, one, NULL);
      for (int i = 0; i < n; i++) join_final(&final[first + i], &one[i]);
    }
  }
}

/* Evaluates one point with derivatives. If CTL_MOTION_NOMINAL is requested, the outcome of the motion with unperturbed
 * parameters is stored for each scenario. */
static void derive_point(const CtlStack *stack, CtlWant want, const double *control, SimFinal *final, double *rows) {
  const CtlEvaluator *nominal = stack->nominal ? stack->nominal : stack->each;
  bool alike = want.motion >= CTL_MOTION_NOMINAL;
  if (alike) want.motion -= CTL_MOTION_NOMINAL;
  size_t size = ctl_row_size(stack->n), bytes = size * sizeof *rows;
  for (int s = 0; s < stack->scenarios; s++) {
    const CtlEvaluator *e = alike ? nominal : &stack->each[s];
    SimFinal one = {.x = final->x + s * e->d, .v = final->v + s * e->d};
    size_t x = (size_t)stack->positions, v = (size_t)e->m - x, scenarios = (size_t)stack->scenarios, at = (size_t)s;
    if (alike && s > 0) {
      memcpy(one.x, final->x, (size_t)e->d * sizeof *one.x);
      memcpy(one.v, final->v, (size_t)e->d * sizeof *one.v);
    } else {
      e->evaluate(e->context, want, 1, control, &one, stack->rows);
      join_final(final, &one);
    }
    memcpy(rows + at * x * size, stack->rows, x * bytes);
    memcpy(rows + (scenarios * x + at * v) * size, stack->rows + x * size, v * bytes);
  }
}

static void evaluate_stack(void *context, CtlWant want, int count, const double *controls, SimFinal *final,
                           double *rows) {
  const CtlStack *stack = context;
  size_t n = (size_t)stack->n, size = (size_t)stack->scenarios * (size_t)stack->each->m * ctl_row_size(stack->n);
  for (int i = 0; i < count; i++) final[i] = (SimFinal){.x = final[i].x, .v = final[i].v, .status = SIM_OK};
  if (!want.derivatives || !stack->each->m) {
    simulate_points(stack, want, count, controls, final);
    return;
  }
  for (size_t i = 0; i < (size_t)count; i++) derive_point(stack, want, controls + i * n, &final[i], rows + i * size);
}

CtlEvaluator ctl_stacked(CtlStack *stack) {
  if (!stack || !stack->each) return (CtlEvaluator){0};
  const CtlEvaluator *one = stack->each;
  return (CtlEvaluator){.n = one->n,
                        .d = one->d * stack->scenarios,
                        .m = one->m * stack->scenarios,
                        .block = one->block,
                        .context = stack,
                        .evaluate = evaluate_stack};
}

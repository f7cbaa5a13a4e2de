/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/lanes/batch.h"
#include "sim/base/argument.h"

#include "sim/core/model.h"
#include "sim/core/scheme.h"
#include "sim/core/scheme_rows.h"
#include "sim/core/signal_mix.h"
#include "sim/friction/form.h"

#include <string.h>

static const BatchKernel *const table[] = {
    &batch_ref,
    &batch_wide_128,
#ifdef __x86_64__
    &batch_wide_avx2,
    &batch_wide_avx512,
#endif
};
enum { N_KERNELS = sizeof table / sizeof *table };

/* Sets of features that lanes support. LANES_TAKE: in all families of schemes. FORM_TAKES: in schemes with a StepForm.
 * FORM_SHARED: those of FORM_TAKES that batches of models do not support. */
#define LANES_TAKE                                                                                                     \
  (SIM_HAS(DENSE) | SIM_HAS(MANY) | SIM_HAS(DAMPING) | SIM_HAS(VISCOUS) | SIM_HAS(BIAS) | SIM_HAS(DROP) |              \
   SIM_HAS(EXPONENT) | SIM_HAS(LAW) | SIM_HAS(TABLE) | SIM_HAS(COURSES) | SIM_HAS(GEARBOX) | SIM_HAS(FIXED_POINT))
#define FORM_TAKES                                                                                                     \
  (LANES_TAKE | SIM_HAS(SURFACE) | SIM_HAS(REGULARIZED) | SIM_HAS_STOPS | SIM_HAS_SPRINGS | SIM_HAS(DYNAMICAL))
#define FORM_SHARED (SIM_HAS(COURSES) | SIM_HAS(FIXED_POINT) | SIM_HAS_STOPS | SIM_HAS_SPRINGS)
/* Features that the lanes of a family of schemes support. Models with other features are computed by the kernel ref. If
 * the control u varies in time, all lanes must be at the same step. */
static const struct LaneService {
  SimFeatures takes, varying; /* supported features for a constant u, and for a u that varies in time */
  SimFeatures shared;         /* features among `takes` that batches of models do not support */
  /* Number of controls that take about as long together as one; 0: the kernel's number of lanes. Mechanisms by `event`
   * share only the computation of series: eight take nearly as long as one after another. */
  int together;
} serves[LANE_FAMILIES] = {
    [LANES_FORM] = {FORM_TAKES, FORM_TAKES & ~SIM_HAS(FIXED_POINT), FORM_SHARED, 0},
    [LANES_SEGMENTS] = {~(SimFeatures)0, ~(SimFeatures)0, 0, 1}, /* its scheme checks the features */
    [LANES_SPLITTING] = {LANES_TAKE | SIM_HAS(MODES) | SIM_HAS(SKEW), LANES_TAKE | SIM_HAS(MODES) | SIM_HAS(SKEW), 0,
                         0},
};

const char *sim_kernel_name(int k) { return k >= 0 && k < N_KERNELS ? table[k]->name : NULL; }

bool sim_kernel_runs(int k) {
  if (k < 0 || k >= N_KERNELS) return false;
#ifdef __x86_64__
  if (table[k] == &batch_wide_avx2) return __builtin_cpu_supports("avx2");
  if (table[k] == &batch_wide_avx512) return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
#endif
  return true;
}

int batch_best_kernel(void) {
  int k = N_KERNELS - 1;
  while (!sim_kernel_runs(k)) k--;
  return k;
}

void sim_workspace_set_kernel(SimWorkspace *work, int k) {
  if (work) work->kernel = sim_kernel_runs(k) ? k : 0;
}

size_t batch_room(const SimModel *model) {
  if (model->problem.scheme->lanes == LANES_NONE || !dense_part(&model->problem, OPERATOR_MASS)) return 0;
  size_t rows = LANE_ROWS + (size_t)signal_nodes(&model->problem);
  return LANES_MAX * (rows * (size_t)model->problem.d + LANE_SINGLES);
}

/* Returns the kernel that runs a model in lanes; batch_ref if no other kernel supports it. */
static const BatchKernel *serving(const SimModel *model, const SimWorkspace *work) {
  const SimProblem *p = &model->problem;
  const struct LaneService *lanes = &serves[p->scheme->lanes];
  SimFeatures takes = p->signal == SIM_CONSTANT ? lanes->takes : lanes->varying | SIM_HAS(SIGNAL);
  bool served = !(model->features & ~takes);
  bool apart =
      /* whether each lane is at a step of its own, instead of all at the same step */
      p->scheme->lanes != LANES_SPLITTING && model->features & SIM_HAS(FIXED_POINT);
  served = served && !(apart && model->features & SIM_HAS(COURSES));
  return served && table[work->kernel]->run[p->scheme->lanes] ? table[work->kernel] : &batch_ref;
}

/* Data of a scheme that all lanes share, besides the model's numbers: weights of a step and of its friction law. Two
 * models can share lanes only if these are equal. */
typedef struct LaneCommon {
  double ahead, behind, fresh;
  bool alone; /* whether lanes would be solved one after another, so that a batch has no advantage */
} LaneCommon;

static LaneCommon common_of(const SimModel *model) {
  LaneCommon c = {0};
  const FormPlan *plan = model->plan;
  const DenseSolver *s = &plan->solver.dense;
  c.ahead = plan->form.ahead;
  c.behind = plan->form.behind;
  c.fresh = s->fresh;
  c.alone = s->coupled;
  return c;
}

/* Whether a run can be part of a batch of models. */
static bool owns(const SimRun *run) {
  const SimProblem *p = &run->model->problem;
  const BatchKernel *kernel = serving(run->model, run->work);
  return kernel->own && kernel->own[p->scheme->lanes] && !(run->model->features & serves[p->scheme->lanes].shared) &&
         !common_of(run->model).alone;
}

/* Whether two models for which `owns` is true differ only in values such as masses. */
static bool alike(const SimModel *first, const SimModel *second) {
  const SimProblem *a = &first->problem, *b = &second->problem;
  if (a->scheme != b->scheme || a->d != b->d || a->steps != b->steps || a->step != b->step || a->signal != b->signal ||
      a->segments != b->segments || a->n_control != b->n_control || a->system.stribeck != b->system.stribeck ||
      a->system.gearbox.present != b->system.gearbox.present ||
      friction_parameters(a)->multiplier != friction_parameters(b)->multiplier)
    return false;
  const LaneCommon p = common_of(first), q = common_of(second);
  return p.ahead == q.ahead && p.behind == q.behind && p.fresh == q.fresh;
}

void sim_batch_models(int n, const SimRun *runs, SimFinal *final) {
  for (int next; n > 0; n -= next, runs += next, final += next) {
    bool own = owns(runs);
    next = 1;
    while (next < n && own && owns(&runs[next]) && alike(runs->model, runs[next].model)) next++;
    if (next > 1)
      serving(runs->model, runs->work)->own[runs->model->problem.scheme->lanes](next, runs, final);
    else
      stiction_rollout(runs->model, runs->work, runs->control, NULL, final);
  }
}

const char *sim_batch_kernel(const SimModel *model, const SimWorkspace *work) {
  return model && work ? serving(model, work)->name : NULL;
}

int sim_batch_lanes(const SimModel *model, const SimWorkspace *work) {
  if (!model || !work) return 0;
  int together = serves[model->problem.scheme->lanes].together;
  return together ? together : serving(model, work)->lanes;
}

void stiction_batch(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final) {
  if (n < 1 || !final) return;
  if (!model || !work || work->model != model) {
    for (int i = 0; i < n; i++)
      final[i].status = argument_refuse("stiction_batch", "work", "is NULL, or another model's");
    return;
  }
  const BatchKernel *kernel = n > 1 ? serving(model, work) : &batch_ref;
  kernel->run[kernel == &batch_ref ? LANES_NONE : model->problem.scheme->lanes](model, work, n, control, final);
}

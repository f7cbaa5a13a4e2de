#include "sim/lanes/batch.h"

#include "sim/core/model.h"
#include "sim/core/scheme.h"
#include "sim/core/signal_mix.h"

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

const char *sim_kernel_name(int k) { return k >= 0 && k < N_KERNELS ? table[k]->name : NULL; }

bool sim_kernel_runs(int k) {
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

void sim_workspace_set_kernel(SimWorkspace *work, int k) { work->kernel = k; }

static BatchRun *lanes_of(const BatchKernel *kernel, const SimProblem *p) {
  bool marching = p->signal != SIM_CONSTANT && p->solver == SIM_FIXED_POINT; /* each lane at its own step */
  return !problem_is_dense(p) || p->multiplier == SIM_SMOOTH || p->gearbox.present || marching
             ? NULL
             : kernel->run[p->scheme->lanes];
}

size_t batch_room(const SimModel *model) {
  if (model->problem.scheme->lanes == LANES_NONE || !problem_is_dense(&model->problem)) return 0;
  size_t rows = LANE_ROWS + (size_t)signal_nodes(&model->problem);
  return LANES_MAX * (rows * (size_t)model->problem.d + LANE_SINGLES);
}

/* The kernel that serves a model. */
static const BatchKernel *serving(const SimModel *model, const SimWorkspace *work) {
  const BatchKernel *kernel = table[work->kernel];
  return lanes_of(kernel, &model->problem) ? kernel : &batch_ref;
}

const char *sim_batch_kernel(const SimModel *model, const SimWorkspace *work) { return serving(model, work)->name; }

int sim_batch_lanes(const SimModel *model, const SimWorkspace *work) { return serving(model, work)->lanes; }

void sim_batch(const SimModel *model, SimWorkspace *work, int n, const double *control, SimFinal *final) {
  const BatchKernel *kernel = table[work->kernel];
  BatchRun *run = n > 1 ? lanes_of(kernel, &model->problem) : NULL;
  if (!run) run = batch_ref.run[LANES_NONE];
  run(model, work, n, control, final);
}

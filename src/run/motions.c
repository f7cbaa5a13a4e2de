#include "src/run/motions.h"

#include "sim/group.h"
#include "src/base/exit_code.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The problem with the scheme of another motion, read from its echo. Returns 0, EXIT_USAGE when that cannot be, or EXIT_INTERNAL. */
static int make(const Problem *problem, CtlMotion motion, SimGroup *group, Problem *made) {
  const ModelRanks ranks = {.group = group, .copies = 1};
  Diagnostics refused = {0};
  Problem changed = *problem;
  changed.sim.parameters = NULL; /* the new scheme's; all else is borrowed */
  json_t *echo = ctl_motion_set(&changed.sim, motion) == SIM_OK ? problem_echo(&changed) : NULL;
  free(changed.sim.parameters);
  int code = sim_group_agree(group, echo ? 0 : EXIT_INTERNAL);
  if (!code) code = problem_echo_read(echo, &ranks, &refused, made);
  json_decref(echo);
  diagnostics_clear(&refused);
  return code;
}

/* Which rows of the target are given. False: no memory. */
static bool find_given(const Problem *problem, Motions *motions) {
  const SimProblem *sim = &problem->sim;
  size_t rows = (size_t)sim->count;
  motions->given = malloc(2 * rows + 1);
  for (size_t i = 0; i < rows && motions->given; i++) {
    motions->given[i] = !isnan(problem->control.position[(size_t)sim->first + i]);
    motions->given[rows + i] = !isnan(problem->control.velocity[(size_t)sim->first + i]);
  }
  return motions->given;
}

int motions_prepare(Problem *problem, SimGroup *group, Motions *motions) {
  unsigned wanted = ctl_method_motions(problem->control.method);
  *motions = (Motions){.problems = {[CTL_MOTION_FILE] = &problem->sim}};
  if (!wanted) return 0;
  int code = sim_group_agree(group, find_given(problem, motions) ? 0 : EXIT_INTERNAL);
  for (int k = CTL_MOTION_FILE + 1; k < CTL_MOTIONS && !code; k++) {
    if (!(wanted & problem->control.motions & 1U << k)) continue;
    motions->own[k] = calloc(1, sizeof *motions->own[k]);
    code = sim_group_agree(group, motions->own[k] ? 0 : EXIT_INTERNAL);
    if (!code) code = make(problem, (CtlMotion)k, group, motions->own[k]);
    motions->problems[k] = code ? NULL : &motions->own[k]->sim;
    if (code == EXIT_USAGE) code = 0;
  }
  for (int k = CTL_MOTION_FILE + 1; k < CTL_MOTIONS; k++)
    if (!motions->problems[k]) problem->control.motions &= ~(1U << k);
  if (code) motions_clear(motions);
  return code;
}

void motions_clear(Motions *motions) {
  for (int k = 0; k < CTL_MOTIONS; k++) {
    if (motions->own[k]) problem_clear(motions->own[k]);
    free(motions->own[k]);
  }
  free(motions->given);
  *motions = (Motions){0};
}

/* Packed form: how many flags `given` has and how many bytes each problem, then these. */
typedef struct Head {
  uint64_t given, sizes[CTL_MOTIONS];
} Head;

static Head head_of(const Motions *motions) {
  Head head = {.given = motions->given ? 2 * (uint64_t)motions->problems[CTL_MOTION_FILE]->count : 0};
  for (int k = 0; k < CTL_MOTIONS; k++)
    if (motions->problems[k]) head.sizes[k] = sim_problem_packed_size(motions->problems[k]);
  return head;
}

static size_t size_of(const Head *head) {
  size_t size = sizeof *head + head->given;
  for (int k = 0; k < CTL_MOTIONS; k++) size += head->sizes[k];
  return size;
}

size_t motions_packed_size(const Motions *motions) {
  const Head head = head_of(motions);
  return size_of(&head);
}

void motions_pack(const Motions *motions, void *bytes) {
  const Head head = head_of(motions);
  char *to = bytes;
  memcpy(to, &head, sizeof head);
  to += sizeof head;
  if (head.given) memcpy(to, motions->given, head.given);
  to += head.given;
  for (int k = 0; k < CTL_MOTIONS; k++) {
    if (head.sizes[k]) sim_problem_pack(motions->problems[k], to);
    to += head.sizes[k];
  }
}

static SimStatus unpack_problem(const char *bytes, size_t size, Motions *motions, int k) {
  motions->own[k] = calloc(1, sizeof *motions->own[k]);
  if (!motions->own[k]) return SIM_NO_MEMORY;
  motions->problems[k] = &motions->own[k]->sim;
  return sim_problem_unpack(&motions->own[k]->sim, bytes, size);
}

SimStatus motions_unpack(const void *bytes, size_t size, Motions *motions) {
  Head head = {0};
  const char *from = bytes;
  SimStatus status = SIM_OK;
  *motions = (Motions){0};
  if (size >= sizeof head) memcpy(&head, from, sizeof head);
  if (size < sizeof head || size != size_of(&head) || !head.sizes[CTL_MOTION_FILE]) return SIM_BAD_PROBLEM;
  from += sizeof head;
  if (head.given) {
    motions->given = malloc(head.given);
    if (!motions->given) return SIM_NO_MEMORY;
    memcpy(motions->given, from, head.given);
  }
  from += head.given;
  for (int k = 0; k < CTL_MOTIONS && status == SIM_OK; k++) {
    if (head.sizes[k]) status = unpack_problem(from, head.sizes[k], motions, k);
    from += head.sizes[k];
  }
  if (status != SIM_OK) motions_clear(motions);
  return status;
}

SimStatus motions_simulation(const Motions *motions, const RolloutContext *rollout, CtlSimulation *simulation) {
  return ctl_simulation_init(simulation, rollout->model, rollout->work, motions->given, motions->problems);
}

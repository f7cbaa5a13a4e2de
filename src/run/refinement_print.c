/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints a refinement, and returns it as JSON. */
#include "src/base/json_values.h"
#include "src/file/sections/saved_control.h"
#include "src/run/refinement.h"

#include <math.h>

static const char *const minimum_words[] = {
    [CTL_MINIMUM_UNKNOWN] = "unknown", [CTL_MINIMUM_YES] = "yes", [CTL_MINIMUM_NO] = "no"};

static json_t *optimality_json(const Optimality *optimality) {
  const CtlOptimality *is = &optimality->is;
  if (!optimality->sought) return NULL;
  if (optimality->status != SIM_OK) return json_pack("{s:s}", "reason", stiction_status_text(optimality->status));
  return json_pack("{s:o, s:o, s:i, s:o, s:s}", "kkt", json_finite(is->kkt), "multipliers",
                   echo_vector(is->m, is->multipliers), "rank", is->rank, "reduced_hessian_min",
                   json_finite(is->reduced_hessian_min), "local_minimum", minimum_words[is->local_minimum]);
}

json_t *refinement_optimality(const Refinement *refinement) { return optimality_json(&refinement->found); }

static json_t *levels_json(const TimeRefinement *time) {
  json_t *list = time->n ? json_array() : NULL;
  bool good = list;
  for (int k = 0; k < time->n && list; k++) {
    const TimeLevel *level = &time->levels[k];
    json_t *row = json_pack("{s:i, s:I, s:o, s:o, s:o, s:I}", "segments", level->segments, "steps",
                            (json_int_t)level->steps, "J", json_finite(level->J), "E1", json_finite(level->E1), "E2",
                            json_finite(level->E2), "evaluations", (json_int_t)level->evaluations);
    good = json_array_append_new(list, row) == 0 && good;
  }
  return json_if(good, list);
}

/* Returns the number of evaluations, summed over all numbers of segments. */
static long evaluations_of(const Refinement *refinement) {
  const TimeRefinement *time = &refinement->time;
  long sum = time->n ? 0 : refinement->answer.evaluations;
  for (int k = 0; k < time->n; k++) sum += time->levels[k].evaluations;
  return sum;
}

json_t *refinement_answer(const Refinement *refinement, const SimProblem *sim) {
  const CtlRefined *answer = &refinement->answer;
  const TimeRefinement *time = &refinement->time;
  int segments = time->n ? time->levels[time->n - 1].segments : sim->segments;
  if (!refinement->motion) return NULL;
  if (!answer->control) return json_pack("{s:s, s:s}", "motion", refinement->motion, "reason", refinement->failure);
  json_t *reason = *refinement->failure ? json_string(refinement->failure) : NULL;
  return json_pack("{s:o, s:o, s:o, s:o, s:s, s:I, s:o*, s:o*, s:o*}", "u",
                   signal_values(sim, segments, answer->control), "J", json_finite(answer->J), "E1",
                   json_finite(answer->E1), "E2", json_finite(answer->E2), "motion", refinement->motion, "evaluations",
                   (json_int_t)evaluations_of(refinement), "optimality", optimality_json(&refinement->optimality),
                   "levels", levels_json(time), "reason", reason);
}

void refinement_print(const Refinement *refinement) {
  const CtlRefined *answer = &refinement->answer;
  if (optimality_is(&refinement->found, CTL_MINIMUM_NO) && !answer->control)
    printf("not a least effort: J can fall%s\n", refinement->left_out ? " (search.refine)" : "");
  if (!refinement->motion) return;
  const char *where[] = {refinement->itself ? "on" : "by",
                         refinement->itself ? "the motion itself" : refinement->motion};
  if (!answer->control) {
    printf("not refined %s %s: %s\n", where[0], where[1], refinement->failure);
    return;
  }
  for (int k = 0; k < refinement->time.n; k++)
    printf("in %d segments: J = %.10g\n", refinement->time.levels[k].segments, refinement->time.levels[k].J);
  if (*refinement->failure) printf("no further: %s\n", refinement->failure);
  printf("refined: J = %.10g, ", answer->J);
  miss_print(1, answer->E1);
  printf(", ");
  miss_print(2, answer->E2);
  printf(" %s %s (%ld simulation%s; its u is outcome.refined.u)\n", where[0], where[1], evaluations_of(refinement),
         evaluations_of(refinement) == 1 ? "" : "s");
}

/* Prints whether the answer is a local minimum, as far as this is known. */
static void print_minimum(const Optimality *optimality) {
  /* the kkt, which is the residual of the optimality conditions, is printed if it is above this value */
  static const double LARGE = 1e-3;
  const CtlOptimality *is = &optimality->is;
  if (!optimality->sought || optimality->status != SIM_OK) return;
  printf("; local minimum: %s", minimum_words[is->local_minimum]);
  if (is->local_minimum == CTL_MINIMUM_YES) return;
  printf(" (%s", is->local_minimum == CTL_MINIMUM_NO ? "J can still fall beside it" : is->why);
  if (is->kkt > LARGE) printf("; kkt = %.2g, 0 at a least effort", is->kkt);
  printf(")");
}

long refinement_more_starts(const CtlProblem *problem, const CtlState *state) {
  /* The advice is to use TIMES as many starts as before, but at least MANY. */
  enum { MANY = 256, TIMES = 4 };
  long more = TIMES * problem->local_starts;
  if (!state->starts || problem->local_starts >= CTL_STARTS_MAX) return 0;
  return more < MANY ? MANY : more < CTL_STARTS_MAX ? more : CTL_STARTS_MAX;
}

/* Returns a positive number rounded to two digits. */
static double rounded(double number) {
  double unit = pow(10, fmax(0, floor(log10(number)) - 1));
  return unit * round(number / unit);
}

bool refinement_advise_starts(const CtlProblem *problem, const CtlState *state, char text[REFINEMENT_ADVICE_SIZE]) {
  long more = refinement_more_starts(problem, state);
  double evaluations = (double)state->evaluations, cost = more ? evaluations / (double)state->starts * (double)more : 0;
  *text = '\0';
  if (!more) return false;
  snprintf(text, REFINEMENT_ADVICE_SIZE, "search.local_starts=%ld (about %.0f evaluations; this run: %.0f)", more,
           rounded(fmax(1, cost)), rounded(fmax(1, evaluations)));
  return true;
}

void refinement_conclude(const Refinement *refinement, const CtlProblem *problem, const CtlState *state, bool met) {
  bool refined = refinement->answer.control;
  const Optimality *optimality = refined ? &refinement->optimality : &refinement->found;
  printf("J = %.10g", refined ? refinement->answer.J : state->J);
  print_minimum(optimality);
  if (state->starts && met)
    printf("; %s%ld of %ld start%s", refinement->beyond ? "found beside what was reached by " : "reached by ",
           state->reached, state->starts, state->starts == 1 ? "" : "s");
  printf("\n");
  if (!optimality->sought || optimality_is(optimality, CTL_MINIMUM_YES)) return;
  char more[REFINEMENT_ADVICE_SIZE];
  if (refinement_advise_starts(problem, state, more))
    printf("more starts may find less: --set %s\n", more);
  else if (!state->starts)
    printf("many starts may find less: --set search.method=auto\n");
}

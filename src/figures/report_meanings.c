/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/figures/report_meanings.h"

#include <stddef.h>
#include <string.h>

typedef struct Meaning {
  const char *section, *name, *text;
} Meaning;

static const Meaning meanings[] = {
    {"refined", "motion", "where it was refined: the scheme event, or the file's scheme"},
    {"refined", "evaluations", "motions simulated for it, not among the counts below"},
    {"energy", "work", "of the forces f + B u"},
    {"energy", "surface", "work of moving surfaces by friction"},
    {"energy", "stored", "gain of kinetic and elastic energy"},
    {"energy", "dissipated", "taken by friction and damping"},
    {"energy", "negative_dissipation", "given back by friction"},
    {"energy", "impacts", "taken by impacts on stops"},
    {"energy", "numerical", "taken by the scheme; below 0: brought in"},
    {"energy", "closure", "closing error at the end"},
    {"energy", "closing_error", "largest closing error less round-off, relative"},
    {"energy", "closing_time", "when that was, s"},
    {"energy", "rounded", "largest closing error by round-off, relative"},
    {"energy", "closes", "whether the balance closes"},
    {"exact", "x_T", "x(T)"},
    {"exact", "v_T", "x'(T)"},
    {"exact", "events", "changes between stick and slip"},
    {"exact", "tolerance", "of the scheme event"},
    {"exact", "residual", "by how much the motion misses its equation, relative"},
    {"exact", "residual_time", "when that was, s"},
    {"optimality", "kkt", "slope of J along what targets and bounds allow, relative: 0 at a least effort"},
    {"optimality", "multipliers", "decrease of J per unit of each entry of the target"},
    {"optimality", "rank", "entries of the target that u changes independently"},
    {"optimality", "reduced_hessian_min", "least curvature of J along what the targets leave free, relative"},
    {"optimality", "local_minimum", "yes: no control nearby costs less"},
    {"bound", "gap", "part of J above the bound"},
    {"bound", "relaxation", "semidefinite program that proves the bound, R1 to R5"},
    {"bound", "cases", "sets of motions that were bounded one by one"},
    {"bound", "verified", "whether it is proven with all round-off"},
    {"bound", "left_out", "closer bounds that would have ended too late"},
    {"counts", "evaluations", "points that the search evaluated"},
    {"counts", "ivps", "motions simulated (initial value problems)"},
    {"counts", "cache_hits", "evaluations with a known result"},
    {"counts", "patterns", "patterns of stick and slip examined"},
    {"counts", "non_finite", "simulations that failed"},
    {"counts", "timed_out", "simulations stopped at their time limit"},
    {"counts", "too_long", "simulations with more work than --max-segments allows"},
    {"counts", "out_of_range", "simulations that left the range of a law"},
    {"counts", "solver_sweeps", "iterations of the steps' solver"},
    {"counts", "largest_residual", "of the steps' friction problems"},
    {"counts", "settled", "bounces that came to their end"},
    {"seconds", "wall", "from begin to end"},
    {"seconds", "bounding", "of these, the lower bound"},
    {"seconds", "certifying", "of these, the certificate"},
    {"seconds", "ivps", "simulating, summed over the ranks"},
    {"seconds", "evaluating", "simulating on the first rank"},
    {"seconds", "waiting", "of the first rank for others"},
    {"seconds", "coordinating", "the search's own work and messages"}};

const char *report_meaning(const void *context, const char *path) {
  for (size_t k = 0; k < sizeof meanings / sizeof *meanings; k++)
    if (strcmp(meanings[k].section, context) == 0 && strcmp(meanings[k].name, path) == 0) return meanings[k].text;
  return NULL;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/internal.h"

#include <math.h>

/* Forms that values of keys in subsections of the section `control` may have in a problem file. */

enum {
  VECTOR = SIM_FORM_NUMBER | SIM_FORM_LIST,
  NODES = SIM_FORM_NULLS | SIM_FORM_NODES,
  POINTS = SIM_FORM_NAMED_LISTS | SIM_FORM_NULLS | SIM_FORM_INTERVALS | SIM_FORM_NUMBER
};

/* A bound without a value in the file keeps its default, no bound. */
const SimParameter ctl_limit_parameters[] = {
    {"lower", VECTOR | SIM_FORM_NULLS | SIM_FORM_WEIGHTED, "N",
     "least u; a point beyond counts as infinite to pds, local methods have theirs moved inside",
     .default_text = "none", .preset = -INFINITY, SIM_ARRAY(CtlProblem, lower, SIM_EACH)},
    {"upper", VECTOR | SIM_FORM_NULLS | SIM_FORM_WEIGHTED, "N", "largest u, likewise", .default_text = "none",
     .preset = INFINITY, SIM_ARRAY(CtlProblem, upper, SIM_EACH)},
    {"rate", VECTOR | SIM_FORM_NULLS | SIM_FORM_WEIGHTED, "N/s",
     "of a signal: the largest change from segment to segment over a segment's length", .default_text = "none",
     .preset = INFINITY, SIM_ARRAY(CtlProblem, rate, SIM_EACH)},
    {0}};

static const SimParameter scale_keys[] = {
    {"position", VECTOR | NODES | SIM_FORM_WEIGHTED, "m",
     "of x(T), > 0; of a target along a string one number; null as by default",
     .default_text = "max(1, the largest entry of the target); along a string its norm", .preset = NAN,
     SIM_ARRAY(CtlProblem, position_scale, SIM_EACH)},
    {"velocity", VECTOR | NODES | SIM_FORM_WEIGHTED, "m/s", "of x'(T), likewise", .default_text = "likewise",
     .preset = NAN, SIM_ARRAY(CtlProblem, velocity_scale, SIM_EACH)},
    {0}};

static const SimChoice free_word[] = {{"free", 0, "found by the search"}, {0}};

static const SimParameter at_keys[] = {
    {"at_least", SIM_FORM_NUMBER, "s", "earliest time", SIM_AT_LEAST(0), .default_text = "0"},
    {"at_most", SIM_FORM_NUMBER, "s", "latest time", SIM_AT_LEAST(0), .default_text = "T"},
    {"start", SIM_FORM_NUMBER, "s", "time where the search begins", SIM_AT_LEAST(0),
     .default_text = "the points in equal parts of T"},
    {0}};

static const SimParameter via_keys[] = {
    {"at", SIM_FORM_NUMBER | SIM_FORM_CHOICE | SIM_FORM_SECTION, "s", "when: a time, free, or between two times",
     .choices = free_word, .parts = at_keys, .required = true},
    {"position", VECTOR | SIM_FORM_NULLS | SIM_FORM_INTERVALS | SIM_FORM_WEIGHTED, "m", "x then; null entries are free",
     .default_text = "free"},
    {"velocity", VECTOR | SIM_FORM_NULLS | SIM_FORM_INTERVALS | SIM_FORM_WEIGHTED, "m/s", "x' then, likewise",
     .default_text = "free"},
    {"points", POINTS, "m", "places of a mechanism's points then; null entries are free", .default_text = "free"},
    {0}};

static const SimParameter combination_keys[] = {
    {"of", SIM_FORM_WEIGHTED, NULL, "weights of x(T), by the joints' names or numbers", .default_text = "none"},
    {"of_velocity", SIM_FORM_WEIGHTED, NULL, "weights of x'(T), likewise", .default_text = "none"},
    {"equal", SIM_FORM_NUMBER, NULL, "what the weighted sum is to be", .default_text = "none"},
    {"at_least", SIM_FORM_NUMBER, NULL, "its least value", .default_text = "none"},
    {"at_most", SIM_FORM_NUMBER, NULL, "its greatest value", .default_text = "none"},
    {0}};

const SimParameter ctl_target_parameters[] = {
    {"position", SIM_FORM_VECTOR | NODES | SIM_FORM_INTERVALS | SIM_FORM_WEIGHTED, "m",
     "x(T); null entries are free; of nodes alone the others are", .variables = "i, of a string s",
     .default_text = "free", SIM_ARRAY(CtlProblem, position, SIM_EACH)},
    {"velocity", SIM_FORM_VECTOR | NODES | SIM_FORM_INTERVALS | SIM_FORM_WEIGHTED, "m/s", "x'(T), likewise",
     .variables = "i, of a string s", .default_text = "free", SIM_ARRAY(CtlProblem, velocity, SIM_EACH)},
    {"scale", SIM_FORM_SECTION, NULL, "what E1 and E2 divide the miss of each entry by", .parts = scale_keys,
     .default_text = "the size of the target"},
    {"via", SIM_FORM_LISTED, NULL, "states to pass on the way", .parts = via_keys, .default_text = "none"},
    {"points", POINTS, "m", "places of a mechanism's points at T; null entries are free", .default_text = "free"},
    {"combinations", SIM_FORM_LISTED, NULL, "weighted sums of x(T) and x'(T) that are held", .parts = combination_keys,
     .default_text = "none"},
    {0}};

/* Keys of the section `search`. */

static const SimChoice penalties[] = {
    {"P", CTL_PENALTY_P, "J and rho times the misses"},
    {"Pi", CTL_PENALTY_PI, "J and the squares of the misses from a centre that moves"},
    {0}};
static const SimChoice norms[] = {{"2", CTL_NORM_2, "the Euclidean norm of the misses"},
                                  {"1", CTL_NORM_1, "the sum of their sizes"},
                                  {"inf", CTL_NORM_INF, "the largest of them"},
                                  {0}};
static const SimChoice updates[] = {{"constant", CTL_RHO_CONSTANT, "rho stays"},
                                    {"dynamic", CTL_RHO_DYNAMIC, "rho grows with the misses, up to 1e6: (3.2), (3.3)"},
                                    {0}};
static const SimChoice simplexes[] = {{"right", CTL_SIMPLEX_RIGHT, "edges along the axes"},
                                      {"regular", CTL_SIMPLEX_REGULAR, "all edges of one length"},
                                      {0}};
static const SimChoice refinements[] = {
    {"exact", CTL_REFINE_EXACT, "for the exact motion, if it has derivatives; otherwise as grid"},
    {"grid", CTL_REFINE_GRID, "by the file's scheme, if it has derivatives; otherwise none"},
    {"none", CTL_REFINE_NONE, "no refinement"},
    {0}};
static const SimChoice sizes[] = {{"auto", 0, "max(3n, 64) for n variables"}, {"paper", CTL_SCHEME_PAPER, "1744"}, {0}};

const SimParameter ctl_certify_parameters[] = {
    {"gap", SIM_FORM_NUMBER, NULL, "relative gap: the proof excludes controls that cost less by this part of J",
     SIM_BETWEEN(0, 1), .preset = 0.01, SIM_MEMBER(CtlProblem, certify_gap)},
    {"max_seconds", SIM_FORM_NUMBER, "s", "time limit of the proof, which keeps its result so far; 0: no limit",
     SIM_AT_LEAST(0), .preset = 3600, SIM_MEMBER(CtlProblem, certify_seconds)},
    {0}};

static const SimChoice bounds[] = {
    {"auto", CTL_BOUND_AUTO, "if it costs less than the search; not for scenarios, in sweeps, or in the service"},
    {"yes", CTL_BOUND_YES, "the cheap bound, regardless of its cost"},
    {"no", CTL_BOUND_NO, "none"},
    {0}};

const SimParameter ctl_bound_parameters[] = {
    {"gap", SIM_FORM_NUMBER, NULL,
     "relative gap between the bound and J: tighter bounds are computed until it is reached, then more "
     "starts of the search",
     SIM_BETWEEN(0, 1), .preset = 0.02, SIM_MEMBER(CtlProblem, bound_gap)},
    {"max_seconds", SIM_FORM_NUMBER, "s",
     "time limit of bounds and more starts together, half for each; a bound that would probably exceed it is not "
     "started; 0: no limit",
     SIM_AT_LEAST(0), .preset = 60, SIM_MEMBER(CtlProblem, bound_seconds)},
    {0}};

/* The name of a key is the name of the field that stores it. */
#define KEY(member, form) .key = #member, .forms = form, SIM_MEMBER(CtlProblem, member)
#define NONE_BY_DEFAULT   .zero_is_none = true, .default_text = "none"

/* The row of the key method, which is in both tables below. */
#define METHOD                                                                                                         \
  KEY(method, SIM_FORM_CHOICE), .word = stiction_method_name, .about = stiction_method_about,                          \
                                .sentence = "optimization method; not case-sensitive"
#define PENALTY                                                                                                        \
  KEY(penalty, SIM_FORM_CHOICE), .choices = penalties, .preset = CTL_PENALTY_P,                                        \
                                 .sentence = "how cost and misses are combined"
#define NORM                                                                                                           \
  KEY(norm, SIM_FORM_CHOICE), .choices = norms, .preset = CTL_NORM_2,                                                  \
                              .sentence = "how the penalty P measures the misses"
#define RHO                                                                                                            \
  KEY(rho, SIM_FORM_NUMBER), SIM_ABOVE(0), .default_text = "1e6; 1e5 with rho_update: dynamic",                        \
                                           .sentence = "weight of the misses at the start"
#define RHO_UPDATE                                                                                                     \
  KEY(rho_update, SIM_FORM_CHOICE), .choices = updates, .preset = CTL_RHO_CONSTANT, .sentence = "how rho changes"
#define SCHEME_SIZE                                                                                                    \
  KEY(scheme_size, SIM_FORM_INTEGER | SIM_FORM_CHOICE),                                                                \
      .choices = sizes, SIM_FROM_TO(1, CTL_SCHEME_MAX),                                                                \
      .sentence = "points of a simplex of pds, and of hybrid's last part: twice the variables at least"
#define SIMPLEX                                                                                                        \
  KEY(simplex, SIM_FORM_CHOICE | SIM_FORM_ROWS), .choices = simplexes, .preset = CTL_SIMPLEX_RIGHT,                    \
                                                 .sentence = "the first simplex; or a list of its n edge vectors"
#define RELATIVE                                                                                                       \
  KEY(relative_tolerance, SIM_FORM_NUMBER), SIM_AT_LEAST(0), NONE_BY_DEFAULT,                                          \
      .sentence = "the search ends when the simplex's edges, relative to its best point, are below this"
#define SECONDS                                                                                                        \
  KEY(max_seconds, SIM_FORM_NUMBER), SIM_AT_LEAST(0), NONE_BY_DEFAULT, .unit = "s",                                    \
                                                                       .sentence = "budget of time; 0: none"
#define EVALUATIONS                                                                                                    \
  KEY(max_evaluations, SIM_FORM_INTEGER), SIM_FROM_TO(0, 1e12), NONE_BY_DEFAULT, .sentence = "budget of points; 0: none"
#define LOCAL_STARTS                                                                                                   \
  KEY(local_starts, SIM_FORM_INTEGER), SIM_FROM_TO(1, CTL_STARTS_MAX),                                                 \
      .zero_is_none = true,                                                                                            \
      .default_text =                                                                                                  \
          "sqp for a plan: 20; auto: 4 per segment of a stage, 6 with patterns (exceptions: control/auto/README.md); " \
          "else 2",                                                                                                    \
      .sentence =                                                                                                      \
          "number of searches side by side, each from its own start: of auto in each stage of few segments; of sqp "   \
          "for a plan, or with derivatives, 65 at most (if one alone ends at the least f, as many again begin near "   \
          "it); of hybrid 3n at most"

/* Rows of the keys about the initial points, which all searches have. */
#define POINTS                                                                                                         \
  {METHOD}, {PENALTY}, {NORM}, {RHO}, {RHO_UPDATE}, {SCHEME_SIZE}, { SIMPLEX }

const SimParameter ctl_search_parameters[] = {
    POINTS,
    {KEY(restarts, SIM_FORM_INTEGER), SIM_FROM_TO(0, 1000), .preset = 2,
     .sentence = "number of restarts of a search that misses the target: at its best point; sqp and auto from "
                 "other starts"},
    {LOCAL_STARTS},
    {KEY(step, SIM_FORM_NUMBER), SIM_ABOVE(0), .preset = 1, .unit = "N",
     .sentence =
         "edge of the first simplex, first step of a local method of NLopt or PETSc; sqp and auto choose theirs"},
    {KEY(tolerance, SIM_FORM_NUMBER), SIM_ABOVE(0), .preset = 1e-10, .unit = "N",
     .sentence =
         "the search ends when its longest edge, or the step of a local method of NLopt or PETSc, is below this; "
         "sqp and auto have their own criterion"},
    {KEY(accept, SIM_FORM_NUMBER), SIM_ABOVE(0), .preset = 1e-6,
     .sentence = "the target is met (exit code 0) when E1 and E2 are at most this"},
    {KEY(refine, SIM_FORM_CHOICE), .choices = refinements, .preset = CTL_REFINE_EXACT,
     .sentence = "how the answer is refined towards the least effort after the search"},
    {KEY(certify, SIM_FORM_SECTION), .parts = ctl_certify_parameters, .default_text = "none",
     .sentence = "a proof that no control with less J meets the target, for the exact motion"},
    {KEY(bound, SIM_FORM_CHOICE | SIM_FORM_SECTION), .parts = ctl_bound_parameters, .choices = bounds,
     .preset = CTL_BOUND_AUTO,
     .sentence = "a lower bound of J over all controls of any number of segments, for the exact motion"},
    {RELATIVE},
    {KEY(stop_at, SIM_FORM_NUMBER), SIM_AT_LEAST(0), NONE_BY_DEFAULT,
     .sentence = "the search ends as soon as E1 and E2 are at most this"},
    {SECONDS},
    {KEY(evaluation_timeout, SIM_FORM_NUMBER), SIM_AT_LEAST(0), NONE_BY_DEFAULT, .unit = "s",
     .sentence = "a simulation that takes longer is given up"},
    {EVALUATIONS},
    {KEY(max_simplexes, SIM_FORM_INTEGER), SIM_FROM_TO(0, 1e12), NONE_BY_DEFAULT,
     .sentence =
         "budget of rounds: simplexes, steps of sqp and auto from all their starts, points of local methods; 0: none"},
    {0}};

const SimParameter ctl_values_search_parameters[] = {
    POINTS,
    {KEY(restarts, SIM_FORM_INTEGER), SIM_FROM_TO(0, 1000), .preset = 2,
     .sentence =
         "with an evaluator or a plan: number of restarts, at its best point, of a search that violates a constraint"},
    {LOCAL_STARTS},
    {KEY(step, SIM_FORM_NUMBER), SIM_ABOVE(0), .preset = 1,
     .sentence = "with an evaluator or a plan: edge of the first simplex, first step of a local method, in sizes of "
                 "the variables of a plan: the same in all "
                 "variables, so choose their "
                 "units to be of one size"},
    {KEY(tolerance, SIM_FORM_NUMBER), SIM_ABOVE(0), .preset = 1e-10,
     .sentence = "with an evaluator or a plan: the search ends when its longest edge, or the step of a local method, "
                 "is below this"},
    {RELATIVE},
    {KEY(stop_at, SIM_FORM_NUMBER), .preset = -INFINITY, .default_text = "none",
     .sentence =
         "with an evaluator or a plan: the search ends as soon as f is at most this and the constraints are met"},
    {SECONDS},
    {EVALUATIONS},
    {KEY(max_simplexes, SIM_FORM_INTEGER), SIM_FROM_TO(0, 1e12), NONE_BY_DEFAULT,
     .sentence = "with an evaluator or a plan: budget of rounds: simplexes, points of local methods; 0: none"},
    {0}};

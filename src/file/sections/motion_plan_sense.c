/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds errors of sense before anything is simulated: conditions on a motion that contradict each other, and costs of a
 * motion plan that have no minimum. */
#include "src/file/sections/motion_plan_read.h"
#include "src/file/values/contradiction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A claim is a condition of the file: a position, a velocity or a weighted sum is within lower..upper, at one time or
 * at all times. */
typedef struct Claim {
  int dof;             /* degree of freedom (dof) to which the claim applies; -1: it applies to a sum with the weights x
                        * and v */
  bool velocity;       /* whether the claim limits the velocity of this dof instead of its position */
  const double *x, *v; /* [d] weights of positions and of velocities; NULL: all are 0 */
  double at;           /* time at which the claim holds, in s; INFINITY: the end time T; NAN: a time that is a
                        * variable */
  bool always;
  bool periodic; /* whether the claim comes from control.periodic */
  double lower, upper;
  char name[CTL_NAME_SIZE];
} Claim;

static bool is_varied(const MotionPlan *plan, CtlVary what, int entry) {
  for (int k = 0; k < plan->variables; k++)
    if (plan->variable[k].what == what && plan->variable[k].entry == entry) return true;
  return false;
}

/* Returns the weighted sum of entries of the initial state (x or v); NAN if one of these entries is a variable. what:
 * kind of such variables. */
static double initially(const Problem *problem, const double *weights, const double *state, CtlVary what) {
  double sum = 0;
  for (int i = 0; i < problem->sim.d && weights; i++) {
    if (weights[i] == 0) continue;
    if (is_varied(problem->plan, what, i)) return NAN;
    sum += weights[i] * state[i];
  }
  return sum;
}

/* Returns the dof that has the weight 1 if all others have the weight 0; -1 if the weights have another form. */
static int only_dof(const double *weights, int d) {
  int found = -1;
  for (int i = 0; i < d && weights; i++) {
    if (weights[i] == 0) continue;
    if (found >= 0 || weights[i] != 1) return -1;
    found = i;
  }
  return found;
}

/* Sets *claim to the condition that a quantity imposes on the state. Returns false if the quantity imposes none. */
static bool claim_of(const Problem *problem, const CtlQuantity *q, Claim *claim) {
  const SimProblem *sim = &problem->sim;
  bool point = q->of.way == SIM_AT_END || q->of.way == SIM_AT_TIME, alone = q->role >= CTL_ROLE_EQUAL && !q->of.control;
  if (!alone || q->of.place || q->read != CTL_READ_MOTION || (!point && q->of.way != SIM_LARGEST)) return false;
  *claim = (Claim){.x = q->of.x, .v = q->of.v, .always = !point, .at = INFINITY, .lower = -INFINITY, .upper = INFINITY};
  claim->velocity = !q->of.x;
  claim->dof = q->of.x && q->of.v ? -1 : only_dof(claim->velocity ? q->of.v : q->of.x, sim->d);
  if (q->of.way == SIM_AT_TIME) claim->at = q->time ? NAN : q->of.time;
  if (!motion_plan_varies_end(problem->plan) && claim->at == sim->end) claim->at = INFINITY;
  double target = q->target + initially(problem, q->of.from_x, sim->x0, CTL_VARY_POSITION) +
                  initially(problem, q->of.from_v, sim->v0, CTL_VARY_VELOCITY);
  if (isnan(target)) return false;
  if (q->role == CTL_ROLE_EQUAL || q->role == CTL_ROLE_AT_LEAST) claim->lower = target;
  if (q->role == CTL_ROLE_EQUAL || q->role == CTL_ROLE_AT_MOST) claim->upper = target;
  claim->periodic = q->of.from_x || q->of.from_v;
  memcpy(claim->name, q->name, sizeof claim->name);
  return true;
}

static bool is_same_sum(const double *a, const double *b, int d) {
  if (!a || !b) return !a && !b;
  return memcmp(a, b, (size_t)d * sizeof *a) == 0;
}

/* Returns whether two claims are about the same position, velocity or weighted sum. */
static bool is_same(const Claim *a, const Claim *b, int d) {
  if (a->dof >= 0 || b->dof >= 0) return a->dof == b->dof && a->velocity == b->velocity;
  return is_same_sum(a->x, b->x, d) && is_same_sum(a->v, b->v, d);
}

static void claim_text(const Claim *claim, double number, const char *side, char text[CTL_NAME_SIZE + 80]) {
  bool exact = claim->lower == claim->upper;
  /* the name is periodic.position[1], for example; its first part is dropped */
  const char *name = claim->periodic ? strchr(claim->name, '.') + 1 : claim->name;
  snprintf(text, CTL_NAME_SIZE + 80, "%s %s %.6g%s", name, exact ? "=" : side, number,
           claim->periodic ? " by control.periodic" : "");
}

/* Finds the value in the file from which a quantity was read. Its path is the longest part of the quantity's name that
 * is a path in the file, and begins at control unless the name begins with model or time. Sets `path`. Returns NULL if
 * no part of the name is a path in the file. */
static const Node *origin_of(const Reader *reader, const char *name, char path[NODE_PATH_SIZE]) {
  bool whole = strncmp(name, "model.", strlen("model.")) == 0 || strncmp(name, "time.", strlen("time.")) == 0;
  snprintf(path, NODE_PATH_SIZE, "%s%s", whole ? "" : "control.", name);
  const Node *node = document_find(reader->document, path);
  while (!node && strpbrk(path, ".[")) {
    size_t end = strlen(path) - 1;
    while (path[end] != '.' && path[end] != '[') end--;
    path[end] = '\0';
    node = document_find(reader->document, path);
  }
  return strpbrk(path, ".[") ? node : NULL;
}

void planned_error(Reader *reader, const char *name, const char *text) {
  char path[NODE_PATH_SIZE];
  key_error(reader, origin_of(reader, name, path) ? path : "control", "%s", text);
}

/* Returns one of the names of two quantities, namely the one with the later value in the file. Values of --set count as
 * later than all values of the file. */
static const char *later_of(const Reader *reader, const char *one, const char *other) {
  char path[NODE_PATH_SIZE];
  const Node *a = origin_of(reader, one, path), *b = origin_of(reader, other, path);
  if (!a || !b) return a ? one : other;
  const long first[] = {a->place.rank, a->place.line, a->place.column},
             second[] = {b->place.rank, b->place.line, b->place.column};
  for (int k = 0; k < 3; k++)
    if (first[k] != second[k]) return first[k] > second[k] ? one : other;
  return other;
}

static const double ROUNDED = 1e-6; /* tolerated contradiction of two limits, in units of max(1, |limit|) */

/* Returns whether no motion can satisfy both claims, which is then reported as an error. */
static bool contradict(Reader *reader, const Claim *a, const Claim *b) {
  if (!is_same(a, b, reader->d)) return false;
  if (!a->always && !b->always && !(a->at == b->at)) return false;
  for (int turn = 0; turn < 2; turn++) {
    const Claim *high = turn ? b : a, *low = turn ? a : b; /* the loop compares the lower limit of `high` with the upper
                                                            * limit of `low`, in both roles */
    char first[CTL_NAME_SIZE + 80], second[CTL_NAME_SIZE + 80], text[2 * CTL_NAME_SIZE + 240];
    if (!(high->lower > low->upper + ROUNDED * fmax(1, fabs(low->upper)))) continue;
    claim_text(a, turn ? a->upper : a->lower, turn ? "<=" : ">=", first);
    claim_text(b, turn ? b->lower : b->upper, turn ? ">=" : "<=", second);
    snprintf(text, sizeof text, "%s, but %s%s (expected conditions that one motion can meet)", first, second,
             a->always || b->always ? "" : " at the same time");
    planned_error(reader, later_of(reader, a->name, b->name), text);
    return true;
  }
  return false;
}

/* Adds claims for the entries of the initial state that are given. Returns the number of claims added. */
static int initial_claims(const Reader *reader, Claim *claims) {
  const Problem *problem = reader->problem;
  int n = 0;
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < reader->d; i++) {
      char dof[LABEL_SIZE];
      double at = (k ? problem->sim.v0 : problem->sim.x0)[i];
      if (is_varied(problem->plan, k ? CTL_VARY_VELOCITY : CTL_VARY_POSITION, i)) continue;
      Claim *claim = &claims[n++];
      *claim = (Claim){.dof = i, .velocity = k, .lower = at, .upper = at};
      snprintf(claim->name, sizeof claim->name, "model.%s[%s]", k ? "v0" : "x0", planned_dof(reader, i, dof));
    }
  return n;
}

/* Adds claims for the positions of rigid stops. Returns the number of claims added. */
static int stop_claims(const Reader *reader, Claim *claims) {
  const SimStops *stops = &reader->problem->sim.stops;
  int n = 0;
  for (int i = 0; i < reader->d && stops->present; i++)
    for (int k = 0; k < 2; k++) {
      char dof[LABEL_SIZE];
      double at = (k ? stops->upper : stops->lower)[i];
      if (isnan(at) || !isnan(stops->stiffness[i])) continue;
      Claim *claim = &claims[n++];
      *claim = (Claim){.dof = i, .always = true, .lower = k ? -INFINITY : at, .upper = k ? at : INFINITY};
      snprintf(claim->name, sizeof claim->name, "model.stops.%s[%s]", k ? "upper" : "lower",
               planned_dof(reader, i, dof));
    }
  return n;
}

/* Checking conditions on the final state --------------------------------------------------------------------------- */

/* The claims on the state at T, written as inequalities a'z <= b. z has the entries of the state that occur in weighted
 * sums. */
typedef struct FinalRows {
  const Claim *claims;
  int n, m;
  int *entry;    /* [n] index in the state (x, v) of each entry of z */
  double *row;   /* [m][n] coefficients a of each inequality */
  double *b, *y; /* [m] each. b: right-hand sides; y: multipliers, > 0 for inequalities that together contradict each
                  * other */
  int *of;       /* [m] index of the claim from which each inequality comes */
  bool *below;   /* [m] whether the inequality is the upper limit of its claim instead of the lower one */
} FinalRows;

/* Returns the weight that a claim gives to entry i of the state (x, v). */
static double weight_in(const Claim *claim, int i, int d) {
  if (claim->dof >= 0) return i == claim->dof + (claim->velocity ? d : 0);
  const double *weights = i < d ? claim->x : claim->v;
  return weights ? weights[i < d ? i : i - d] : 0;
}

static bool holds_at_end(const Claim *claim) { return claim->always || claim->at == INFINITY; }

/* Adds the limits of claim k as inequalities, each widened by the tolerance ROUNDED. A claim about a single dof is left
 * out if its entry of the state is not in z. */
static void add_limits(FinalRows *rows, int k, int d) {
  const Claim *claim = &rows->claims[k];
  double length = 0;
  for (int i = 0; i < rows->n; i++) length = hypot(length, weight_in(claim, rows->entry[i], d));
  for (int below = 0; below < 2 && (length > 0 || claim->dof < 0); below++) {
    double limit = below ? claim->upper : claim->lower, sign = (below ? 1 : -1) / (length > 0 ? length : 1);
    if (!isfinite(limit)) continue;
    for (int i = 0; i < rows->n; i++) rows->row[rows->m * rows->n + i] = sign * weight_in(claim, rows->entry[i], d);
    rows->b[rows->m] = sign * limit + fabs(sign) * ROUNDED * fmax(1, fabs(limit));
    rows->of[rows->m] = k;
    rows->below[rows->m++] = below;
  }
}

/* Reports the claims of all inequalities with a multiplier > 0, as an error at the last weighted sum among them. */
static void report_rows(Reader *reader, const FinalRows *rows) {
  char text[400] = "", one[CTL_NAME_SIZE + 80];
  const char *at = NULL;
  for (int j = 0; j < rows->m; j++) {
    const Claim *claim = &rows->claims[rows->of[j]];
    if (!(rows->y[j] > 0)) continue;
    size_t used = strlen(text);
    claim_text(claim, rows->below[j] ? claim->upper : claim->lower, rows->below[j] ? "<=" : ">=", one);
    snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "", one);
    if (claim->dof < 0) at = at ? later_of(reader, at, claim->name) : claim->name;
  }
  size_t used = strlen(text);
  snprintf(text + used, sizeof text - used, ": no state at T meets all of these (expected conditions that one can)");
  if (at) planned_error(reader, at, text);
}

/* Reports claims about weighted sums at T that no state satisfies, together with other claims at T. Contradictions of
 * only two claims have been reported before. */
static void check_final_state(Reader *reader, const Claim *claims, int n) {
  int d = reader->d, size = 2 * d;
  FinalRows rows = {.claims = claims};
  rows.entry = diagnostics_calloc(reader->diagnostics, (size_t)size + 1, sizeof *rows.entry);
  rows.of = diagnostics_calloc(reader->diagnostics, 2 * (size_t)n + 1, sizeof *rows.of);
  rows.below = diagnostics_calloc(reader->diagnostics, 2 * (size_t)n + 1, sizeof *rows.below);
  rows.b = diagnostics_calloc(reader->diagnostics, 4 * (size_t)n + 1, sizeof *rows.b);
  for (int i = 0; i < size && rows.entry; i++) {
    bool weighed = false;
    for (int k = 0; k < n; k++)
      weighed = weighed || (claims[k].dof < 0 && holds_at_end(&claims[k]) && weight_in(&claims[k], i, d) != 0);
    if (weighed) rows.entry[rows.n++] = i;
  }
  rows.row = diagnostics_calloc(reader->diagnostics, 2 * (size_t)n * (size_t)rows.n + 1, sizeof *rows.row);
  if (rows.entry && rows.of && rows.below && rows.b && rows.row) {
    rows.y = rows.b + 2 * n;
    for (int k = 0; k < n; k++)
      if (holds_at_end(&claims[k])) add_limits(&rows, k, d);
    if (!contradiction_find(rows.n, rows.m, rows.row, rows.b, rows.y)) reader->diagnostics->no_memory = true;
    report_rows(reader, &rows);
  }
  free(rows.entry);
  free(rows.of);
  free(rows.below);
  free(rows.b);
  free(rows.row);
}

/* Checking the time that a motion needs at its speed limits -------------------------------------------------------- */

/* Returns whether a dof needs more time from its position `from` at time 0 to the position `to` than there is, at the
 * speed limit `limit`; this is then reported as an error. */
static bool too_slow(Reader *reader, const Claim *from, const Claim *to, const Claim *limit) {
  if (from->velocity || to->dof != from->dof || to->velocity || to->always) return false;
  if (limit->dof != from->dof || !limit->velocity || !limit->always) return false;
  double time = to->at == INFINITY ? reader->problem->sim.end : to->at;
  bool on = to->lower - from->upper > 0;
  double way = on ? to->lower - from->upper : from->lower - to->upper, speed = on ? limit->upper : -limit->lower;
  if (!(time > 0) || !(speed > 0) || !(way > speed * time * (1 + ROUNDED)) || !(way > ROUNDED)) return false;
  char aim[CTL_NAME_SIZE + 80], text[2 * CTL_NAME_SIZE + 240];
  claim_text(to, on ? to->lower : to->upper, on ? ">=" : "<=", aim);
  snprintf(text, sizeof text, "at this speed %s is reached from %s = %g after %.6g s, but %s is %s%g s", aim,
           from->name, on ? from->upper : from->lower, way / speed, to->at == INFINITY ? "T" : "its time",
           to->at == INFINITY && motion_plan_varies_end(reader->problem->plan) ? "at most " : "", time);
  planned_error(reader, limit->name, text);
  return true;
}

/* For a problem without a plan: adds claims for the target of the position at T. Returns the number of claims added. */
static int target_claims(const Reader *reader, Claim *claims) {
  const double *target = reader->problem->control.position;
  int n = 0;
  for (int i = 0; i < reader->d; i++) {
    char dof[LABEL_SIZE];
    if (!isfinite(target[i])) continue;
    Claim *claim = &claims[n++];
    *claim = (Claim){.dof = i, .at = INFINITY, .lower = target[i], .upper = target[i]};
    snprintf(claim->name, sizeof claim->name, "target.position[%s]", planned_dof(reader, i, dof));
  }
  return n;
}

/* Reports the first limit of a mechanism's points, at all times, that the given x0 violates. */
static void check_points(Reader *reader) {
  const Problem *problem = reader->problem;
  const MotionPlan *plan = problem->plan;
  double *slopes = diagnostics_calloc(reader->diagnostics, (size_t)reader->d + 1, sizeof *slopes);
  bool found = !slopes || motion_plan_first(plan, CTL_VARY_POSITION) >= 0;
  for (int k = 0; k < plan->quantities && !found; k++) {
    const CtlQuantity *q = &plan->quantity[k];
    char text[CTL_NAME_SIZE + 160];
    if (!q->of.place || q->of.way != SIM_LARGEST) continue;
    double y = q->of.place(q->of.context, 0, problem->sim.x0, slopes), near = ROUNDED * fmax(1, fabs(q->target));
    bool least = q->role == CTL_ROLE_AT_LEAST;
    found = least ? y < q->target - near : y > q->target + near;
    if (!found) continue;
    snprintf(text, sizeof text, "%s is %.6g at x0, but %s %.6g at all times (expected an x0 within the limits)",
             q->name, y, least ? ">=" : "<=", q->target);
    planned_error(reader, later_of(reader, "model.x0", q->name), text);
  }
  free(slopes);
}

void check_contradictions(Reader *reader) {
  const MotionPlan *plan = reader->problem->plan;
  size_t most = (size_t)(plan ? plan->quantities : 0) + 5 * (size_t)reader->d;
  Claim *claims = diagnostics_calloc(reader->diagnostics, most + 1, sizeof *claims);
  if (!claims) return;
  const int n_initial = plan ? initial_claims(reader, claims) : 0;
  int n = n_initial;
  n += stop_claims(reader, claims + n);
  if (!plan) n += target_claims(reader, claims + n);
  for (int k = 0; plan && k < plan->quantities; k++)
    if (claim_of(reader->problem, &plan->quantity[k], &claims[n])) n++;
  size_t mistakes = reader->diagnostics->count;
  for (int j = n_initial; j < n; j++) /* claims of the initial state are of different entries */
    for (int i = 0; i < j; i++)
      if (contradict(reader, &claims[i], &claims[j])) break;
  bool found = reader->diagnostics->count > mistakes;
  for (int i = 0; i < n_initial && !found; i++)
    for (int j = n_initial; j < n && !found; j++)
      for (int k = n_initial; k < n && !found && claims[j].dof == claims[i].dof; k++)
        found = too_slow(reader, &claims[i], &claims[j], &claims[k]);
  if (!found) check_final_state(reader, claims, n);
  free(claims);
  if (plan) check_points(reader);
}

/* Finding costs that have no minimum ------------------------------------------------------------------------------- */

static bool is_limited(const CtlProblem *control) {
  for (int i = 0; i < control->n; i++)
    if (isinf(control->lower[i]) || isinf(control->upper[i])) return false;
  return true;
}

void planned_warn(const Problem *problem, Diagnostics *diagnostics) {
  const MotionPlan *plan = problem->plan;
  bool time = false, fuel = false, others = false, power = false;
  for (int k = 0; k < plan->quantities; k++) {
    const CtlQuantity *q = &plan->quantity[k];
    bool cost = q->role < CTL_ROLE_EQUAL, end = q->of.way == SIM_END_TIME && q->read == CTL_READ_MOTION;
    time = time || (cost && end);
    fuel = fuel || (cost && q->read == CTL_READ_FUEL);
    others = others || (cost && !end && q->read != CTL_READ_FUEL);
    power = power || (!cost && q->of.control);
  }
  if (time && !motion_plan_varies_end(plan))
    diagnostics_warn(diagnostics, "control.minimize: time, but T = %g s is given%s (time.end: free lets it be found)",
                     problem->sim.end, fuel || others ? ": it adds the same to all motions" : ": nothing is minimised");
  else if ((time || fuel) && !others && !power && !is_limited(&problem->control))
    diagnostics_warn(diagnostics,
                     "control.minimize: %s, without bounds of u on both sides: shorter and stronger pushes cost ever "
                     "less, so the answer depends on the segments (control.bounds: {lower: , upper: })",
                     time ? "time" : "fuel");
}

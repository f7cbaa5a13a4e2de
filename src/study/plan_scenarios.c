/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/study/plan_scenarios.h"

#include "src/base/json_values.h"
#include "src/process/stop_signal.h"
#include "src/results/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const MotionPlan *plan_of(const PlanScenarios *s) { return s->set->problem->plan; }

/* Returns the largest violation of a constraint, divided by max(1, |target|). */
static double largest_miss(const MotionPlan *plan, const CtlQuantityValue *values) {
  double largest = 0;
  for (int q = 0; q < plan->quantities; q++)
    if (plan->quantity[q].role >= CTL_ROLE_EQUAL)
      largest = fmax(largest, values[q].miss / fmax(1, fabs(plan->quantity[q].target)));
  return largest;
}

/* Computes the values of the quantities at the point in scenario k. */
static SimStatus read_one(const PlanScenarios *s, long k, const double *point, CtlQuantityValue *values) {
  ScenarioSet *set = s->set;
  Problem variant;
  CtlPlan *plan = NULL;
  if (!evaluation_problem(&set->evaluation, set->z + k * set->scenarios->n, &variant, NULL))
    return set->evaluation.no_memory ? SIM_NO_MEMORY : SIM_BAD_PROBLEM;
  SimStatus status = motion_plan_create(&variant, NULL, &plan);
  if (status == SIM_OK) status = ctl_plan_read(plan, point, values);
  ctl_plan_destroy(plan);
  problem_clear(&variant);
  return status;
}

/* Simulates scenario k. values: buffer for the quantities of one scenario. */
static SimStatus run_one(PlanScenarios *s, long k, const double *point, CtlQuantityValue *values) {
  const MotionPlan *plan = plan_of(s);
  SimStatus status = read_one(s, k, point, values);
  bool good = status == SIM_OK;
  for (int q = 0; q < plan->quantities && good; q++) good = isfinite(values[q].value);
  for (int q = 0; q < plan->quantities; q++) s->values[k * plan->quantities + q] = good ? values[q].value : (double)NAN;
  s->misses[k] = good ? largest_miss(plan, values) : (double)INFINITY;
  s->failed += !good;
  return status == SIM_NO_MEMORY ? status : SIM_OK;
}

int plan_scenarios_find(ScenarioSet *set, const double *point, const CtlQuantityValue *answer, Progress *progress,
                        Diagnostics *diagnostics, PlanScenarios *s) {
  long count = set->scenarios->count;
  size_t quantities = (size_t)set->problem->plan->quantities;
  *s = (PlanScenarios){.set = set, .answer = answer};
  s->values = calloc((size_t)count * quantities, sizeof *s->values);
  s->misses = calloc((size_t)count, sizeof *s->misses);
  s->order = calloc((size_t)count, sizeof *s->order);
  CtlQuantityValue *values = calloc(quantities, sizeof *values);
  bool room = s->values && s->misses && s->order && values;
  int code = 0;
  for (long k = 0; k < count && room && !code; k++) {
    room = run_one(s, k, point, values) == SIM_OK;
    if (stop_signal_seen()) code = EXIT_STOPPED;
    progress_draw(progress, "scenario %ld of %ld", k + 1, count);
  }
  progress_clear(progress);
  free(values);
  if (!code) room = room && scenario_misses_sort(count, s->misses, s->order);
  return room ? code : diagnostics_no_memory(diagnostics);
}

void plan_scenarios_clear(PlanScenarios *s) {
  free(s->values);
  free(s->misses);
  free(s->order);
  *s = (PlanScenarios){0};
}

void plan_scenarios_warn(const PlanScenarios *s, Diagnostics *diagnostics) {
  if (s->failed)
    diagnostics_warn(diagnostics, "%ld of %ld scenarios have no motion to the end (scenarios.csv)", s->failed,
                     s->set->scenarios->count);
}

/* Distribution of a quantity over all scenarios. */
typedef struct Spread {
  double least, most, mean, deviation;
  double held; /* fraction of the scenarios in which the constraint is met; NAN: the quantity is not a constraint */
} Spread;

static bool is_met(const CtlQuantity *q, double value) {
  double over = value - q->target, tolerance = ctl_quantity_tolerance(q);
  return (q->role == CTL_ROLE_AT_LEAST || over <= tolerance) && (q->role == CTL_ROLE_AT_MOST || over >= -tolerance);
}

static Spread spread_of(const PlanScenarios *s, int quantity) {
  const MotionPlan *plan = plan_of(s);
  const CtlQuantity *q = &plan->quantity[quantity];
  long count = s->set->scenarios->count, good = count - s->failed;
  Spread spread = {.least = INFINITY, .most = -INFINITY};
  for (int pass = 0; pass < 2; pass++)
    for (long k = 0; k < count; k++) {
      double value = s->values[k * plan->quantities + quantity];
      if (isinf(s->misses[k])) continue;
      spread.least = fmin(spread.least, value);
      spread.most = fmax(spread.most, value);
      if (!pass) spread.mean += value / (double)good;
      if (!pass && is_met(q, value)) spread.held += 1 / (double)count;
      if (pass && good > 1) spread.deviation += (value - spread.mean) * (value - spread.mean) / (double)(good - 1);
    }
  spread.deviation = sqrt(spread.deviation);
  if (!good) spread.mean = spread.deviation = NAN;
  if (q->role < CTL_ROLE_EQUAL) spread.held = NAN;
  return spread;
}

/* Returns whether the results list a quantity. Bounds of T are not listed, as T is the same in all scenarios. */
static bool is_listed(const MotionPlan *plan, int q) {
  const CtlQuantity *of = &plan->quantity[q];
  bool bound = of->role == CTL_ROLE_AT_LEAST || of->role == CTL_ROLE_AT_MOST;
  return !(bound && of->read == CTL_READ_MOTION && of->of.way == SIM_END_TIME);
}

void plan_scenarios_print(const PlanScenarios *s) {
  const MotionPlan *plan = plan_of(s);
  long count = s->set->scenarios->count;
  printf(
      "%ld scenarios, largest miss of a condition over max(1, |target|): half below %.2g, 95 %% below %.2g, the worst "
      "%.2g (scenario %ld)\n",
      count, scenario_misses_quantile(count, s->misses, s->order, 0.5),
      scenario_misses_quantile(count, s->misses, s->order, 0.95),
      scenario_misses_quantile(count, s->misses, s->order, 1), s->order[count - 1] + 1);
  for (int q = 0; q < plan->quantities; q++) {
    const CtlQuantity *quantity = &plan->quantity[q];
    if (!is_listed(plan, q)) continue;
    Spread spread = spread_of(s, q);
    printf("  %-32s %.6g to %.6g, mean %.6g", quantity->name, spread.least, spread.most, spread.mean);
    if (quantity->role > CTL_ROLE_EQUAL)
      printf("  (%s %.10g in %.4g %%)", motion_plan_sign(quantity->role), quantity->target, 100 * spread.held);
    printf("\n");
  }
}

/* Writing results as JSON ------------------------------------------------------------------------------------------ */

static json_t *quantity_json(const PlanScenarios *s, int q) {
  const Spread spread = spread_of(s, q);
  const CtlQuantity *quantity = &plan_of(s)->quantity[q];
  return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "name", quantity->name, "role",
                   motion_plan_role(quantity->role), "least", json_finite(spread.least), "most",
                   json_finite(spread.most), "mean", json_finite(spread.mean), "deviation",
                   json_finite(spread.deviation), "held", json_finite(spread.held));
}

json_t *plan_scenarios_json(const PlanScenarios *s) {
  json_t *quantities = json_array();
  for (int q = 0; q < plan_of(s)->quantities; q++)
    if (is_listed(plan_of(s), q)) json_array_append_new(quantities, quantity_json(s, q));
  return json_pack("{s:I, s:I, s:o, s:o}", "count", (json_int_t)s->set->scenarios->count, "failed",
                   (json_int_t)s->failed, "miss",
                   scenario_misses_json(s->set, largest_miss(plan_of(s), s->answer), s->misses, s->order, NULL),
                   "quantities", quantities);
}

/* Writing results as CSV ------------------------------------------------------------------------------------------- */

/* Returns whether an earlier column has the same name and value. This is so for the two ends of an interval. */
static bool is_repeated(const MotionPlan *plan, int q) {
  for (int k = 0; k < q && plan->quantity[q].of.way != SIM_LARGEST; k++)
    if (is_listed(plan, k) && strcmp(plan->quantity[k].name, plan->quantity[q].name) == 0) return true;
  return false;
}

/* Names of the columns of quantities. For a limit, the name ends with .least or .largest, according to the value that
 * the column has. */
typedef char ColumnNames[TABLE_COLUMNS_MAX][CTL_NAME_SIZE + sizeof ".least"];

static const char *column_name(const CtlQuantity *q, int column, ColumnNames names) {
  bool extreme = q->read == CTL_READ_MOTION && q->of.way == SIM_LARGEST;
  snprintf(names[column], sizeof names[column], "%s%s", q->name,
           !extreme                       ? ""
           : q->role == CTL_ROLE_AT_LEAST ? ".least"
                                          : ".most");
  return names[column];
}

/* Lists the columns, and their values in scenario k. share: [count] fractions from scenario_misses_shares. Returns the
 * number of columns. */
static int list_columns(const PlanScenarios *s, long k, const double *share, ColumnNames names, TableColumn *columns,
                        double *row) {
  const MotionPlan *plan = plan_of(s);
  const Scenarios *scenarios = s->set->scenarios;
  int n = 0;
  columns[n] = (TableColumn){.name = "scenario", .kind = COLUMN_COUNT};
  row[n++] = (double)(k + 1);
  for (int i = 0; i < scenarios->n; i++) {
    columns[n] = (TableColumn){.name = scenarios->dimensions[i].path};
    row[n++] = scenario_set_value(s->set, k, i);
  }
  columns[n] = (TableColumn){.name = "miss"};
  row[n++] = isfinite(s->misses[k]) ? s->misses[k] : (double)NAN;
  columns[n] = (TableColumn){.name = "share"};
  row[n++] = share[k];
  for (int q = 0; q < plan->quantities && n < TABLE_COLUMNS_MAX; q++) {
    if (!is_listed(plan, q) || is_repeated(plan, q)) continue;
    columns[n] = (TableColumn){.name = column_name(&plan->quantity[q], n, names)};
    row[n++] = s->values[k * plan->quantities + q];
  }
  return n;
}

_Static_assert((int)SCENARIO_DIMENSIONS_MAX + 3 <= (int)TABLE_COLUMNS_MAX, "a column each");

int plan_scenarios_write(const PlanScenarios *s, const Results *results) {
  long count = s->set->scenarios->count;
  ColumnNames names;
  TableColumn columns[TABLE_COLUMNS_MAX];
  double row[TABLE_COLUMNS_MAX];
  const double *data[TABLE_COLUMNS_MAX];
  if (results_nowhere(results)) return 0;
  double *share = calloc((size_t)count, sizeof *share);
  if (!share) return diagnostics_no_memory(results->diagnostics);
  scenario_misses_shares(count, s->misses, s->order, share);
  const TableLayout layout = {.n_columns = list_columns(s, 0, share, names, columns, row), .columns = columns};
  for (int c = 0; c < layout.n_columns; c++) data[c] = &row[c];
  TableFile *file = table_open(results, "scenarios.csv", &layout, NULL);
  for (long k = 0; file && k < count; k++) {
    list_columns(s, k, share, names, columns, row);
    table_append(file, data);
  }
  free(share);
  return !file || table_close(file, true) ? EXIT_INTERNAL : 0;
}

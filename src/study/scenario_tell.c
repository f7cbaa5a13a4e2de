/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints the outcome of scenarios, and writes it as JSON and CSV. */
#include "src/base/json_values.h"
#include "src/results/table.h"
#include "src/study/scenario_outcome.h"

#include <math.h>
#include <stdlib.h>

enum { PRINTED_MAX = 5 /* maximum number of dimensions, and of degrees of freedom, that are printed */ };

/* Returns how far a change of dimension i by its width moves the final state, as E1 + E2, i.e. in the units in which
 * distances from the target are measured. changes: [2 d][n] derivatives of x(T), v(T); NULL: the result is NAN. */
static double moved(const ScenarioOutcome *o, const double *changes, int i) {
  const CtlProblem *control = &o->set->problem->control;
  int d = o->set->problem->sim.d, n = o->set->scenarios->n;
  double errors[2], *ends = changes && o->targets ? calloc(2 * (size_t)d, sizeof *ends) : NULL;
  if (!ends) return NAN;
  for (int q = 0; q < d; q++) {
    ends[q] = control->position[q] + changes[q * n + i];
    ends[d + q] = control->velocity[q] + changes[(d + q) * n + i];
  }
  ctl_errors(control, ends, ends + d, errors);
  free(ends);
  return errors[0] + errors[1];
}

/* Returns whether the derivatives by a dimension are finite differences. */
static bool by_differences(const ScenarioOutcome *o, int i) {
  const Evaluation *e = &o->set->evaluation;
  return e->differences[i] || e->rough;
}

/* Minimum, maximum, mean and standard deviation of an entry of the final states. */
typedef struct Spread {
  double least, most, mean, deviation;
} Spread;

static Spread spread_of(const ScenarioOutcome *o, int entry) {
  long count = o->set->scenarios->count, good = count - o->failed;
  int d2 = 2 * o->set->problem->sim.d;
  Spread s = {.least = INFINITY, .most = -INFINITY};
  for (int pass = 0; pass < 2; pass++)
    for (long k = 0; k < count; k++) {
      double y = o->states[k * d2 + entry];
      if (isnan(y)) continue;
      s.least = fmin(s.least, y);
      s.most = fmax(s.most, y);
      if (!pass) s.mean += y / (double)good;
      if (pass && good > 1) s.deviation += (y - s.mean) * (y - s.mean) / (double)(good - 1);
    }
  s.deviation = sqrt(s.deviation);
  if (!good) s.mean = s.deviation = NAN;
  return s;
}

/* Printing the results of scenarios -------------------------------------------------------------------------------- */

static void print_dimension(const ScenarioOutcome *o, int i) {
  const VariedDimension *dimension = &o->set->scenarios->dimensions[i];
  double derivative = moved(o, o->rates, i), sampled = moved(o, o->slopes, i);
  if (dimension->several && dimension->value != 0)
    printf("  %s by %g %%:", dimension->path, 100 * dimension->width);
  else
    printf("  %s by %.4g:", dimension->path, dimension->width);
  const char *by = by_differences(o, i) ? "differences" : "derivatives";
  if (isfinite(derivative)) printf(" %.2g by %s%s", derivative, by, isfinite(sampled) ? "," : "");
  if (isfinite(sampled)) printf(" %.2g by the scenarios", sampled);
  printf("\n");
}

/* Prints the dimensions that affect x(T), v(T) most, in the order of their effect. */
static void print_dimensions(const ScenarioOutcome *o) {
  const int n = o->set->scenarios->n;
  bool printed[SCENARIO_DIMENSIONS_MAX] = {false};
  const double *changes = o->slopes ? o->slopes : o->rates;
  if (!changes) return;
  printf("what moves the end (E1 + E2 of the change):\n");
  for (int line = 0; line < n && line < PRINTED_MAX; line++) {
    int most = 0;
    while (printed[most]) most++;
    for (int i = most + 1; i < n; i++)
      if (!printed[i] && moved(o, changes, i) > moved(o, changes, most)) most = i;
    printed[most] = true;
    print_dimension(o, most);
  }
  if (n > PRINTED_MAX) printf("  and %d more in summary.json\n", n - PRINTED_MAX);
}

static void print_spreads(const ScenarioOutcome *o) {
  const Labels *labels = &o->set->problem->labels;
  int d = o->set->problem->sim.d;
  for (int entry = 0; entry < 2 * d; entry++) {
    char name[LABEL_SIZE];
    if (entry % d >= PRINTED_MAX) continue;
    Spread s = spread_of(o, entry);
    printf("%s(T) of %s: %.6g to %.6g, mean %.6g, standard deviation %.2g %s\n", entry < d ? "x" : "v",
           labels_name(labels, entry % d + 1, name), s.least, s.most, s.mean, s.deviation,
           entry < d ? labels->position : labels->velocity);
  }
  if (d > PRINTED_MAX) printf("and %d more in summary.json\n", d - PRINTED_MAX);
}

void scenario_outcome_print(const ScenarioOutcome *o) {
  long count = o->set->scenarios->count;
  if (!o->targets) {
    printf("%ld scenarios:\n", count);
    print_spreads(o);
    return;
  }
  printf("%ld scenarios, E1 + E2: half below %.2g, 95 %% below %.2g, the worst %.2g (scenario %ld)\n", count,
         scenario_misses_quantile(count, o->miss, o->order, 0.5),
         scenario_misses_quantile(count, o->miss, o->order, 0.95),
         scenario_misses_quantile(count, o->miss, o->order, 1), o->order[count - 1] + 1);
  print_dimensions(o);
}

/* Results of scenarios as JSON ------------------------------------------------------------------------------------- */

/* Returns column i of changes [rows][n] as JSON: d entries from row `first` on; null if it is not known. */
static json_t *column_json(const ScenarioOutcome *o, const double *changes, int first, int i) {
  json_t *list = changes ? json_array() : json_null();
  int d = o->set->problem->sim.d, n = o->set->scenarios->n;
  for (int q = 0; q < d && changes; q++) json_array_append_new(list, json_finite(changes[(first + q) * n + i]));
  return list;
}

static json_t *change_json(const ScenarioOutcome *o, const double *changes, int i) {
  int d = o->set->problem->sim.d;
  json_t *miss = o->targets && changes ? json_finite(moved(o, changes, i)) : NULL;
  return json_pack("{s:o*, s:o, s:o}", "miss", miss, "x_T", column_json(o, changes, 0, i), "v_T",
                   column_json(o, changes, d, i));
}

static json_t *dimension_json(const ScenarioOutcome *o, int i) {
  const VariedDimension *dimension = &o->set->scenarios->dimensions[i];
  const char *derivatives = !o->rates ? NULL : by_differences(o, i) ? "differences" : "motion";
  return json_pack("{s:s, s:f, s:f, s:o, s:s*, s:o}", "key", dimension->path,
                   !dimension->several     ? "value"
                   : dimension->value != 0 ? "factor"
                                           : "added",
                   dimension->value, "width", dimension->width, "derivative", change_json(o, o->rates, i),
                   "derivatives", derivatives, "sampled", change_json(o, o->slopes, i));
}

static json_t *spreads_json(const ScenarioOutcome *o, int first) {
  json_t *least = json_array(), *most = json_array(), *mean = json_array(), *deviation = json_array();
  for (int q = 0; q < o->set->problem->sim.d; q++) {
    Spread s = spread_of(o, first + q);
    json_array_append_new(least, json_finite(s.least));
    json_array_append_new(most, json_finite(s.most));
    json_array_append_new(mean, json_finite(s.mean));
    json_array_append_new(deviation, json_finite(s.deviation));
  }
  return json_pack("{s:o, s:o, s:o, s:o}", "least", least, "most", most, "mean", mean, "deviation", deviation);
}

static json_t *misses_json(const ScenarioOutcome *o) {
  double own[2];
  ctl_errors(&o->set->problem->control, o->state, o->state + o->set->problem->sim.d, own);
  return scenario_misses_json(o->set, own[0] + own[1], o->miss, o->order, o->misses);
}

json_t *scenario_outcome_json(const ScenarioOutcome *o) {
  const Scenarios *s = o->set->scenarios;
  json_t *keys = json_array(),
         *object = json_pack("{s:I, s:I}", "count", (json_int_t)s->count, "failed", (json_int_t)o->failed);
  bool good = keys && object;
  for (int i = 0; i < s->n && good; i++) good = json_array_append_new(keys, dimension_json(o, i)) == 0;
  if (good && o->targets) good = json_object_set_new(object, "miss", misses_json(o)) == 0;
  good = good && json_object_set_new(object, "x_T", spreads_json(o, 0)) == 0 &&
         json_object_set_new(object, "v_T", spreads_json(o, o->set->problem->sim.d)) == 0 &&
         json_object_set(object, "keys", keys) == 0;
  json_decref(keys);
  return json_if(good, object);
}

/* Results of scenarios as CSV -------------------------------------------------------------------------------------- */

enum { NUMBERS_MAX = 1 + SCENARIO_DIMENSIONS_MAX + 4, COLUMNS_MAX = NUMBERS_MAX + 2 };
_Static_assert((int)COLUMNS_MAX <= (int)TABLE_COLUMNS_MAX, "a column each");

/* Fills the numbers of scenario k (values of its dimensions, misses), and the columns to which they belong. Returns
 * their number. */
static int list_numbers(const ScenarioOutcome *o, long k, const double *shares, TableColumn *columns, double *numbers) {
  const double misses[] = {o->misses[2 * k], o->misses[2 * k + 1], o->miss[k], shares[k]};
  static const char *const names[] = {"E1", "E2", "miss", "share"};
  const Scenarios *s = o->set->scenarios;
  int n = 0;
  columns[n] = (TableColumn){.name = "scenario", .kind = COLUMN_COUNT};
  numbers[n++] = (double)(k + 1);
  for (int i = 0; i < s->n; i++) {
    columns[n] = (TableColumn){.name = s->dimensions[i].path};
    numbers[n++] = scenario_set_value(o->set, k, i);
  }
  for (int i = 0; i < 4 && o->targets; i++) {
    columns[n] = (TableColumn){.name = names[i]};
    numbers[n++] = isfinite(misses[i]) ? misses[i] : (double)NAN;
  }
  return n;
}

int scenario_outcome_write(const ScenarioOutcome *o, const Results *results) {
  const Problem *problem = o->set->problem;
  long count = o->set->scenarios->count;
  int d = problem->sim.d;
  TableColumn columns[COLUMNS_MAX];
  double numbers[NUMBERS_MAX], *shares;
  const double *data[COLUMNS_MAX];
  if (results_nowhere(results)) return 0;
  shares = calloc((size_t)count, sizeof *shares);
  if (!shares) return diagnostics_no_memory(results->diagnostics);
  if (o->targets) scenario_misses_shares(count, o->miss, o->order, shares);
  int n = list_numbers(o, 0, shares, columns, numbers);
  for (int c = 0; c < n; c++) data[c] = &numbers[c];
  columns[n] = (TableColumn){.name = "x", .width = WIDTH_DOFS};
  columns[n + 1] = (TableColumn){.name = "v", .width = WIDTH_DOFS};
  const TableLayout layout = {.n_columns = n + 2, .columns = columns, .labels = &problem->labels, .d = d};
  TableFile *file = table_open(results, "scenarios.csv", &layout, NULL);
  for (long k = 0; file && k < count; k++) {
    list_numbers(o, k, shares, columns, numbers);
    data[n] = o->states + 2 * d * k;
    data[n + 1] = data[n] + d;
    table_append(file, data);
  }
  free(shares);
  return !file || table_close(file, true) ? EXIT_INTERNAL : 0;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/file/sections/variant.h"

#include "src/base/path.h"
#include "src/file/model/model.h"
#include "src/file/sections/resolve.h"

#include <stdlib.h>
#include <string.h>

struct Readings {
  Document *document; /* borrowed */
  WrittenKeys keys;
  /* The problem when problem_settle was first called, without its force. Properties of its matrices that are not
   * changed, e.g. bounds of eigenvalues, are copied from here instead of being computed again. Owned. */
  SimProblem known;
};

/* Recording where numbers are read --------------------------------------------------------------------------------- */

void readings_open(Reader *reader) {
  Readings *readings = diagnostics_calloc(reader->diagnostics, 1, sizeof *readings);
  reader->problem->readings = readings;
  if (!readings) return;
  readings->document = reader->document;
  reader->keys = &readings->keys;
}

const SimProblem *readings_known(const Problem *problem) {
  const Readings *readings = problem->readings;
  return readings && readings->known.scheme ? &readings->known : NULL;
}

/* Stores the known properties of the matrices. If there is no memory for them, they are computed again each time. */
static void keep_known(Problem *problem) {
  SimProblem own = problem->sim;
  own.force = NULL;
  if (!problem->readings->known.scheme) sim_problem_copy(&own, &problem->readings->known);
}

void readings_destroy(Readings *readings) {
  if (!readings) return;
  if (readings->known.scheme) sim_problem_clear(&readings->known);
  keys_clear(&readings->keys);
  free(readings);
}

/* Changing numbers of the model in memory -------------------------------------------------------------------------- */

/* Place where a number is stored: in the problem, or in the list of values as written in the file. */
typedef struct Spot {
  double *number;          /* address of the number in the problem; NULL: the number is in `values` */
  const SimParameter *row; /* key of the value */
  Values *values;          /* value as written, which may be one number or a formula, and must then be expanded to a
                            * list */
  size_t entry;            /* number of the entry in the list, from 1 */
} Spot;

/* Returns whether all numbers of the model are stored in the form in which the file gives them, and nothing else
 * depends on them. This is false for a motion plan, as the bounds of T depend on the model. */
static bool rows_suffice(const Problem *problem) {
  const SimProblem *sim = &problem->sim;
  if (problem->plan) return false;
  if (!problem->readings || problem->storage || problem->as_written || problem->rise.law || problem->course[0])
    return false;
  return sim->kind == SIM_DASHPOT || (sim->kind == SIM_FRICTION && !sim->system.gearbox.present);
}

/* Returns the key at the start of a path below the section model, and advances *path past it. Returns NULL if no such
 * key was read. */
static WrittenKey *key_of(const Problem *problem, const char **path) {
  WrittenKeys *keys = &problem->readings->keys;
  const SimParameter *rows = model_keys(problem->kind), *row;
  PathStep step;
  do {
    const char *rest = path_step(*path, &step);
    for (row = rows; row->key; row++)
      if (step.key && strncmp(row->key, step.key, step.length) == 0 && !row->key[step.length]) break;
    if (!row->key) return NULL;
    *path = rest;
    rows = row->extent != SIM_SQUARE ? row->parts : NULL;
  } while (rows && **path == '.');
  for (WrittenKey *key = keys->list; key < keys->list + keys->n; key++)
    if (key->row == row) return key->node ? key : NULL;
  return NULL;
}

static bool find_in_values(Values *values, int d, bool spreads, const char *path, Spot *spot) {
  PathStep first, second = {.key = NULL};
  if (!values->good) return false;
  if (!*path) {
    spot->number = values->data;
    return values->form == SIM_FORM_NUMBER;
  }
  const char *rest = path_step(path, &first);
  if (first.key) {
    bool walls = values->form == SIM_FORM_SPRINGS, links = values->form == SIM_FORM_SECTION;
    bool own = strncmp(first.key, walls ? "springs" : "links", first.length) == 0;
    if (!walls && !links) return false;
    return find_in_values(&values->springs[!own], d, false, rest, spot);
  }
  size_t rows = (size_t)values->rows, columns = (size_t)values->columns;
  if (*rest) rest = path_step(rest, &second);
  if (*rest || first.entry == 0) return false;
  if (values->form == SIM_FORM_ROWS && second.entry > 0 && first.entry <= rows && second.entry <= columns)
    spot->number = &values->data[(first.entry - 1) * columns + second.entry - 1];
  else if (values->form == SIM_FORM_LIST && !second.entry && first.entry <= rows)
    spot->number = &values->data[first.entry - 1];
  else if (spreads && !second.entry && first.entry <= (size_t)d &&
           values->form & (SIM_FORM_NUMBER | SIM_FORM_FORMULA)) {
    spot->values = values;
    spot->entry = first.entry;
  }
  return spot->number || spot->values;
}

static bool find(const Problem *problem, const char *path, Spot *spot) {
  static const char model[] = "model.";
  *spot = (Spot){0};
  if (!rows_suffice(problem) || strncmp(path, model, strlen(model)) != 0) return false;
  path += strlen(model);
  WrittenKey *key = key_of(problem, &path);
  if (!key || !key->row->size) return false;
  if (key->row->extent != SIM_ONE)
    return find_in_values(&key->values, problem->sim.d, key->row->forms & SIM_FORM_LIST, path, spot);
  spot->row = key->row;
  return !*path && key->row->forms == SIM_FORM_NUMBER;
}

/* Expands one number, or a formula, to the list of its entries. */
static bool write_out(Problem *problem, Values *values) {
  int d = problem->sim.d;
  double *list = calloc((size_t)d, sizeof *list);
  for (int i = 0; i < d && list; i++) {
    double place = i + 1;
    list[i] = values->formula ? expression_evaluate(values->formula, &place) + 0.0 : values_entry(values, i);
  }
  if (!list) return false;
  free(values->data);
  expression_destroy(values->formula);
  values->formula = NULL;
  values->data = list;
  values->form = SIM_FORM_LIST;
  values->rows = d;
  values->columns = 1;
  return true;
}

bool problem_can_set(Problem *problem, const char *path) {
  Spot spot;
  return find(problem, path, &spot);
}

bool problem_set(Problem *problem, const char *path, double value) {
  Spot spot;
  if (!find(problem, path, &spot)) return false;
  if (spot.row) {
    sim_parameter_set(spot.row, &problem->sim, value + 0.0);
    return true;
  }
  if (spot.values && !write_out(problem, spot.values)) return false;
  /* + 0.0 turns -0 into 0, as it does when a file is read. */
  *(spot.values ? &spot.values->data[spot.entry - 1] : spot.number) = value + 0.0;
  return true;
}

/* Deriving values from changed numbers ----------------------------------------------------------------------------- */

/* Checks the range of each number that is a single value, i.e. not an entry of a list. */
static void check_singles(Reader *reader) {
  const WrittenKeys *keys = &reader->problem->readings->keys;
  for (const WrittenKey *key = keys->list; key < keys->list + keys->n; key++)
    if (key->node && key->row->size && key->row->extent == SIM_ONE && key->row->forms == SIM_FORM_NUMBER)
      parameter_allowed(reader, key->node, key->row, sim_parameter_get(key->row, &reader->problem->sim));
}

/* Selects the default scheme again if the file names no scheme, since the default depends on the thresholds. The force
 * is then converted to the form that the scheme uses. */
static void choose_scheme_again(Reader *reader) {
  SimProblem *sim = &reader->problem->sim;
  const char *name = default_scheme(reader->problem);
  bool chosen = !document_find(reader->document, "scheme");
  if (!chosen || strcmp(name, sim_scheme_name(sim->scheme)) == 0) return;
  if (sim_problem_set_scheme(sim, name) != SIM_OK || stiction_problem_set_force(sim, NULL, NULL) != SIM_OK)
    reader->diagnostics->no_memory = true;
  constants_keep(reader);
  fill_force(reader);
}

int problem_settle(Problem *problem, Diagnostics *diagnostics) {
  Readings *readings = problem->readings;
  SimProblem *sim = &problem->sim;
  Diagnostics found = {0};
  const SimProblem single = *sim;
  Reader reader = {.document = readings->document,
                   .diagnostics = &found,
                   .problem = problem,
                   .d = sim->d,
                   .p = sim->n_control,
                   .variable = problem->kind->variable,
                   .ranks = {.copies = 1, .limits = problem->limits}};
  work_begin(&reader);
  constants_restore(&reader);
  keys_fill(&reader, &readings->keys, &single);
  choose_scheme_again(&reader);
  check_singles(&reader);
  check_model(&reader);
  if (found.count && problem->labels.names) labels_note(&reader);
  int code = found.no_memory ? EXIT_INTERNAL : found.errors ? EXIT_USAGE : 0;
  if (!code) keep_known(problem);
  diagnostics_pass(&found, diagnostics);
  diagnostics_clear(&found);
  return code;
}

bool problem_as_given(const Problem *problem, SimProblem *given) {
  Diagnostics none = {0};
  Problem own = *problem;
  Reader reader = {.document = problem->readings->document, .diagnostics = &none, .problem = &own};
  own.sim.force = NULL;
  *given = (SimProblem){0};
  if (constants_wait(problem, NULL) || sim_problem_copy(&own.sim, given) != SIM_OK) return false;
  given->finalized = 0;
  own.sim = *given;
  constants_restore(&reader);
  diagnostics_clear(&none);
  return true;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/file/model/model.h"

#include <stdio.h>

static const char *const places[] = {[SIM_ANCHORS] = "anchors", [SIM_LINKS] = "links"};

/* EVALUATIONS: estimated number of evaluations of a law for each of its jumps and kinks, which are located by
 * bisection. PIECES: estimated number of pieces of the table of a law. */
enum { EVALUATIONS = 4096, PIECES = 256 };

bool law_allowed(Reader *reader, const char *key, const char *what, const Expression *law, int columns) {
  return work_allowed(reader, key, what, EVALUATIONS * columns * expression_seconds(law),
                      PIECES * (double)sim_curve_size(columns) * sizeof(double));
}

long law_looks(int columns) {
  /* number of samples of each law if there are few laws, and of all laws together if there are many */
  enum { LOOKS = 4096, OF_ALL = 1 << 20 };
  return columns < OF_ALL / LOOKS ? LOOKS : OF_ALL / columns;
}

typedef struct Law {
  Expression *expression;
  int columns;
} Law;

static void law_at(void *context, double e, double *force) {
  const Law *law = context;
  for (int i = 0; i < law->columns; i++) {
    const double values[] = {e, i + 1};
    force[i] = expression_evaluate(law->expression, values);
  }
}

bool read_law_range(Reader *reader, Node *section, double range[2]) {
  Values values = values_read(reader, section, "range", SIM_FORM_LIST);
  bool there = values.node && values.good;
  bool good = there && values.rows == 2 && values.data[0] < values.data[1];
  for (int k = 0; k < 2 && good; k++) range[k] = values.data[k];
  if (there && !good) value_error(reader, values.node, "not a range (expected two lengths, the lesser first)");
  values_clear(&values);
  return good;
}

void report_law(Reader *reader, const char *key, SimStatus status, double where) {
  note_memory(reader, status);
  if (status == SIM_NON_FINITE)
    key_error(reader, key, "not finite at x = %.9g (expected a force over all of its range)", where);
  if (status == SIM_NOT_CONVERGED)
    key_error(reader, key, "swings too fast to be held as polynomials of x, of which there are too many by x = %.9g",
              where);
}

/* Approximates a law by polynomial pieces and stores them in the problem. Reports an error if this is impossible. */
static void take_law(Reader *reader, SimSpringPlace place, const char *key, Law *law) {
  Problem *problem = reader->problem;
  const double *range = problem->springs[place].range;
  const SimLoad force = {.context = law, .at = law_at, .looks = law_looks(law->columns)};
  double where;
  SimStatus status =
      stiction_problem_set_springs(&problem->sim, place, law->columns, &force, range[0], range[1], 0, NULL, &where);
  report_law(reader, key, status, where);
  if (status == SIM_BAD_PROBLEM)
    key_error(reader, key, "a jump at x = %.9g (expected a force without jumps: a steep slope, say)", where);
}

static void read_place(Reader *reader, Node *springs, SimSpringPlace place) {
  static const char *const variables[] = {"x", "i"};
  Problem *problem = reader->problem;
  SpringText *text = &problem->springs[place];
  char key[NODE_PATH_SIZE];
  Node *section = read_section(reader, springs, places[place]);
  Node *node = section ? key_get(reader, section, "law") : NULL;
  if (node) text->law = node_expression(reader, node, 2, variables);
  if (!section || !read_law_range(reader, section, text->range) || !text->law || !reader->d) return;
  int each = place == SIM_LINKS ? reader->d - 1 : reader->d;
  bool alike = !expression_uses(text->law, "i");
  Law law = {text->law, alike ? 1 : each};
  snprintf(key, sizeof key, "model.springs.%s.law", places[place]);
  if (problem->storage && !alike)
    value_error(reader, node, "in i with sparse matrices (expected one law for all springs)");
  else if (each < 1)
    value_error(reader, node, "with one mass (expected two that a spring is between)");
  else if (law_allowed(reader, key, "the law of springs", law.expression, law.columns))
    take_law(reader, place, key, &law);
}

void read_springs(Reader *reader, Node *model) {
  Node *springs = read_section(reader, model, "springs");
  if (!springs) return;
  for (SimSpringPlace place = 0; place < SIM_SPRING_PLACES; place++) read_place(reader, springs, place);
  if (!springs->first) value_error(reader, springs, "neither anchors nor links (expected one of them, or both)");
}

bool echo_springs(const Problem *problem, json_t *model) {
  json_t *springs = NULL;
  bool good = true;
  for (SimSpringPlace place = 0; place < SIM_SPRING_PLACES && good; place++) {
    const SpringText *text = &problem->springs[place];
    if (!text->law) continue;
    if (!springs) springs = json_object();
    json_t *law =
        json_pack("{s:s, s:[f, f]}", "law", expression_text(text->law), "range", text->range[0], text->range[1]);
    good = springs && json_object_set_new(springs, places[place], law) == 0;
  }
  return !springs ? good : json_object_set_new(model, "springs", springs) == 0 && good;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/file/model/model.h"

#include "src/file/values/parameter.h"

static const char key[] = "model.friction_rise.law";

static const SimParameter *row_of(void) { return sim_parameter_find(sim_rise_parameters, "of"); }

void read_friction_rise(Reader *reader, Node *model) {
  static const char *const variables[] = {"x", "force", "i"};
  Problem *problem = reader->problem;
  Node *section = read_section(reader, model, "friction_rise");
  Node *law = section ? key_get(reader, section, "law") : NULL;
  Node *of = section ? key_get(reader, section, "of") : NULL;
  if (law) problem->rise.law = node_expression(reader, law, 3, variables);
  problem->rise_by_force = problem->rise.law && expression_uses(problem->rise.law, "force");
  problem->rise_of = SIM_OWN_PLACE;
  bool known = !of || (of->kind == NODE_SCALAR && sim_parameter_choose(row_of(), of->text, &problem->rise_of));
  if (section && read_law_range(reader, section, problem->rise.range) && known && problem->rise.law) return;
  expression_destroy(problem->rise.law);
  problem->rise.law = NULL;
}

/* Returns the force in the spring of dof i at elongation e, in N. A spring to a neighbour has the stiffness that the
 * matrix has as the entry of both dofs. A spring between dof i and the ground has the row sum of the matrix. If the
 * file has a nonlinear law for these springs, its force is added. */
static double force_of(const Problem *problem, int i, double e) {
  const SimProblem *sim = &problem->sim;
  const double *row = sim->system.stiffness + (long)i * sim->d;
  int link = problem->rise_of == SIM_SPRING_BEFORE ? i - 1 : i;
  double stiffness = 0;
  if (problem->rise_of == SIM_OWN_PLACE)
    for (int j = 0; j < sim->d; j++) stiffness += row[j];
  else if (link < 0 || link + 1 >= sim->d)
    return 0;
  else
    stiffness = -row[link == i ? i + 1 : link];
  Expression *law = problem->springs[problem->rise_of == SIM_OWN_PLACE ? SIM_ANCHORS : SIM_LINKS].law;
  const double values[] = {e, link + 1};
  return stiffness * e + (law ? expression_evaluate(law, values) : 0);
}

double friction_rise(const Problem *problem, int i, double e) {
  Expression *law = problem->rise.law;
  const double values[] = {e, problem->rise_by_force ? force_of(problem, i, e) : 0, i + 1};
  return expression_evaluate(law, values);
}

typedef struct Source {
  const Problem *problem;
  int columns;
} Source;

static void rise_at(void *context, double e, double *rise) {
  const Source *source = context;
  for (int i = 0; i < source->columns; i++) rise[i] = friction_rise(source->problem, i, e);
}

void make_friction_rise(Reader *reader) {
  Problem *problem = reader->problem;
  SimProblem *sim = &problem->sim;
  const SpringText *text = &problem->rise;
  bool each = problem->rise_by_force || expression_uses(text->law, "i");
  Source source = {problem, each ? sim->d : 1};
  const SimLoad law = {.context = &source, .at = rise_at, .looks = law_looks(source.columns)};
  double where;
  if (each && problem->storage) {
    key_error(reader, key, "in i or force with sparse matrices (expected a law of x, or matrices: dense)");
    return;
  }
  if (!law_allowed(reader, key, "the rise of friction", text->law, source.columns)) return;
  SimStatus status = stiction_problem_set_rise(sim, (SimElongation)problem->rise_of, source.columns, &law,
                                               text->range[0], text->range[1], 0, NULL, &where);
  report_law(reader, key, status, where);
  if (status == SIM_BAD_PROBLEM)
    key_error(reader, key, "a jump, or a threshold below 0, at x = %.9g (expected friction >= 0 over all of the range)",
              where);
}

bool echo_friction_rise(const Problem *problem, json_t *model) {
  const SpringText *text = &problem->rise;
  if (!text->law) return true;
  json_t *rise = json_pack("{s:s, s:s, s:[f, f]}", "law", expression_text(text->law), "of",
                           sim_parameter_word(row_of(), problem->rise_of), "range", text->range[0], text->range[1]);
  return rise && json_object_set_new(model, "friction_rise", rise) == 0;
}

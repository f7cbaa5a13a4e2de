#include "src/model/sparse_model.h"

#include "src/process/memory.h"
#include "src/values/force.h"
#include "src/values/matrix_market.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void sparse_model_destroy(SparseModel *model) {
  if (!model) return;
  expression_destroy(model->force);
  json_decref(model->model);
  json_decref(model->matrix);
  json_decref(model->position);
  json_decref(model->velocity);
  free(model);
}

json_t *node_echo(const Node *node) {
  if (node->kind == NODE_SCALAR) return node_is_null(node) ? json_null() : json_string(node->text);
  json_t *echo = node->kind == NODE_SEQUENCE ? json_array() : json_object();
  bool good = echo != NULL;
  for (const Node *child = node->first; child && good; child = child->next)
    good = (node->kind == NODE_SEQUENCE ? json_array_append_new(echo, node_echo(child))
                                        : json_object_set_new(echo, child->key, node_echo(child))) == 0;
  return json_if(good, echo);
}

json_t *echo_sparse(const Problem *problem) { return json_incref(problem->sparse->model); }

/* Looks a key up without noting it as known. */
static const Node *child(const Node *node, const char *key) {
  const Node *found = node && node->kind == NODE_MAPPING ? node->first : NULL;
  while (found && strcmp(found->key, key) != 0) found = found->next;
  return found;
}

/* search.ranks_per_evaluation, before that section is read; 1 when absent or wrong. */
static double ranks_per_evaluation(Reader *reader) {
  char message[EXPRESSION_MESSAGE_SIZE];
  double ranks;
  const Node *node = child(child(document_root(reader->document), "search"), "ranks_per_evaluation");
  return node && expression_constant(node->text, &ranks, message) && ranks >= 1 ? ranks : 1;
}

/* Whether all copies of the model fit; told at key when not. */
static bool fits(Reader *reader, const char *key, int rows, int entries) {
  const ModelRanks *ranks = &reader->ranks;
  double most = memory_available(), d = reader->d;
  double copies = ranks->copies + floor(ranks->workers / ranks_per_evaluation(reader));
  double bytes = sim_sparse_memory(rows, (long)entries * rows, reader->p) * d / rows * copies;
  if (!(bytes > most)) return true;
  document_error(reader->document, reader->diagnostics, key,
                 "%d degrees of freedom take %.3g GB of memory, %.3g GB are available (expected fewer)", reader->d,
                 bytes / 1e9, most / 1e9);
  return false;
}

bool start_sparse(Reader *reader, const char *key, int entries) {
  Problem *problem = reader->problem;
  const ModelRanks *ranks = &reader->ranks;
  int first = 0, count = reader->d, size = sim_group_size(ranks->group);
  if (reader->d && reader->d < size) {
    document_error(reader->document, reader->diagnostics, key,
                   "%d degrees of freedom for %d ranks (expected fewer ranks)", reader->d, size);
    reader->d = 0;
  }
  if (reader->d) sim_share(reader->d, size, sim_group_rank(ranks->group), &first, &count);
  /* every rank sees the same files, but not the same memory */
  if (reader->d && sim_group_agree(ranks->group, !fits(reader, key, count, entries))) reader->d = 0;
  problem->sparse = diagnostics_calloc(reader->diagnostics, 1, sizeof *problem->sparse);
  SimStatus status = problem->sparse ? SIM_OK : SIM_NO_MEMORY;
  if (status == SIM_OK && reader->d)
    status = sim_problem_init_sparse(&problem->sim, ranks->group, reader->d, first, count, reader->p);
  else if (status == SIM_OK)
    status = sim_problem_init_sparse(&problem->sim, NULL, 1, 0, 1, reader->p);
  bool done = !sim_group_agree(ranks->group, status != SIM_OK);
  if (!done) {
    reader->diagnostics->no_memory = true;
    return false;
  }
  *problem->sparse = (SparseModel){.problem = problem, .first = first, .count = problem->sim.count};
  return true;
}

static void load_at(void *context, double t, double *f) {
  const SparseModel *sparse = context;
  double h = sparse->spacing;
  if (!sparse->force) {
    force_at(sparse->problem->force, &sparse->problem->sim, t, sparse->first, sparse->count, f);
    return;
  }
  bool varies = expression_uses(sparse->force, "s");
  for (int i = 0; i < sparse->count; i++) {
    const double values[] = {string_position(h, sparse->first + i), t};
    f[i] = i && !varies ? f[0] : expression_evaluate(sparse->force, values) * h;
  }
}

/* Tells the first row whose force is not finite at t. */
static bool is_finite(Reader *reader, const SparseModel *sparse, double t, double *f) {
  load_at((void *)sparse, t, f);
  for (int i = 0; i < sparse->count; i++) {
    if (isfinite(f[i])) continue;
    if (sparse->force)
      document_error(reader->document, reader->diagnostics, "model.force",
                     "%g at s = %.9g, t = %.9g (expected a finite value)", f[i],
                     string_position(sparse->spacing, sparse->first + i), t);
    else
      document_error(reader->document, reader->diagnostics, "model.force",
                     "%g on row %d at t = %.9g (expected a finite value)", f[i], sparse->first + i + 1, t);
    return false;
  }
  return true;
}

void finish_sparse(Reader *reader) {
  enum { EVALUATIONS = 1000000 };
  SparseModel *sparse = reader->problem->sparse;
  SimProblem *sim = &reader->problem->sim;
  if (!sparse->force && !reader->problem->force) return;
  if (is_wrong(reader, "time") || is_wrong(reader, "model.force")) return;
  bool constant = sparse->force ? !expression_uses(sparse->force, "t") : force_is_constant(reader->problem->force);
  double *f = diagnostics_calloc(reader->diagnostics, (size_t)sparse->count, sizeof *f);
  if (!f) return;
  long times = constant ? 1 : sim_force_count(sim), few = EVALUATIONS / (sparse->count + 1);
  long stride = times <= few || times < 3 ? 1 : times - 1; /* the first and the last */
  bool good = true;
  for (long k = 0; k < times && good; k += stride) good = is_finite(reader, sparse, sim_force_time(sim, k), f);
  free(f);
  sim->load = (SimLoad){.context = sparse, .constant = constant, .at = load_at};
}

SimStribeck read_stribeck_law(Reader *reader, Node *section) {
#define LAW_CHOICE(law, name, sentence, ...) {name, law, sentence},
  static const SimChoice laws[] = {SIM_STRIBECK_LAWS(LAW_CHOICE){0}};
#undef LAW_CHOICE
  SimProblem *sim = &reader->problem->sim;
  int law = section ? SIM_STRIBECK_SQRT : SIM_STRIBECK_NONE;
  if (!section) return SIM_STRIBECK_NONE;
  if (!node_get(section, "law", reader->diagnostics)) require(reader, section, "model.stribeck.law", "sqrt or ramp");
  if (!node_get(section, "beta", reader->diagnostics)) require(reader, section, "model.stribeck.beta", "0 < beta < 1");
  if (!node_get(section, "epsilon", reader->diagnostics))
    require(reader, section, "model.stribeck.epsilon", "a speed > 0");
  read_choice(reader, section, "law", laws, &law);
  for (int i = 0; i < sim->count; i++) sim->system.stribeck_beta[i] = 0.5, sim->system.stribeck_epsilon[i] = 1;
  return (SimStribeck)law;
}

/* {nodes: [..], values: [..]} */
static void read_nodes(Reader *reader, Node *node, double *vector) {
  Values nodes = values_read(reader, node, "nodes", SIM_FORM_LIST), values = values_read(reader, node, "values", 3);
  int d = reader->d, n = nodes.good ? nodes.rows : 0;
  if (!values.node) node_error(node, reader->diagnostics, "nodes without values (expected values: [..])");
  if (values.good && nodes.good && values.form == SIM_FORM_LIST && values.rows != n)
    node_error(values.node, reader->diagnostics, "%d values for %d nodes", values.rows, n);
  else if (values.good && nodes.good && d)
    for (int k = 0; k < n; k++) {
      double at = nodes.data[k];
      if (!(at >= 1 && at <= d && at == floor(at)))
        node_error(nodes.node, reader->diagnostics, "no node %g (expected integers from 1 to %d)", at, d);
      else if (!isnan(vector[(int)at - 1]))
        node_error(nodes.node, reader->diagnostics, "node %g twice", at);
      else
        vector[(int)at - 1] = values.data[values.form == SIM_FORM_LIST ? k : 0];
    }
  values_clear(&nodes);
  values_clear(&values);
}

void read_sparse_target(Reader *reader, Node *target, const char *key, double *vector, double *spacing) {
  static const char *const variables[] = {"s"};
  SparseModel *sparse = reader->problem->sparse;
  bool string = sparse && sparse->spacing > 0;
  Node *node = node_get(target, key, reader->diagnostics);
  if (!node || !sparse) return;
  json_t **echo = strcmp(key, "position") == 0 ? &sparse->position : &sparse->velocity;
  *echo = node_echo(node);
  if (node->kind == NODE_MAPPING && node_get(node, "nodes", reader->diagnostics)) {
    read_nodes(reader, node, vector);
  } else if (!string) {
    read_vector(reader, target, key, reader->d, SIM_FORM_NUMBER | SIM_FORM_LIST | SIM_FORM_NULLS, vector);
  } else if (node->kind != NODE_SCALAR) {
    node->ignored = true;
    node_error(node, reader->diagnostics, "not a target (expected an expression in s, or {nodes: [..], values: [..]})");
  } else {
    Expression *f = node_expression(reader, node, 1, variables);
    bool good = f != NULL;
    for (int i = 0; i < reader->d && good; i++) {
      double s = string_position(sparse->spacing, i);
      vector[i] = expression_evaluate(f, &s) + 0.0;
      good = isfinite(vector[i]);
      if (!good) node_error(node, reader->diagnostics, "%g at s = %.9g (expected a finite number)", vector[i], s);
    }
    *spacing = sparse->spacing;
    expression_destroy(f);
  }
}

static bool is_word(const Node *node, const char *word) {
  return node && node->kind == NODE_SCALAR && strcmp(node->text, word) == 0;
}

ModelStorage model_storage(const Node *model, const char *problem_path) {
  static const char *const matrices[] = {"mass", "stiffness", "damping"};
  const Node *kind = child(model, "kind"), *storage = child(model, "matrices");
  if (is_word(kind, model_string.name)) return MODEL_STRING;
  if (!is_word(kind, model_sparse.name) || is_word(storage, "dense")) return MODEL_DENSE;
  if (is_word(storage, "sparse")) return MODEL_SPARSE;
  for (size_t i = 0; i < sizeof matrices / sizeof *matrices; i++) {
    const Node *file = child(child(model, matrices[i]), "file");
    char path[FILE_PATH_SIZE];
    if (file && file->kind == NODE_SCALAR && file_beside(problem_path, file->text, path) &&
        matrix_market_rows(path) > MATRIX_SIZE_MAX)
      return MODEL_SPARSE;
  }
  return MODEL_DENSE;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/graph/tape.h"
#include "sim/graph/kernel.h"
#include "sim/graph/late.h"
#include "sim/graph/lower.h"

#include <stdlib.h>
#include <string.h>

/* Stages: when a node's value is known. NUMBER: it is a constant. FIXED: when the variables that are constant in
 * time are set. DIFFERENTIATED: it is constant in time, too, but its derivatives are computed in each order.
 * VARYING: in each order of the Taylor series. LATE: in each order, after the caller has solved for the late
 * variables (tape.h). */
typedef enum Stage { NUMBER, FIXED, DIFFERENTIATED, VARYING, LATE } Stage;

typedef struct Plan {
  Graph graph; /* the graph after graph_lower, with the nodes that a tape can expand */
  GraphTape *tape;
  const GraphRole *roles;
  const char **why;
  int *outputs;
  Stage *stage; /* [graph.n] */
  bool *needed; /* [graph.n] whether the node needs a row */
  int *row;     /* [graph.n] number of the node's row in the tape */
  int *sorted;  /* [n_steps] nodes of the steps, in the order of the tape */
} Plan;

/* Writes a node as factor x + offset, and returns the node x. */
static int resolve(const Graph *graph, int node, double *factor, double *offset) {
  const GraphNode *made = &graph->nodes[node];
  *factor = made->kind == GRAPH_AFFINE ? made->factor : 1;
  *offset = made->kind == GRAPH_AFFINE ? made->offset : 0;
  return made->kind == GRAPH_AFFINE ? made->a : node;
}

static bool is_sum(const GraphNode *node) {
  return node->kind == GRAPH_AFFINE || node->kind == GRAPH_ADD || node->kind == GRAPH_SUBTRACT;
}

/* Computes the stage of a node from those of its operands. */
static void find_stage(Plan *plan, int z) {
  const GraphNode *node = &plan->graph.nodes[z];
  int operand[4] = {node->a, node->b, node->c, 0}, n = graph_operands(node->kind);
  Stage stage = node->kind == GRAPH_NUMBER ? NUMBER : FIXED;
  if (node->kind == GRAPH_VARIABLE) {
    GraphRole role = plan->roles[node->a];
    stage = role == GRAPH_VARIES           ? VARYING
            : role == GRAPH_LATE           ? LATE
            : role == GRAPH_DIFFERENTIATED ? DIFFERENTIATED
                                           : FIXED;
  }
  operand[n] = graph_switch(&plan->graph, z);
  if (operand[n] >= 0) n++;
  for (int i = 0; i < n; i++)
    if (plan->stage[operand[i]] > stage) stage = plan->stage[operand[i]];
  plan->stage[z] = stage;
}

/* Sets wanted [GRAPH_TASK_OPERANDS] to the nodes with the rows from which node z is computed. Returns their number. */
static int list_operands(Plan *plan, int z, int *wanted) {
  const GraphNode node = plan->graph.nodes[z];
  int operands[] = {node.a, node.b, node.c}, n = graph_operands(node.kind), count = 0;
  bool steps = plan->stage[z] > FIXED;
  double factor, offset;
  /* a comparison needs the row of its switching function a - b, not those of a and b */
  if (steps && node.kind >= GRAPH_LESS && node.kind <= GRAPH_UNEQUAL) n = 0;
  for (int i = 0; i < n; i++) {
    bool resolved = steps && is_sum(&node) && node.kind != GRAPH_AFFINE;
    wanted[count++] = resolved ? resolve(&plan->graph, operands[i], &factor, &offset) : operands[i];
  }
  int at = steps ? graph_switch(&plan->graph, z) : -1;
  if (at >= 0) wanted[count++] = at;
  return count;
}

/* Marks the nodes with the rows from which node z is computed. Returns true if one of them was not marked before. */
static bool need_operands(Plan *plan, int z) {
  int wanted[GRAPH_TASK_OPERANDS + 1], n = list_operands(plan, z, wanted);
  bool more = false, over;
  double sign;
  int rate = plan->stage[z] > FIXED ? graph_rate(&plan->graph, z, &over, &sign) : -1;
  if (rate >= 0) wanted[n++] = rate;
  for (int i = 0; i < n; i++) {
    if (plan->needed[wanted[i]]) continue;
    plan->needed[wanted[i]] = more = true;
  }
  return more;
}

/* Returns the form (group of steps with the same loop) of the step that computes a node. */
static GraphForm form_of(const Plan *plan, int z) {
  const GraphNode *node = &plan->graph.nodes[z];
  if (node->kind == GRAPH_MULTIPLY) {
    bool varies = plan->stage[node->a] > FIXED && plan->stage[node->b] > FIXED;
    return varies && node->a != node->b ? FORM_PRODUCT : FORM_OTHER;
  }
  return is_sum(node) ? FORM_SUM : FORM_OTHER;
}

/* Orders the steps so that those of one form are consecutive. Steps that depend on late variables (tape.h) come last,
 * because such a variable is known only after the equations of its Taylor order are solved. Returns false if there is
 * no memory. */
static bool sort_steps(Plan *plan) {
  GraphTape *tape = plan->tape;
  size_t size = (size_t)plan->graph.n + 1;
  int *nodes = malloc(2 * size * sizeof *nodes), *task_of = nodes ? nodes + size : NULL;
  GraphTask *tasks = malloc(size * sizeof *tasks);
  bool good = nodes && tasks;
  for (int z = 0; good && z < plan->graph.n; z++) {
    bool steps = plan->needed[z] && plan->stage[z] > FIXED && plan->graph.nodes[z].kind >= GRAPH_AFFINE;
    task_of[z] = steps ? tape->n_steps : -1;
    if (!steps) continue;
    int wanted[GRAPH_TASK_OPERANDS], n = list_operands(plan, z, wanted);
    GraphTask *task = &tasks[tape->n_steps];
    *task = (GraphTask){plan->stage[z] == LATE, form_of(plan, z), {-1, -1, -1, -1}};
    for (int i = 0; i < n; i++) task->operands[i] = task_of[wanted[i]];
    nodes[tape->n_steps++] = z;
  }
  good = good && graph_schedule(tape->n_steps, tasks, 2, TAPE_FORMS, plan->sorted, &tape->n_runs, tape->runs);
  for (int i = 0; good && i < tape->n_steps; i++) {
    tape->late_step += tasks[plan->sorted[i]].stage == 0;
    plan->sorted[i] = nodes[plan->sorted[i]];
  }
  while (good && tape->late_run < tape->n_runs && tape->runs[tape->late_run].first < tape->late_step) tape->late_run++;
  free(nodes);
  free(tasks);
  return good;
}

/* Assigns a row to each node that needs one. Row 0 contains zeros; then come the rows of variables, numbers and
 * operations on constants; then those that steps compute. */
static void place_rows(Plan *plan) {
  GraphTape *tape = plan->tape;
  const Graph *graph = &plan->graph;
  tape->rows = 1;
  for (int i = 0; i < tape->n_variables; i++) {
    tape->variable[i] = tape->rows++;
    if (plan->roles[i] == GRAPH_LATE) tape->late[tape->n_late++] = tape->variable[i];
  }
  for (int z = 0; z < graph->n; z++) {
    GraphNode node = graph->nodes[z];
    if (node.kind == GRAPH_VARIABLE) plan->row[z] = tape->variable[node.a];
    if (!plan->needed[z] || plan->stage[z] > FIXED || node.kind == GRAPH_VARIABLE) continue;
    plan->row[z] = tape->rows++;
    if (node.kind == GRAPH_NUMBER) {
      tape->initial[plan->row[z]] = node.offset;
      continue;
    }
    node.a = plan->row[node.a];
    node.b = plan->row[node.b];
    node.c = plan->row[node.c];
    tape->fixed_row[tape->n_fixed] = plan->row[z];
    tape->fixed[tape->n_fixed++] = node;
  }
  tape->first = tape->rows;
  for (int i = 0; i < tape->n_steps; i++) plan->row[plan->sorted[i]] = tape->rows++;
}

static GraphStep make_sum(const Plan *plan, const GraphNode *node) {
  GraphStep step = {.op = TAPE_SUM, .f = node->factor, .offset = node->offset};
  double offset_a, offset_b;
  if (node->kind == GRAPH_AFFINE) {
    step.a = plan->row[node->a];
    return step;
  }
  double sign = node->kind == GRAPH_SUBTRACT ? -1 : 1;
  step.a = plan->row[resolve(&plan->graph, node->a, &step.f, &offset_a)];
  step.b = plan->row[resolve(&plan->graph, node->b, &step.g, &offset_b)];
  step.g *= sign;
  step.offset = offset_a + sign * offset_b;
  return step;
}

/* Returns the step of a product or a quotient. A constant factor becomes its second operand, and a factor that
 * depends on late variables (tape.h) the first. */
static GraphStep make_product(const Plan *plan, const GraphNode *node) {
  bool divides = node->kind == GRAPH_DIVIDE;
  bool fixed_a = plan->stage[node->a] <= FIXED, fixed_b = plan->stage[node->b] <= FIXED;
  GraphStep step = {.op = divides              ? TAPE_QUOTIENT
                          : node->a == node->b ? TAPE_SQUARE
                                               : TAPE_PRODUCT,
                    .a = plan->row[node->a],
                    .b = plan->row[node->b]};
  if (fixed_b) step.op = divides ? TAPE_DIVIDE_BY : TAPE_SCALE;
  bool late_b = plan->stage[node->a] != LATE && plan->stage[node->b] == LATE;
  if (fixed_a && !divides) step.op = TAPE_SCALE;
  if (!divides && (fixed_a || late_b)) {
    step.a = plan->row[node->b];
    step.b = plan->row[node->a];
  }
  return step;
}

/* Returns the number of the kink (tape.h) that has a given row as switching function, adding the kink if it is new. */
static int find_kink(GraphTape *tape, int row) {
  for (int i = 0; i < tape->n_kinks; i++)
    if (tape->kink_row[i] == row) return i;
  tape->kink_row[tape->n_kinks] = row;
  return tape->n_kinks++;
}

/* Numbers the time-dependent kinks (tape.h) in the order of the graph's nodes, so that their numbers do not depend
 * on the order of the steps. */
static void number_kinks(Plan *plan) {
  GraphTape *tape = plan->tape;
  for (int z = 0; z < plan->graph.n; z++) {
    int at = plan->needed[z] && plan->stage[z] > FIXED ? graph_switch(&plan->graph, z) : -1;
    if (at < 0 || plan->stage[at] <= DIFFERENTIATED) continue;
    (void)find_kink(tape, plan->row[at]);
    tape->n_switched++;
  }
  tape->n_moving = tape->n_kinks;
}

bool graph_tape_same_kinks(const GraphTape *a, const GraphTape *b) {
  return a->n_moving == b->n_moving && a->n_switched == b->n_switched;
}

static GraphStep make_kink(Plan *plan, int z) {
  const GraphNode *node = &plan->graph.nodes[z];
  GraphStep step = {.op = TAPE_LEVEL, .kink = -1};
  int at = graph_switch(&plan->graph, z);
  if (at >= 0) {
    step.kink = find_kink(plan->tape, plan->row[at]);
    if (plan->stage[at] == LATE) *plan->why = "a kink that depends on accelerations";
    step.op = node->kind == GRAPH_ABS ? TAPE_SIGNED : TAPE_LEVEL;
  }
  if (node->kind == GRAPH_ABS || node->kind >= GRAPH_AND) step.a = plan->row[node->a];
  if (node->kind >= GRAPH_AND) step.b = plan->row[node->b];
  if (node->kind == GRAPH_MIN || node->kind == GRAPH_MAX || node->kind == GRAPH_CHOOSE) {
    bool chooses = node->kind == GRAPH_CHOOSE;
    step.op = TAPE_PICK;
    step.u = chooses ? plan->row[node->a] : 0;
    step.a = plan->row[chooses ? node->b : node->a];
    step.b = plan->row[chooses ? node->c : node->b];
  }
  if (step.kink >= 0 && step.op == TAPE_LEVEL) plan->tape->may_jump[step.kink] = true;
  return step;
}

/* Whether a node is linear in the late variables (tape.h): it is a sum, or a product with a factor that does not
 * depend on them. */
static bool is_linear(const Plan *plan, const GraphNode *node, GraphTapeOp op) {
  bool late_a = plan->stage[node->a] == LATE;
  bool late_b = graph_operands(node->kind) > 1 && plan->stage[node->b] == LATE;
  switch (op) {
  case TAPE_SUM:
  case TAPE_SCALE:
  case TAPE_DIVIDE_BY: return true;
  case TAPE_PRODUCT: return late_a != late_b;
  case TAPE_QUOTIENT: return !late_b;
  case TAPE_PICK: return node->kind == GRAPH_CHOOSE && !late_a;
  default: return false;
  }
}

static GraphStep make_step(Plan *plan, int z) {
  const GraphNode node = plan->graph.nodes[z];
  bool over;
  double sign;
  int rate = graph_rate(&plan->graph, z, &over, &sign);
  if (rate >= 0)
    return (GraphStep){over ? TAPE_RATE_OVER : TAPE_RATE_TIMES,
                       node.kind,
                       plan->row[node.a],
                       node.kind == GRAPH_POWER ? plan->row[node.b] : 0,
                       plan->row[rate],
                       -1,
                       sign,
                       0,
                       0};
  if (is_sum(&node)) return make_sum(plan, &node);
  if (node.kind == GRAPH_MULTIPLY || node.kind == GRAPH_DIVIDE) return make_product(plan, &node);
  if (node.kind == GRAPH_SQRT) return (GraphStep){.op = TAPE_ROOT, .a = plan->row[node.a]};
  return make_kink(plan, z);
}

/* Adds the product of two rows to the tape's list of products P (tape.h), and returns its number there. */
static int add_entry(GraphTape *tape, int x, int y, bool weighed) {
  tape->x_row[tape->n_entries] = x;
  tape->y_row[tape->n_entries] = y;
  if (weighed) tape->weighed[tape->n_weighed++] = tape->n_entries;
  return tape->n_entries++;
}

/* Returns the operand rows of a step's recurrence and the number of its product in the list P (tape.h). */
static GraphLink make_link(GraphTape *tape, const GraphStep *step, int z) {
  GraphLink link = {step->a, 0, 0};
  switch (step->op) {
  case TAPE_SUM:
  case TAPE_PICK: link.b = step->b; break;
  case TAPE_PRODUCT: return (GraphLink){step->a, step->b, add_entry(tape, step->a, step->b, false)};
  case TAPE_SQUARE: link.m = add_entry(tape, step->a, step->a, false); break;
  case TAPE_QUOTIENT: return (GraphLink){step->a, step->b, add_entry(tape, step->b, z, false)};
  case TAPE_ROOT: link.m = add_entry(tape, z, z, false); break;
  case TAPE_RATE_TIMES: link.m = add_entry(tape, step->a, step->u, true); break;
  case TAPE_RATE_OVER: link.m = add_entry(tape, z, step->u, true); break;
  case TAPE_LEVEL: link.a = 0; break;
  default: break;
  }
  return link;
}

static bool allocate(Plan *plan, int count) {
  GraphTape *tape = plan->tape;
  size_t n = (size_t)plan->graph.n, rows = n + (size_t)tape->n_variables + 1;
  tape->variable = calloc((size_t)tape->n_variables + 1, sizeof *tape->variable);
  tape->late = calloc((size_t)tape->n_variables + 1, sizeof *tape->late);
  tape->output = calloc((size_t)count + 1, sizeof *tape->output);
  tape->initial = calloc(rows, sizeof *tape->initial);
  tape->fixed = calloc(n, sizeof *tape->fixed);
  tape->fixed_row = calloc(n, sizeof *tape->fixed_row);
  tape->steps = calloc(n, sizeof *tape->steps);
  tape->links = calloc(n, sizeof *tape->links);
  tape->runs = calloc(n, sizeof *tape->runs);
  tape->kink_row = calloc(n, sizeof *tape->kink_row);
  tape->may_jump = calloc(n, sizeof *tape->may_jump);
  tape->x_row = calloc(n + 1, sizeof *tape->x_row);
  tape->y_row = calloc(n + 1, sizeof *tape->y_row);
  tape->weighed = calloc(n, sizeof *tape->weighed);
  plan->stage = calloc(n, sizeof *plan->stage);
  plan->needed = calloc(n, sizeof *plan->needed);
  plan->row = calloc(n, sizeof *plan->row);
  plan->sorted = calloc(n, sizeof *plan->sorted);
  return tape->variable && tape->late && tape->output && tape->initial && tape->fixed && tape->fixed_row &&
         tape->steps && tape->links && tape->runs && tape->kink_row && tape->may_jump && tape->x_row && tape->y_row &&
         tape->weighed && plan->stage && plan->needed && plan->row && plan->sorted;
}

/* Creates the steps, links and products (tape.h) of all nodes, in the order of the tape. Returns false if there is no
 * memory or a node has no Taylor series. */
static bool compile(Plan *plan) {
  GraphTape *tape = plan->tape;
  for (int z = 0; z < plan->graph.n; z++) find_stage(plan, z);
  for (int i = 0; i < tape->n_outputs; i++) plan->needed[plan->outputs[i]] = true;
  for (bool more = true; more;) {
    more = false;
    for (int z = plan->graph.n - 1; z >= 0; z--)
      if (plan->needed[z]) more = need_operands(plan, z) || more;
  }
  if (!sort_steps(plan)) return false;
  place_rows(plan);
  number_kinks(plan);
  add_entry(tape, 0, 0, false);
  for (int i = 0; i < tape->n_steps && !*plan->why; i++) {
    GraphStep *step = &tape->steps[i];
    const GraphNode *node = &plan->graph.nodes[plan->sorted[i]];
    *step = make_step(plan, plan->sorted[i]);
    step->kind = node->kind;
    if (i >= tape->late_step && !*plan->why && !is_linear(plan, node, step->op))
      *plan->why = "not linear in the accelerations";
    tape->links[i] = make_link(tape, step, tape->first + i);
  }
  for (int i = 0; i < tape->n_outputs; i++) tape->output[i] = plan->row[plan->outputs[i]];
  if (!graph_late_list(tape)) return false;
  tape->room = (tape->n_entries + GRAPH_COLUMNS - 1) / GRAPH_COLUMNS * GRAPH_COLUMNS;
  return !*plan->why;
}

GraphTape *graph_tape_create(const Graph *graph, int n_variables, const GraphRole *roles, int count, const int *outputs,
                             const char **why) {
  Plan plan = {.roles = roles, .why = why};
  bool *varies = calloc((size_t)n_variables + 1, sizeof *varies), good = false;
  *why = NULL;
  plan.outputs = malloc(((size_t)count + 1) * sizeof *plan.outputs);
  plan.tape = calloc(1, sizeof *plan.tape);
  if (varies && plan.outputs && plan.tape) {
    memcpy(plan.outputs, outputs, (size_t)count * sizeof *outputs);
    for (int i = 0; i < n_variables; i++) varies[i] = roles[i] != GRAPH_CONSTANT;
    plan.tape->n_variables = n_variables;
    plan.tape->n_outputs = count;
    plan.tape->kernel = graph_kernel();
    good =
        graph_lower(graph, varies, count, plan.outputs, &plan.graph, why) && allocate(&plan, count) && compile(&plan);
  }
  free(varies);
  free(plan.outputs);
  free(plan.stage);
  free(plan.needed);
  free(plan.row);
  free(plan.sorted);
  graph_clear(&plan.graph);
  if (good) return plan.tape;
  graph_tape_destroy(plan.tape);
  return NULL;
}

void graph_tape_destroy(GraphTape *tape) {
  if (!tape) return;
  void *parts[] = {tape->steps,   tape->links,    tape->runs,      tape->x_row,          tape->y_row,  tape->weighed,
                   tape->fixed,   tape->initial,  tape->fixed_row, tape->variable,       tape->output, tape->late,
                   tape->carried, tape->kink_row, tape->may_jump,  tape->output_carried, tape->taken};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) free(parts[i]);
  free(tape);
}

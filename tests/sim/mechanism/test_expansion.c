/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the Taylor series of motions of mechanisms given by their energies as text: against equations written by hand
 * with Runge-Kutta's method, energies, and closed forms. */
#include "tests/fixture.h"

#include "sim/graph/reader.h"
#include "sim/mechanism/columns.h"
#include "sim/mechanism/expansion.h"

enum { D_MAX = 3, CONSTANTS = 5, NODES = 3 * D_MAX + 1 + CONSTANTS };

/* A mechanism with the coordinates x and theta, or theta alone, and the constants m, M, l, g, c. */
typedef struct Model {
  Graph graph;
  MechanismVariables variables;
  int nodes[NODES], d, residuals[D_MAX], energy;
  const char *names[NODES];
} Model;

static const char *const constant_names[CONSTANTS] = {"m", "M", "l", "g", "c"};
static const double constants[CONSTANTS] = {1.3, 2.1, 0.7, 9.81, 0.3};
static const double m = 1.3, M = 2.1, l = 0.7, g = 9.81, c = 0.3;

static int read_node(Model *model, const char *text) {
  char message[GRAPH_MESSAGE_SIZE];
  const GraphNames names = {3 * model->d + 1 + CONSTANTS, model->names, model->nodes};
  int node = graph_read(&model->graph, text, &names, message);
  if (node < 0) fail_msg("%s: %s", text, message);
  return node;
}

/* Makes a mechanism. force: expression of the force on coordinate 0. */
static void make_model(Model *model, int d, const char *const *names, const char *kinetic, const char *potential,
                       const char *force) {
  *model = (Model){.d = d};
  graph_init(&model->graph, GRAPH_TIDY);
  assert_true(mechanism_variables(&model->graph, d, model->nodes, &model->variables));
  memcpy(model->names, names, 3 * (size_t)d * sizeof *names);
  model->names[3 * d] = "t";
  model->nodes[3 * d] = model->variables.t;
  for (int i = 0; i < CONSTANTS; i++) {
    model->names[3 * d + 1 + i] = constant_names[i];
    model->nodes[3 * d + 1 + i] = graph_variable(&model->graph, 3 * d + 1 + i);
  }
  int t = read_node(model, kinetic), v = read_node(model, potential);
  assert_true(mechanism_lagrange(&model->graph, &model->variables, t, v, model->residuals));
  model->residuals[0] = graph_subtract(&model->graph, model->residuals[0], read_node(model, force));
  model->energy = graph_add(&model->graph, t, v);
}

static const char *const pendulum_names[] = {"theta", "theta'", "theta''"};
static const char *const cart_names[] = {"x", "theta", "x'", "theta'", "x''", "theta''"};

static void make_pendulum(Model *model) {
  make_model(model, 1, pendulum_names, "m*l^2*theta'^2/2", "-m*g*l*cos(theta)", "0");
}

/* Makes a cart with a pendulum. The bob hangs down at theta = 0; its energies follow from its position. */
static void make_cart(Model *model, const char *force) {
  make_model(model, 2, cart_names, "M*x'^2/2 + m*((x' + l*cos(theta)*theta')^2 + (l*sin(theta)*theta')^2)/2",
             "-m*g*l*cos(theta)", force);
}

static const bool differentiated[CONSTANTS] = {true, false, true, false, true};

static Expansion *make_expansion(const Model *model, const int *thresholds) {
  const char *why;
  const MechanismEquations equations = {.d = model->d,
                                        .n_constants = CONSTANTS,
                                        .differentiated = thresholds ? differentiated : NULL,
                                        .residuals = model->residuals,
                                        .thresholds = thresholds,
                                        .n_others = 1,
                                        .others = &model->energy};
  Expansion *expansion = expansion_create(&model->graph, &equations, &why);
  if (!expansion) fail_msg("no expansion: %s", why ? why : "no memory");
  return expansion;
}

/* Advances the motion to an end by segments. Returns their number. */
static int run(Expansion *expansion, double t, double end, double *q, double *v, const double *slips) {
  int n = 0;
  for (; t < end; n++) {
    assert_true(expansion_make(expansion, t, q, v, constants, slips, 16, true));
    double step = expansion_reach(expansion, 1e-14, end - t);
    expansion_state(expansion, step, q, v);
    t = step < end - t ? t + step : end;
    assert_true(n < 10000);
  }
  return n;
}

/* q'' by hand. */
typedef void (*Equation)(double t, const double *q, const double *v, double *a);

static void pendulum(double t, const double *q, const double *v, double *a) {
  (void)t;
  (void)v;
  a[0] = -g / l * sin(q[0]);
}

static double push(double t) { return 6 * sin(2 * t); }

/* Equations by hand: (M + m) x'' + m l cos theta'' - m l sin theta'^2 = u, l theta'' + cos x'' + g sin = 0, with sin
 * and cos of theta. */
static void cart(double t, const double *q, const double *v, double *a) {
  double s = sin(q[1]), k = cos(q[1]);
  a[0] = (push(t) + m * s * (l * v[1] * v[1] + g * k)) / (M + m * s * s);
  a[1] = -(g * s + k * a[0]) / l;
}

static void classical_step(Equation equation, int d, double t, double h, double *q, double *v) {
  static const double part[] = {0, 0.5, 0.5, 1}, weight[] = {1. / 6, 1. / 3, 1. / 3, 1. / 6};
  double rate[2 * D_MAX] = {0}, sum[2 * D_MAX] = {0};
  for (int s = 0; s < 4; s++) {
    double place[D_MAX], speed[D_MAX];
    for (int i = 0; i < d; i++) {
      place[i] = q[i] + part[s] * h * rate[i];
      speed[i] = v[i] + part[s] * h * rate[d + i];
    }
    equation(t + part[s] * h, place, speed, rate + d);
    for (int i = 0; i < d; i++) rate[i] = speed[i];
    for (int i = 0; i < 2 * d; i++) sum[i] += weight[s] * h * rate[i];
  }
  for (int i = 0; i < d; i++) {
    q[i] += sum[i];
    v[i] += sum[d + i];
  }
}

static void compare(Equation equation, int d, double end, double *q, double *v, const double *q_end,
                    const double *v_end, double tolerance) {
  enum { STEPS = 20000 };
  for (int n = 0; n < STEPS; n++) classical_step(equation, d, end * n / STEPS, end / STEPS, q, v);
  for (int i = 0; i < d; i++) {
    if (!(fabs(q[i] - q_end[i]) <= tolerance)) fail_msg("q%d: %.15g, not %.15g", i, q_end[i], q[i]);
    if (!(fabs(v[i] - v_end[i]) <= tolerance)) fail_msg("v%d: %.15g, not %.15g", i, v_end[i], v[i]);
  }
}

static void clear(Model *model, Expansion *expansion) {
  expansion_destroy(expansion);
  graph_clear(&model->graph);
}

static void a_pendulum_swings(void **state) {
  (void)state;
  Model model;
  make_pendulum(&model);
  Expansion *expansion = make_expansion(&model, NULL);
  double q[1] = {2}, v[1] = {0.5}, by_hand[2] = {2, 0.5};
  assert_true(run(expansion, 0, 2, q, v, (const double[]){1}) < 40);
  compare(pendulum, 1, 2, by_hand, by_hand + 1, q, v, 2e-12);
  clear(&model, expansion);
}

static void a_cart_pole_is_pushed(void **state) {
  (void)state;
  Model model;
  make_cart(&model, "6*sin(2*t)");
  Expansion *expansion = make_expansion(&model, NULL);
  double q[2] = {0.2, 2.5}, v[2] = {-0.3, 1}, place[2] = {0.2, 2.5}, speed[2] = {-0.3, 1};
  assert_true(run(expansion, 0, 2, q, v, (const double[]){1, -1}) < 60);
  compare(cart, 2, 2, place, speed, q, v, 1e-11);
  clear(&model, expansion);
}

/* Without a force all orders of the energy's series above 0 vanish. With a push u the energy's rate is u x'. */
static void energies_close_order_by_order(void **state) {
  (void)state;
  Model model;
  make_cart(&model, "0");
  Expansion *expansion = make_expansion(&model, NULL);
  const double q[2] = {0.2, 2.5}, v[2] = {-0.3, 1}, slips[2] = {1, 1};
  assert_true(expansion_make(expansion, 0, q, v, constants, slips, 16, true));
  double size = 0, scale = 1;
  for (int k = 1; k <= 16; k++) {
    scale *= 5; /* about the rate of the motion, 1/s */
    size = fmax(size, fabs(expansion_output(expansion, 4, k)) / scale);
  }
  assert_true(size < 1e-13);
  clear(&model, expansion);
  make_cart(&model, "6*sin(2*t)");
  expansion = make_expansion(&model, NULL);
  assert_true(expansion_make(expansion, 0.7, q, v, constants, slips, 16, true));
  assert_true(fabs(expansion_output(expansion, 4, 1) - push(0.7) * v[0]) < 1e-13);
  clear(&model, expansion);
}

/* The cart sticks: it does not move by one bit, and the bob moves as a pendulum. */
static void what_sticks_does_not_move(void **state) {
  (void)state;
  Model model;
  make_cart(&model, "6*sin(2*t)");
  Expansion *expansion = make_expansion(&model, NULL);
  double q[2] = {0.2, 2}, v[2] = {0, 0.5}, by_hand[2] = {2, 0.5};
  run(expansion, 0, 2, q, v, (const double[]){0, 1});
  assert_true(q[0] == 0.2 && v[0] == 0);
  compare(pendulum, 1, 2, by_hand, by_hand + 1, q + 1, v + 1, 2e-12);
  clear(&model, expansion);
}

/* A pendulum with friction c moves from one turning point a to the next, b, so that m g l (cos b - cos a) = c (a +
 * b). */
static void a_pendulum_with_friction_turns_where_its_energy_says(void **state) {
  (void)state;
  Model model;
  make_pendulum(&model);
  int threshold = read_node(&model, "c");
  Expansion *expansion = make_expansion(&model, &threshold);
  double q = 2, v = 0, t = 0, step, next_q, next_v, low = 0, high;
  const double slip = -1;
  for (;;) { /* repeated until v = 0 lies in a segment */
    assert_true(expansion_make(expansion, t, &q, &v, constants, &slip, 16, true));
    step = expansion_reach(expansion, 1e-14, INFINITY);
    expansion_state(expansion, step, &next_q, &next_v);
    if (next_v > 0) break;
    q = next_q;
    v = next_v;
    t += step;
  }
  high = step;
  for (int i = 0; i < 80; i++) {
    double middle = (low + high) / 2;
    expansion_state(expansion, middle, &next_q, &next_v);
    if (next_v > 0)
      high = middle;
    else
      low = middle;
  }
  assert_true(fabs(m * g * l * (cos(next_q) - cos(2)) - c * (2 - next_q)) < 1e-12);
  clear(&model, expansion);
}

/* Stribeck friction: the threshold falls with speed, c (0.6 + 0.4 exp(-|v|/0.1)), while v falls from 1. Equation by
 * hand. */
static void stribeck(double t, const double *q, const double *v, double *a) {
  (void)t;
  a[0] = -g / l * sin(q[0]) - c / (m * l * l) * (0.6 + 0.4 * exp(-fabs(v[0]) / 0.1));
}

static void thresholds_may_depend_on_speed(void **state) {
  (void)state;
  Model model;
  make_pendulum(&model);
  int threshold = read_node(&model, "c*(0.6 + 0.4*exp(-abs(theta')/0.1))");
  Expansion *expansion = make_expansion(&model, &threshold);
  double q[1] = {-1}, v[1] = {1}, by_hand[2] = {-1, 1};
  run(expansion, 0, 0.3, q, v, (const double[]){1});
  assert_true(v[0] > 0);
  compare(stribeck, 1, 0.3, by_hand, by_hand + 1, q, v, 2e-12);
  clear(&model, expansion);
}

/* Compares the derivatives of the state at a segment's end by q, v and the constants m, l, c with central
 * differences. */
static void columns_are_derivatives_of_the_end(void **state) {
  (void)state;
  enum { INPUTS = 7 };
  const double after = 0.02, slips[2] = {-1, 1}, at[INPUTS] = {0.2, 2.5, -0.3, 1, m, l, c};
  Model model;
  make_cart(&model, "6*sin(2*t) - c*x'");
  const int thresholds[2] = {read_node(&model, "c*(2 + sin(theta))"), read_node(&model, "c/m*exp(-theta'^2)")};
  Expansion *expansion = make_expansion(&model, thresholds);
  ExpansionColumns *columns = expansion_columns_create(expansion);
  GraphColumn q[2] = {{1}, {0, 1}}, v[2] = {{0, 0, 1}, {0, 0, 0, 1}}, place[2], speed[2];
  GraphColumn of_constants[CONSTANTS] = {{0, 0, 0, 0, 1}, {0}, {0, 0, 0, 0, 0, 1}, {0}, {0, 0, 0, 0, 0, 0, 1}};
  assert_non_null(columns);
  assert_true(expansion_make(expansion, 0.7, at, at + 2, constants, slips, 16, true));
  assert_true(expansion_reach(expansion, 1e-14, INFINITY) > after);
  expansion_columns_make(columns, q, v, of_constants);
  expansion_columns_state(columns, after, place, speed);
  for (int k = 0; k < INPUTS; k++) {
    double ends[2][4];
    const double step = 1e-5;
    for (int side = 0; side < 2; side++) {
      double moved[INPUTS], numbers[CONSTANTS] = {0, M, 0, g, 0};
      memcpy(moved, at, sizeof moved);
      moved[k] += side ? step : -step;
      numbers[0] = moved[4];
      numbers[2] = moved[5];
      numbers[4] = moved[6];
      assert_true(expansion_make(expansion, 0.7, moved, moved + 2, numbers, slips, 16, true));
      expansion_state(expansion, after, ends[side], ends[side] + 2);
    }
    for (int i = 0; i < 4; i++) {
      double expected = (ends[1][i] - ends[0][i]) / (2 * step), made = i < 2 ? place[i][k] : speed[i - 2][k];
      if (!(fabs(made - expected) <= 1e-8 * (1 + fabs(expected))))
        fail_msg("%d by %d: %.12g, by difference %.12g", i, k, made, expected);
    }
  }
  expansion_columns_destroy(columns);
  clear(&model, expansion);
}

static bool suffices(void *context, const Expansion *expansion) { return expansion->order >= *(const int *)context; }

/* An expansion that stops early has the bits of one with as many orders; it is asked after orders 8, 11, 14, .. . */
static void orders_end_where_they_suffice(void **state) {
  (void)state;
  Model model;
  make_cart(&model, "6*sin(2*t)");
  Expansion *whole = make_expansion(&model, NULL), *part = make_expansion(&model, NULL);
  const double q[2] = {0.2, 2.5}, v[2] = {-0.3, 1}, slips[2] = {1, 1};
  int wanted = 10;
  part->enough = suffices;
  part->context = &wanted;
  part->least = 8;
  assert_true(expansion_make(whole, 0.7, q, v, constants, slips, 11, true));
  assert_true(expansion_make(part, 0.7, q, v, constants, slips, 20, true));
  assert_int_equal(part->order, 11);
  for (int i = 0; i < 2; i++)
    for (int k = 0; k <= 13; k++) assert_true(expansion_place(part, i, k) == expansion_place(whole, i, k));
  assert_true(expansion_reach(part, 1e-14, INFINITY) == expansion_reach(whole, 1e-14, INFINITY));
  expansion_destroy(part);
  clear(&model, whole);
}

static void a_mass_of_zero_is_reported(void **state) {
  (void)state;
  Model model;
  make_model(&model, 1, pendulum_names, "0*theta'^2", "theta^2", "0");
  Expansion *expansion = make_expansion(&model, NULL);
  const double zero = 0, slip = 1;
  assert_false(expansion_make(expansion, 0, &zero, &zero, constants, &slip, 16, true));
  clear(&model, expansion);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pendulum_swings),
      cmocka_unit_test(a_cart_pole_is_pushed),
      cmocka_unit_test(energies_close_order_by_order),
      cmocka_unit_test(what_sticks_does_not_move),
      cmocka_unit_test(a_pendulum_with_friction_turns_where_its_energy_says),
      cmocka_unit_test(thresholds_may_depend_on_speed),
      cmocka_unit_test(columns_are_derivatives_of_the_end),
      cmocka_unit_test(orders_end_where_they_suffice),
      cmocka_unit_test(a_mass_of_zero_is_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests series side by side: each lane has the bits of its series alone, by every kernel. */
#include "tests/sim/graph/series.h"

#include "sim/graph/lanes.h"

enum { ORDERS = 17 };

/* Sets the variables x and y of order k, and returns the late variable x' of that order, which depends on the outputs
 * so far. */
static double set_order(GraphSeries *series, int lane, int k) {
  graph_series_set(series, 0, k, k == 1 ? 1 + 0.1 * lane : 0);
  graph_series_set(series, 1, k, k < 4 ? 0.3 / (k + lane) : 0);
  return -0.5 * graph_series_get(series, 0, k - 1) / (k + 1);
}

static void begin(GraphSeries *series, int lane) {
  const double at[NAMES_MAX] = {0.6 - 0.07 * lane, 0.35 + 0.02 * lane, 0, 2 + 0.1 * lane};
  for (int i = 0; i < NAMES_MAX; i++) graph_series_set(series, i, 0, at[i]);
  graph_series_begin(series, true);
  graph_series_set(series, 2, 0, 0.4 - 0.2 * lane);
  graph_series_take(series, 0);
}

/* Returns the last order of a lane. */
static int last_of(int lane) { return ORDERS - 3 * (lane % 4); }

static void compute_alone(GraphSeries *series, int lane) {
  begin(series, lane);
  for (int k = 1; k <= last_of(lane); k++) {
    double late = set_order(series, lane, k);
    graph_series_advance(series, k);
    graph_series_set(series, 2, k, late + 0.1 * graph_series_get(series, 0, k));
    graph_series_take(series, k);
  }
}

/* Computes the series of the lanes of a set. */
static void compute_together(GraphLanes *lanes, GraphSeries **series, unsigned set) {
  double late[GRAPH_LANES];
  for (int lane = 0; lane < GRAPH_LANES; lane++) {
    lanes->series[lane] = set >> lane & 1 ? series[lane] : NULL;
    if (lanes->series[lane]) begin(series[lane], lane);
  }
  graph_lanes_begin(lanes);
  for (int k = 1; k <= ORDERS; k++) {
    for (int lane = 0; lane < GRAPH_LANES; lane++) {
      if (k > last_of(lane)) lanes->series[lane] = NULL;
      if (lanes->series[lane]) late[lane] = set_order(series[lane], lane, k);
    }
    graph_lanes_advance(lanes, k);
    for (int lane = 0; lane < GRAPH_LANES; lane++)
      if (lanes->series[lane])
        graph_series_set(series[lane], 2, k, late[lane] + 0.1 * graph_series_get(series[lane], 0, k));
    graph_lanes_take(lanes, k);
  }
}

static void assert_alike(const char *text, const GraphSeries *a, const GraphSeries *b, int last) {
  for (int k = 0; k <= last; k++) {
    for (int i = 0; i < a->tape->n_outputs; i++) {
      const double values[2] = {graph_series_get(a, i, k), graph_series_get(b, i, k)};
      if (memcmp(&values[0], &values[1], sizeof *values) != 0)
        fail_msg("%s: output %d, order %d: %.17g, %.17g", text, i, k, values[0], values[1]);
    }
    for (int i = 0; i < a->tape->n_kinks; i++) {
      const double values[2] = {graph_series_kink(a, i, k), graph_series_kink(b, i, k)};
      assert_memory_equal(&values[0], &values[1], sizeof *values);
    }
  }
}

static void try_expression(const char *text, unsigned set) {
  const GraphRole roles[NAMES_MAX] = {GRAPH_VARIES, GRAPH_VARIES, GRAPH_LATE, GRAPH_CONSTANT};
  Fixture fixture;
  fixture_start(&fixture, GRAPH_TIDY);
  int nodes[2] = {fixture_read(&fixture, text), 0};
  /* an output with a factor that depends on the late variable, and one without */
  nodes[1] = nodes[0];
  nodes[0] = graph_multiply(&fixture.graph, graph_add(&fixture.graph, nodes[1], fixture.nodes[2]), nodes[1]);
  GraphTape *tape = tape_of(&fixture, roles, 2, nodes);
  GraphLanes *lanes = graph_lanes_create(tape);
  GraphSeries *alone[GRAPH_LANES], *together[GRAPH_LANES];
  assert_non_null(lanes);
  for (int lane = 0; lane < GRAPH_LANES; lane++) {
    alone[lane] = graph_series_create(tape);
    together[lane] = graph_series_create(tape);
    assert_true(alone[lane] && together[lane]);
    compute_alone(alone[lane], lane);
  }
  for (int kernel = 0; graph_kernel_number(kernel); kernel++) {
    tape->kernel = graph_kernel_number(kernel);
    compute_together(lanes, together, set);
    for (int lane = 0; lane < GRAPH_LANES; lane++)
      if (set >> lane & 1) assert_alike(text, alone[lane], together[lane], last_of(lane));
  }
  for (int lane = 0; lane < GRAPH_LANES; lane++) {
    graph_series_destroy(alone[lane]);
    graph_series_destroy(together[lane]);
  }
  graph_lanes_destroy(lanes);
  graph_tape_destroy(tape);
  graph_clear(&fixture.graph);
}

static void each_lane_has_the_bits_of_its_series(void **state) {
  static const unsigned sets[] = {0xff, 0x01, 0x80, 0x5a, 0x7f};
  (void)state;
  uint64_t seed = 5;
  for (int i = 0; i < 60; i++) {
    char text[1000] = "abs(x - y)*exp(x) + x/(2 + sin(k*y)) + ln(1 + x^2) + min(x, 3*y)";
    if (i > 4) random_expression(&seed, 1 + i % 4, text, sizeof text);
    try_expression(text, sets[i % 5]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(each_lane_has_the_bits_of_its_series)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

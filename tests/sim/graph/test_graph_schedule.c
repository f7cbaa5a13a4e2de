/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests the order of operations with random dependencies: each stands behind its operands and behind lower stages, and
 * runs have one form. */
#include "tests/fixture.h"

#include "sim/graph/schedule.h"

enum { TASKS = 200, STAGES = 2, FORMS = 4 };

/* Makes random tasks [n]; operands of a task are earlier tasks of its stage or of a lower one. */
static void make_tasks(uint64_t *seed, int n, GraphTask *tasks) {
  for (int i = 0; i < n; i++) {
    tasks[i] = (GraphTask){fixture_random(seed) > 0, (int)(FORMS * (1 + fixture_random(seed)) / 2), {-1, -1, -1, -1}};
    for (int k = 0; k < GRAPH_TASK_OPERANDS; k++) {
      int operand = (int)(2 * i * fixture_random(seed)) - i;
      if (operand >= 0 && operand < i && tasks[operand].stage <= tasks[i].stage) tasks[i].operands[k] = operand;
    }
  }
}

/* Checks an order and its runs. place: [n] position of each task. */
static void check_order(int n, const GraphTask *tasks, const int *order, int n_runs, const GraphRun *runs) {
  int place[TASKS], next = 0;
  for (int i = 0; i < n; i++) place[i] = -1;
  for (int i = 0; i < n; i++) place[order[i]] = i;
  for (int i = 0; i < n; i++) {
    assert_true(place[i] >= 0);
    for (int k = 0; k < GRAPH_TASK_OPERANDS; k++)
      if (tasks[i].operands[k] >= 0) assert_true(place[tasks[i].operands[k]] < place[i]);
    if (i > 0) assert_true(tasks[order[i - 1]].stage <= tasks[order[i]].stage);
  }
  for (int r = 0; r < n_runs; r++) {
    assert_true(runs[r].first == next && runs[r].end > next);
    for (; next < runs[r].end; next++) {
      assert_int_equal(tasks[order[next]].form, runs[r].form);
      assert_int_equal(tasks[order[next]].stage, tasks[order[runs[r].first]].stage);
    }
  }
  assert_int_equal(next, n);
}

static void operations_stand_behind_their_operands(void **state) {
  (void)state;
  GraphTask tasks[TASKS];
  GraphRun runs[TASKS];
  uint64_t seed = 3;
  int order[TASKS], n_runs;
  for (int n = 0; n <= TASKS; n++) {
    make_tasks(&seed, n, tasks);
    assert_true(graph_schedule(n, tasks, STAGES, FORMS, order, &n_runs, runs));
    check_order(n, tasks, order, n_runs, runs);
  }
}

/* Independent operations make one run for each form of each stage. */
static void independent_operations_make_few_runs(void **state) {
  (void)state;
  GraphTask tasks[TASKS];
  GraphRun runs[TASKS];
  int order[TASKS], n_runs;
  for (int i = 0; i < TASKS; i++) tasks[i] = (GraphTask){i % STAGES, i / STAGES % FORMS, {-1, -1, -1, -1}};
  assert_true(graph_schedule(TASKS, tasks, STAGES, FORMS, order, &n_runs, runs));
  check_order(TASKS, tasks, order, n_runs, runs);
  assert_int_equal(n_runs, STAGES * FORMS);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(operations_stand_behind_their_operands),
      cmocka_unit_test(independent_operations_make_few_runs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

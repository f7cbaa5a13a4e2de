/* Derivatives along exact motions, against central differences of the motions themselves. */
#include "sim/event/tangent.h"
#include "tests/fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { D = 3, SEGMENTS = 4, VARIABLES = D * SEGMENTS, COLUMNS_MAX = VARIABLES + 6 * D, PROBLEMS = 60 };

/* All that a motion depends on. */
typedef struct Numbers {
  double mass[D * D], stiffness[D * D], damping[D * D];
  double friction[D], beta[D], epsilon[D], x0[D], v0[D], control[VARIABLES];
} Numbers;

/* What is the same in all motions that are compared. */
typedef struct Setting {
  SimProblem problem; /* time, pieces, signal */
  SimStribeck law;
  bool diagonal, damped;
} Setting;

static const double control_matrix[D * D] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static void decaying(void *context, double t, double *force) {
  (void)context;
  for (int i = 0; i < D; i++) force[i] = -100 * exp(-10 * t);
}

static void swinging(void *context, double t, double *force) {
  (void)context;
  for (int i = 0; i < D; i++) force[i] = -10 * sin(1.9 * t) * exp(-t * t);
}

/* x(T), v(T) and, if there is a tangent, the derivatives; returns how many events. */
static long run(const Setting *setting, const Numbers *numbers, EventTangent *tangent, double final[2 * D]) {
  const SimProblem *p = &setting->problem;
  double nodes[(SEGMENTS + 3) * D] = {0};
  int first = p->signal == SIM_PIECEWISE_LINEAR ? D : 0;
  EventSystem system = {.d = D,
                        .mass = numbers->mass,
                        .stiffness = numbers->stiffness,
                        .damping = setting->damped ? numbers->damping : NULL,
                        .friction = numbers->friction,
                        .beta = numbers->beta,
                        .epsilon = numbers->epsilon,
                        .law = setting->law,
                        .mass_is_diagonal = setting->diagonal,
                        .problem = p,
                        .tolerance = 1e-13,
                        .max_events = 1000};
  EventMotion motion;
  assert_int_equal(event_motion_init(&system, &motion), SIM_OK);
  memcpy(nodes + first, numbers->control, (size_t)(p->segments * D) * sizeof *nodes);
  memcpy(motion.control_force, numbers->control, D * sizeof *nodes);
  motion.node_force = nodes;
  motion.tangent = tangent;
  assert_int_equal(event_motion_begin(&system, &motion, numbers->x0, numbers->v0), SIM_OK);
  assert_int_equal(event_motion_reach(&system, &motion, p->end), SIM_OK);
  memcpy(final, motion.at.x, D * sizeof *final);
  memcpy(final + D, motion.at.v, D * sizeof *final);
  long events = motion.at.events;
  event_motion_clear(&motion);
  return events;
}

static double *number_of(Numbers *numbers, const EventColumn *column) {
  switch (column->on) {
  case SIM_ON_CONTROL: return &numbers->control[column->entry];
  case SIM_ON_POSITION: return &numbers->x0[column->entry];
  case SIM_ON_VELOCITY: return &numbers->v0[column->entry];
  case SIM_ON_FRICTION: return &numbers->friction[column->entry];
  case SIM_ON_MASS: return &numbers->mass[column->entry * (D + 1)];
  case SIM_ON_DAMPING: return &numbers->damping[column->entry * (D + 1)];
  default: return &numbers->beta[column->entry];
  }
}

static void random_numbers(uint64_t *seed, const Setting *setting, Numbers *numbers) {
  double root[D * D];
  for (int i = 0; i < D * D; i++) root[i] = fixture_random(seed);
  for (int i = 0; i < D; i++)
    for (int j = 0; j < D; j++) {
      double rows = 0, columns = 0;
      for (int k = 0; k < D; k++) {
        rows += root[i * D + k] * root[j * D + k];
        columns += root[k * D + i] * root[k * D + j];
      }
      numbers->mass[i * D + j] = setting->diagonal ? (i == j) * (2 + rows) : rows + (i == j);
      numbers->stiffness[i * D + j] = 3 * columns;
      numbers->damping[i * D + j] = 0.1 * (rows + columns);
    }
  for (int i = 0; i < D; i++) {
    numbers->friction[i] = 2 + fixture_random(seed);
    numbers->beta[i] = 0.3 + 0.2 * fixture_random(seed);
    numbers->epsilon[i] = 0.5;
    numbers->x0[i] = fixture_random(seed);
    numbers->v0[i] = 2 * fixture_random(seed);
  }
  for (int i = 0; i < VARIABLES; i++) numbers->control[i] = 5 * fixture_random(seed);
}

/* The columns that are something in a setting. */
static int columns_of(const Setting *setting, EventColumn *columns) {
  int n = 0, variables = setting->problem.segments * D;
  for (int i = 0; i < variables; i++) columns[n++] = (EventColumn){SIM_ON_CONTROL, i};
  for (int i = 0; i < D; i++) {
    columns[n++] = (EventColumn){SIM_ON_POSITION, i};
    columns[n++] = (EventColumn){SIM_ON_VELOCITY, i};
    columns[n++] = (EventColumn){SIM_ON_FRICTION, i};
    columns[n++] = (EventColumn){SIM_ON_MASS, i};
    if (setting->damped) columns[n++] = (EventColumn){SIM_ON_DAMPING, i};
    if (setting->law != SIM_STRIBECK_NONE) columns[n++] = (EventColumn){SIM_ON_BETA, i};
  }
  return n;
}

/* Any M, A, D, law and signal; each column to what central differences are good to. */
static void columns_are_differences(void **state) {
  static const SimSignal signals[] = {SIM_CONSTANT, SIM_PIECEWISE_CONSTANT, SIM_PIECEWISE_LINEAR};
  static const SimStribeck laws[] = {SIM_STRIBECK_NONE, SIM_STRIBECK_SQRT, SIM_STRIBECK_RAMP};
  uint64_t seed = 5;
  long events = 0;
  (void)state;
  for (int k = 0; k < PROBLEMS; k++) {
    SimSignal signal = signals[k % 4 % 3];
    Setting setting = {.problem = {.d = D,
                                   .end = 5,
                                   .signal = signal,
                                   .segments = signal == SIM_CONSTANT ? 1 : SEGMENTS,
                                   .n_control = D,
                                   .control_matrix = (double *)control_matrix},
                       .law = laws[k % 3],
                       .diagonal = k % 2,
                       .damped = k % 5 > 0};
    Numbers numbers;
    EventColumn columns[COLUMNS_MAX];
    EventTangent tangent;
    double where, final[2 * D];
    const SimLoad load = {.at = k % 2 ? decaying : swinging};
    assert_int_equal(sim_problem_set_pieces(&setting.problem, &load, 0, NULL, &where), SIM_OK);
    random_numbers(&seed, &setting, &numbers);
    int n = columns_of(&setting, columns);
    assert_int_equal(tangent_init(&(EventSystem){.d = D}, n, columns, &tangent), SIM_OK);
    events += run(&setting, &numbers, &tangent, final);
    assert_true(tangent.smooth);
    for (int c = 0; c < n; c++) {
      const double h = 1e-6;
      double ends[2][2 * D], error = 0, size = 1;
      for (int side = 0; side < 2; side++) {
        Numbers moved = numbers;
        *number_of(&moved, &columns[c]) += side ? h : -h;
        run(&setting, &moved, NULL, ends[side]);
      }
      for (int i = 0; i < 2 * D; i++) {
        double difference = (ends[1][i] - ends[0][i]) / (2 * h);
        double found = i < D ? tangent.x[c * D + i] : tangent.v[c * D + i - D];
        error = fmax(error, fabs(difference - found));
        size = fmax(size, fabs(difference));
      }
      assert_true(error <= 1e-7 * size);
    }
    tangent_clear(&tangent);
    free(setting.problem.pieces);
  }
  assert_true(events > 5 * PROBLEMS);
}

/* Where two dofs come to rest at one instant a derivative need not exist, and that is told. */
static void kinks_are_known(void **state) {
  Setting setting = {
      .problem = {.d = D, .end = 2, .segments = 1, .n_control = D, .control_matrix = (double *)control_matrix},
      .diagonal = true};
  Numbers numbers = {.mass = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .friction = {1, 1, 1}, .v0 = {1, 1, 0.5}};
  const EventColumn column = {SIM_ON_VELOCITY, 2};
  EventTangent tangent;
  double where, final[2 * D];
  (void)state;
  assert_int_equal(sim_problem_set_pieces(&setting.problem, &(SimLoad){0}, 0, NULL, &where), SIM_OK);
  assert_int_equal(tangent_init(&(EventSystem){.d = D}, 1, &column, &tangent), SIM_OK);
  assert_int_equal(run(&setting, &numbers, &tangent, final), 2);
  assert_false(tangent.smooth); /* two stop at one instant */
  numbers.v0[0] = 0.9;
  assert_int_equal(run(&setting, &numbers, &tangent, final), 3);
  assert_true(tangent.smooth);
  assert_true(fabs(tangent.x[2] - 0.5) < 1e-14); /* x = v0^2/2 */
  assert_true(tangent.v[2] == 0);
  tangent_clear(&tangent);
  free(setting.problem.pieces);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(columns_are_differences), cmocka_unit_test(kinks_are_known)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

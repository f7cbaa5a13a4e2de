/* 1,000 random mechanisms: two tolerances, energies, mirror images, what sticks does not move. */
#include "tests/sim/mechanism/mechanism.h"

enum { TEXT_SIZE = 1500, D_MAX = 3, SEGMENTS = 4 };

typedef struct Random {
  MechanismText text;
  char kinetic[TEXT_SIZE], potential[TEXT_SIZE], applied[D_MAX][TEXT_SIZE], friction[D_MAX][TEXT_SIZE];
  double x0[D_MAX], v0[D_MAX], u[SEGMENTS];
  bool linear;
} Random;

static double between(uint64_t *seed, double low, double high) {
  return low + (high - low) * (fixture_random(seed) + 1) / 2;
}
static int choose(uint64_t *seed, int n) { return (int)((fixture_random(seed) + 1) / 2 * n); }

static void append(char *to, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void append(char *to, const char *format, ...) {
  va_list list;
  size_t length = strlen(to);
  va_start(list, format);
  int n = vsnprintf(to + length, TEXT_SIZE - length, format, list);
  va_end(list);
  assert_true(n >= 0 && (size_t)n < TEXT_SIZE - length);
}

static const char *const names[D_MAX] = {"x", "y", "z"};

/* Masses of each coordinate, and points on pendulums that hang on each other. */
static void make_energies(uint64_t *seed, Random *r) {
  int d = r->text.d, points = choose(seed, 3);
  append(r->kinetic, "0");
  append(r->potential, "0");
  for (int i = 0; i < d; i++) append(r->kinetic, " + %.3f*%s'^2", between(seed, 0.2, 1), names[i]);
  for (int k = 0; k < points; k++) {
    double mass = between(seed, 0.1, 1);
    char across[TEXT_SIZE] = "0", up[TEXT_SIZE] = "0";
    for (int i = 0; i < d; i++) {
      double arm = between(seed, 0.2, 1);
      append(across, " + %.3f*cos(%s)*%s'", arm, names[i], names[i]);
      append(up, " + %.3f*sin(%s)*%s'", arm, names[i], names[i]);
      append(r->potential, " - %.3f*cos(%s)", 9.81 * mass * arm, names[i]);
    }
    append(r->kinetic, " + %.3f*((%s)^2 + (%s)^2)", mass / 2, across, up);
  }
  for (int i = 0; i < d; i++)
    if (choose(seed, 2)) append(r->potential, " + %.3f*%s^2", between(seed, 0, 10), names[i]);
}

/* Odd in coordinates and rates, so that mirror images have mirrored motions. */
static void make_forces(uint64_t *seed, Random *r) {
  for (int i = 0; i < r->text.d; i++) {
    const char *x = names[i], *other = names[choose(seed, r->text.d)];
    append(r->applied[i], "0");
    if (choose(seed, 3) == 0) append(r->applied[i], " - %.3f*%s'", between(seed, 0, 1), x);
    if (choose(seed, 4) == 0) append(r->applied[i], " - %.3f*%s'*abs(%s')", between(seed, 0, 1), x, x);
    if (choose(seed, 4) == 0) {
      double gap = between(seed, 0.05, 0.5), k = between(seed, 1, 30);
      append(r->applied[i], " - %.3f*(max(0, %s - %.3f) + min(0, %s + %.3f))", k, x, gap, x, gap);
    }
    double c = between(seed, 0.1, 3);
    switch (choose(seed, 5)) {
    case 0: append(r->friction[i], "0"); break;
    case 1: append(r->friction[i], "%.3f*(0.6 + 0.4*exp(-abs(%s')/0.1))", c, x); break;
    case 2: append(r->friction[i], "%.3f*abs(cos(%s))", c, other); break;
    case 3: append(r->friction[i], "%.3f*(1.2 + sin(%.3f*t))", c, between(seed, 0.5, 3)); break;
    default: append(r->friction[i], "%.3f", c);
    }
  }
}

static void make(uint64_t seed, Random *r) {
  *r = (Random){.text = {.d = 1}};
  r->text.d += choose(&seed, D_MAX);
  make_energies(&seed, r);
  make_forces(&seed, r);
  r->text.kinetic = r->kinetic;
  r->text.potential = r->potential;
  r->linear = choose(&seed, 2);
  for (int k = 0; k < SEGMENTS; k++) r->u[k] = between(&seed, -8, 8);
  for (int i = 0; i < r->text.d; i++) {
    r->text.coordinates[i] = names[i];
    r->text.applied[i] = r->applied[i];
    r->text.friction[i] = r->friction[i];
    r->x0[i] = choose(&seed, 3) ? between(&seed, -1, 1) : 0;
    r->v0[i] = choose(&seed, 3) ? 0 : between(&seed, -1, 1);
  }
}

/* The closing error of energies, and the largest of their terms. */
typedef struct Energies {
  double worst, size;
} Energies;

static void note(void *context, const SimStep *step) {
  Energies *w = context;
  const SimEnergy *e = step->energy;
  w->worst = fmax(w->worst, fabs(e->work - e->stored - e->dissipated));
  w->size = fmax(w->size, fabs(e->work) + fabs(e->stored) + e->dissipated);
}

static SimFinal run(const Random *r, double sign, double tolerance, Energies *energies, double *q, double *v) {
  SimProblem p;
  double u[SEGMENTS];
  const SimObserver observer = {.context = energies, .step = note};
  mechanism_problem(&r->text, 1, 2, &p);
  p.signal = r->linear ? SIM_PIECEWISE_LINEAR : SIM_PIECEWISE_CONSTANT;
  p.segments = SEGMENTS;
  sim_problem_set(&p, "tolerance", tolerance);
  for (int k = 0; k < SEGMENTS; k++) u[k] = sign * r->u[k];
  for (int i = 0; i < r->text.d; i++) {
    p.x0[i] = sign * r->x0[i];
    p.v0[i] = sign * r->v0[i];
  }
  *energies = (Energies){0};
  SimFinal final = mechanism_move(&p, u, energies->size < 0 ? NULL : &observer, q, v);
  sim_problem_clear(&p);
  return final;
}

static bool report(uint64_t seed, const Random *r, const char *what, double off) {
  print_message("seed %llu, %s: %g\n  T = %s\n  V = %s\n", (unsigned long long)seed, what, off, r->kinetic,
                r->potential);
  for (int i = 0; i < r->text.d; i++)
    print_message("  Q = %s   c = %s   x0 = %.17g  v0 = %.17g\n", r->applied[i], r->friction[i], r->x0[i], r->v0[i]);
  for (int k = 0; k < SEGMENTS; k++) print_message(" %.17g", r->u[k]);
  print_message("\n");
  return false;
}

/* Whether a random mechanism does all that it must. *off: how far two tolerances are apart. */
static bool try(uint64_t seed, double *off) {
  static Random r;
  Energies e, ignored;
  double q[D_MAX], v[D_MAX], fine_q[D_MAX], fine_v[D_MAX], other_q[D_MAX], other_v[D_MAX];
  make(seed, &r);
  SimFinal final = run(&r, 1, 1e-9, &e, q, v);
  if (final.status != SIM_OK) return report(seed, &r, "status", final.status);
  SimFinal fine = run(&r, 1, 1e-12, &ignored, fine_q, fine_v), other = run(&r, -1, 1e-9, &ignored, other_q, other_v);
  if (fine.status != SIM_OK || other.status != SIM_OK) return report(seed, &r, "status of another", fine.status);
  if (e.worst > 1e-8 * (1 + e.size)) return report(seed, &r, "energies open", e.worst);
  *off = 0;
  for (int i = 0; i < r.text.d; i++) {
    if (q[i] != -other_q[i] || v[i] != -other_v[i]) return report(seed, &r, "mirror image", q[i] + other_q[i]);
    *off = fmax(*off, fmax(fabs(q[i] - fine_q[i]), fabs(v[i] - fine_v[i])));
  }
  if (*off > 1e-6 && final.grazes == 0) return report(seed, &r, "tolerances", *off);
  return true;
}

int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 1000, wrong = 0;
  uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  double worst = 0, off;
  for (int k = 0; k < n; k++) {
    wrong += !try((first + (uint64_t)k) * 7919, &off);
    worst = fmax(worst, off);
  }
  printf("%d random mechanisms, %d wrong; tolerances 1e-9 and 1e-12 are at most %.1e apart\n", n, wrong, worst);
  return wrong > 0;
}

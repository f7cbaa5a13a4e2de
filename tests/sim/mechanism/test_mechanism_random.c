/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests 1,000 random mechanisms: agreement of two tolerances, energies, mirror images, and that sticking coordinates do
 * not move. */
#include "tests/sim/mechanism/random.h"

/* The closing error of the energies, and the largest of their terms. */
typedef struct Energies {
  double worst, size;
} Energies;

static void note(void *context, const SimStep *step) {
  Energies *w = context;
  const SimEnergy *e = step->energy;
  w->worst = fmax(w->worst, fabs(e->work - e->stored - e->dissipated));
  w->size = fmax(w->size, fabs(e->work) + fabs(e->stored) + e->dissipated);
}

static SimFinal run(const RandomMechanism *r, double sign, double tolerance, Energies *energies, double *q, double *v) {
  SimProblem p;
  double u[SEGMENTS];
  const SimObserver observer = {.context = energies, .step = note};
  random_problem(r, sign, tolerance, &p, u);
  *energies = (Energies){0};
  SimFinal final = mechanism_move(&p, u, &observer, q, v);
  sim_problem_clear(&p);
  return final;
}

static bool report(uint64_t seed, const RandomMechanism *r, const char *what, double off) {
  print_message("seed %llu, %s: %g\n  T = %s\n  V = %s\n", (unsigned long long)seed, what, off, r->kinetic,
                r->potential);
  for (int i = 0; i < r->text.d; i++)
    print_message("  Q = %s   c = %s   x0 = %.17g  v0 = %.17g\n", r->applied[i], r->friction[i], r->x0[i], r->v0[i]);
  for (int k = 0; k < SEGMENTS; k++) print_message(" %.17g", r->u[k]);
  print_message("\n");
  return false;
}

/* Whether a random mechanism passes all checks. *off: difference of the motions with two tolerances. */
static bool try(uint64_t seed, double *off) {
  static RandomMechanism r;
  Energies e, ignored;
  double q[D_MAX], v[D_MAX], fine_q[D_MAX], fine_v[D_MAX], other_q[D_MAX], other_v[D_MAX];
  random_mechanism(seed, &r);
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
  /* this mechanism once failed: all of its coordinates stick, so that no velocity gives a scale */
  if (argc == 1) wrong += !try(4970 * UINT64_C(7919), &off);
  printf("%d random mechanisms, %d wrong; tolerances 1e-9 and 1e-12 are at most %.1e apart\n", n, wrong, worst);
  return wrong > 0;
}

#include "sim/event/inverse.h"

#include "sim/operator/dense.h"

#include <string.h>

const double *event_inverse(const EventSystem *system, EventInverses *inverses, uint64_t set) {
  int d = system->d, n = 0, members[EVENT_SIZE_MAX];
  int slot = (int)((set * UINT64_C(0x9e3779b97f4a7c15)) >> 60);
  double *inverse = inverses->inverse + (size_t)slot * (size_t)(d * d), *part = inverses->part;
  if (inverses->known[slot] && inverses->set[slot] == set) return inverse;
  for (int i = 0; i < d; i++)
    if (set >> i & 1) members[n++] = i;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) part[i * n + j] = system->mass[members[i] * d + members[j]];
  dense_factor(n, part); /* a part of a positive definite matrix is one */
  memset(inverse, 0, (size_t)(d * d) * sizeof *inverse);
  for (int k = 0; k < n; k++) {
    double column[EVENT_SIZE_MAX];
    for (int i = 0; i < n; i++) column[i] = i == k;
    dense_substitute(n, part, column);
    for (int i = 0; i < n; i++) inverse[members[i] * d + members[k]] = column[i];
  }
  inverses->set[slot] = set;
  inverses->known[slot] = true;
  return inverse;
}

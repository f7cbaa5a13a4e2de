#include "sim/event/inverse.h"

#include "sim/operator/dense.h"

const double *event_inverse(const EventSystem *system, EventInverses *inverses, uint64_t set) {
  int d = system->d, n = 0, members[2 * EVENT_SIZE_MAX];
  int slot = (int)((set * UINT64_C(0x9e3779b97f4a7c15)) >> 60);
  double *inverse = inverses->inverse + (size_t)slot * (size_t)(d * d);
  if (inverses->known[slot] && inverses->set[slot] == set) return inverse;
  for (int i = 0; i < d; i++)
    if (set >> i & 1) members[n++] = i;
  dense_invert_part(d, system->form, n, members, inverses->part,
                    inverse); /* a part of what is positive definite is so */
  inverses->set[slot] = set;
  inverses->known[slot] = true;
  return inverse;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/study/sobol.h"

/* A primitive polynomial z^degree + a_1 z^(degree - 1) + .. + 1, and the first numbers m_k, which generate one
 * dimension of Sobol's sequence. inner: the coefficients a_1, a_2, .. as bits. */
typedef struct Generator {
  int degree;
  uint32_t inner, m[8];
} Generator;

/* Generators of the dimensions 1, 2, ..; dimension 0 is van der Corput's sequence and needs none. */
static const Generator generators[SOBOL_DIMENSIONS - 1] = {
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
    {7, 7, {1, 1, 3, 13, 7, 35, 63}},
    {7, 8, {1, 3, 5, 9, 1, 25, 53}},
    {7, 14, {1, 3, 1, 13, 9, 35, 107}},
    {7, 19, {1, 3, 1, 5, 27, 61, 31}},
    {7, 21, {1, 1, 5, 11, 19, 41, 61}},
    {7, 28, {1, 3, 5, 3, 3, 13, 69}},
    {7, 31, {1, 1, 7, 13, 1, 19, 1}},
    {7, 32, {1, 3, 7, 5, 13, 19, 59}},
    {7, 37, {1, 1, 3, 9, 25, 29, 41}},
    {7, 41, {1, 3, 5, 13, 23, 1, 55}},
    {7, 42, {1, 3, 7, 3, 13, 59, 17}},
    {7, 50, {1, 3, 1, 3, 5, 53, 69}},
    {7, 55, {1, 1, 5, 5, 23, 33, 13}},
    {7, 56, {1, 1, 7, 7, 1, 61, 123}},
    {7, 59, {1, 1, 7, 9, 13, 61, 49}},
    {7, 62, {1, 3, 3, 5, 3, 55, 33}},
    {8, 14, {1, 3, 1, 15, 31, 13, 49, 245}},
    {8, 21, {1, 3, 5, 15, 31, 59, 63, 97}},
    {8, 22, {1, 3, 1, 11, 11, 11, 77, 249}},
};

static void find_directions(const Generator *g, uint32_t v[SOBOL_BITS]) {
  for (int k = 0; k < SOBOL_BITS; k++) {
    if (k < g->degree) {
      v[k] = g->m[k] << (SOBOL_BITS - 1 - k);
      continue;
    }
    v[k] = v[k - g->degree] ^ (v[k - g->degree] >> g->degree);
    for (int i = 1; i < g->degree; i++)
      if (g->inner >> (g->degree - 1 - i) & 1) v[k] ^= v[k - i];
  }
}

/* Returns a hash of x by the function splitmix64. */
static uint64_t scatter(uint64_t x) {
  x += UINT64_C(0x9E3779B97F4A7C15);
  x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
  return x ^ (x >> 31);
}

SobolDimension sobol_dimension(int dimension, uint64_t seed) {
  SobolDimension s = {.shift = (uint32_t)(scatter(scatter(seed) + (uint64_t)dimension) >> 32)};
  if (dimension > 0)
    find_directions(&generators[dimension - 1], s.directions);
  else
    for (int k = 0; k < SOBOL_BITS; k++) s.directions[k] = UINT32_C(1) << (SOBOL_BITS - 1 - k);
  return s;
}

double sobol_coordinate(const SobolDimension *s, uint32_t k) {
  uint32_t digits = s->shift;
  for (const uint32_t *direction = s->directions; k; k >>= 1, direction++)
    if (k & 1) digits ^= *direction;
  return ((double)digits + 0.5) / 4294967296.0;
}

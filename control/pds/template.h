/* The look-ahead template of parallel direct search (Dennis and Torczon 1991): the points that multidirectional
 * search may need several steps ahead, in the order of a breadth-first expansion.
 *
 * A node is a simplex on the lattice of v_0..v_n: its best vertex at v_0 + sum_k tau_k (v_k - v_0), its edges alpha
 * times those of v_0..v_n, and the slot b of its best vertex. The root is (0, 1, 0). With eps_0 = 0 and eps_k the
 * unit vectors, a node's children are
 *
 *     reflect    i = 0..n, i != b    alpha' = -alpha
 *     contract   i = 0..n            alpha' = alpha/2         each with  tau' = tau + alpha' (eps_i - eps_b),  b' = i
 *     expand     i = 0..n, i != b    alpha' = -2 alpha
 *
 * tau and alpha are dyadic, so this is exact. The first node at each tau is a point of the template, except at
 * v_0..v_n. */
#ifndef CONTROL_PDS_TEMPLATE_H
#define CONTROL_PDS_TEMPLATE_H

#include "sim/internal.h"

#include <stdint.h>

/* tau is the sum of alpha (eps_base - eps_parent's base) up to the root. 16 bytes for any n. */
typedef struct CtlNode {
  uint32_t parent; /* the root is its own parent */
  uint32_t twin;   /* another node at the same tau; 0: none */
  float alpha;     /* scale of the edges, +- a power of two */
  uint8_t base;    /* b */
} CtlNode;

typedef struct CtlTemplate {
  int n;
  long size;        /* s */
  double shrink;    /* factor of the edges after a failure */
  CtlNode *nodes;   /* the root's is nodes[0]; owned */
  uint32_t *points; /* [s] nodes of the template in order; owned */
  float *weights;   /* [n+1][s] tau_0..tau_n of the points, tau_0 = -(tau_1 + .. + tau_n), exact; owned */
} CtlTemplate;

/* Maximum memory of a template while it is built (estimated from above), and the limit for all templates. */
#define CTL_TEMPLATE_BYTES ((size_t)256 << 20)
size_t ctl_template_bytes(int n, long size);

/* Creates the first `size` >= 2n points and expands only as far as needed. SIM_OK, or SIM_NO_MEMORY (left cleared),
 * also if it would take more than CTL_TEMPLATE_BYTES; nothing is allocated then. */
SimStatus ctl_template_init(CtlTemplate *template, int n, long size);
void ctl_template_clear(CtlTemplate *template);

/* Computes tau of point k. tau: [n]. */
void ctl_template_offset(const CtlTemplate *template, long k, double *tau);

/* tau_slot of all points, slot = 0..n: [s], borrowed. A point is v_0 + sum_slot tau_slot v_slot. */
static inline const float *ctl_template_weights(const CtlTemplate *template, int slot) {
  return template->weights + slot * template->size;
}

static inline double ctl_template_alpha(const CtlTemplate *template, long k) {
  return template->nodes[template->points[k]].alpha;
}

static inline int ctl_template_base(const CtlTemplate *template, long k) {
  return template->nodes[template->points[k]].base;
}

#endif

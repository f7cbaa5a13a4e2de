/* SPDX-License-Identifier: BSD-2-Clause */
/* The look-ahead template of parallel direct search (Dennis and Torczon 1991): the points that a multidirectional
 * search may need several steps ahead, in the order of a breadth-first expansion.
 *
 * A node is a simplex on the lattice of the vertices v_0..v_n: its best vertex is v_0 + sum_k tau_k (v_k - v_0), its
 * edges are alpha times those of v_0..v_n, and b is the slot of its best vertex. The root is (tau, alpha, b) = (0, 1,
 * 0). With eps_0 = 0 and the unit vectors eps_k, a node's children are
 *
 *   reflect   i = 0..n, i != b   alpha' = -alpha
 *   contract  i = 0..n           alpha' = alpha/2    each with tau' = tau + alpha' (eps_i - eps_b), b' = i
 *   expand    i = 0..n, i != b   alpha' = -2 alpha
 *
 * tau and alpha are dyadic fractions, so that these computations are exact. The first node at each tau is a point of
 * the template, except at v_0..v_n. */
#ifndef CONTROL_PDS_TEMPLATE_H
#define CONTROL_PDS_TEMPLATE_H

#include "sim/internal.h"

#include <stdint.h>

/* A node. Its tau is not stored; it is the sum of alpha (eps_b - eps_b of the parent) over the node and its ancestors.
 * So a node has 16 bytes for any n. */
typedef struct CtlNode {
  uint32_t parent; /* index of the parent; the root is its own parent */
  uint32_t twin;   /* index of another node at the same tau; 0: there is none */
  float alpha;     /* scale of the edges: plus or minus a power of two */
  uint8_t base;    /* slot b of the node's best vertex */
} CtlNode;

typedef struct CtlTemplate {
  int n;
  long size;        /* number s of points */
  double shrink;    /* factor by which the edges shrink after a round without improvement */
  CtlNode *nodes;   /* all nodes; nodes[0] is the root; owned */
  uint32_t *points; /* [s] indices of the nodes that are points of the template, in order; owned */
  /* [n+1][s] tau_0..tau_n of the points v_0 + sum_k tau_k v_k, with tau_0 = -(tau_1 + .. + tau_n): dyadic fractions,
   * which a float stores exactly; owned */
  float *weights;
} CtlTemplate;

/* upper limit of the estimated memory of a template while it is built; also the limit for all templates of a process
 * together */
#define CTL_TEMPLATE_BYTES ((size_t)256 << 20)
size_t ctl_template_bytes(int n, long size);

/* Creates a template of `size` >= 2n points. Nodes are expanded only until there are enough points. Returns SIM_OK or
 * SIM_NO_MEMORY; the template is then cleared. If the template would take more than CTL_TEMPLATE_BYTES, SIM_NO_MEMORY
 * is returned before anything is allocated. */
SimStatus ctl_template_init(CtlTemplate *template, int n, long size);
void ctl_template_clear(CtlTemplate *template);

/* Computes tau [n] of point k. */
void ctl_template_offset(const CtlTemplate *template, long k, double *tau);

/* Returns tau_slot of all points [s], for slot = 0..n; borrowed. A point is v_0 + sum_slot tau_slot v_slot. */
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

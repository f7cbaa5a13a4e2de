/* SPDX-License-Identifier: BSD-2-Clause */
#include "control/pds/template.h"

#include "control/base/hash.h"
#include "control/internal.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* State while a template (template.h) is built. A hash table contains the first node at each tau; the list of twins of
 * this node contains the other nodes at the same tau. A node that equals an earlier one is dropped, since its
 * descendants would equal those of the earlier one. So the order of points is that of an expansion with all duplicates,
 * but the duplicates, of which there would be exponentially many, are not created. */
typedef struct Growth {
  CtlTemplate *template;
  long kept; /* number of template points so far */
  size_t count, capacity;
  uint32_t *table; /* hash table with open addressing; each slot is EMPTY or the index of a node */
  size_t slots, used;
} Growth;

static const uint32_t EMPTY = UINT32_MAX;

static void add_offset(const CtlNode *nodes, uint32_t node, int n, double *tau) {
  for (int i = 0; i < n; i++) tau[i] = 0;
  for (; node; node = nodes[node].parent) {
    int base = nodes[node].base, from = nodes[nodes[node].parent].base;
    if (base) tau[base - 1] += nodes[node].alpha;
    if (from) tau[from - 1] -= nodes[node].alpha;
  }
}

/* Returns the slot of tau: the one that contains it, or the empty one in which it would be stored. */
static size_t find_slot(const Growth *growth, const double *tau) {
  int n = growth->template->n;
  double other[CTL_SIMPLEX_CONTROLS_MAX];
  size_t slot = ctl_hash(n, tau) & (growth->slots - 1);
  for (; growth->table[slot] != EMPTY; slot = (slot + 1) & (growth->slots - 1)) {
    add_offset(growth->template->nodes, growth->table[slot], n, other);
    if (!memcmp(tau, other, (size_t)n * sizeof *tau)) break;
  }
  return slot;
}

static bool grow_table(Growth *growth) {
  uint32_t *old = growth->table;
  size_t old_slots = growth->slots;
  double tau[CTL_SIMPLEX_CONTROLS_MAX];
  uint32_t *table = malloc(2 * old_slots * sizeof *table);
  if (!table) return false;
  memset(table, 0xff, 2 * old_slots * sizeof *table);
  growth->table = table;
  growth->slots = 2 * old_slots;
  for (size_t i = 0; i < old_slots; i++) {
    if (old[i] == EMPTY) continue;
    add_offset(growth->template->nodes, old[i], growth->template->n, tau);
    table[find_slot(growth, tau)] = old[i];
  }
  free(old);
  return true;
}

static bool grow_nodes(Growth *growth) {
  CtlNode *nodes = realloc(growth->template->nodes, 2 * growth->capacity * sizeof *nodes);
  if (!nodes) return false;
  growth->template->nodes = nodes;
  growth->capacity *= 2;
  return true;
}

/* Whether tau belongs to one of the vertices v_0..v_n of the simplex; these are not points of the template. */
static bool is_vertex(int n, const double *tau) {
  int ones = 0;
  for (int i = 0; i < n; i++) {
    if (tau[i] != 0 && tau[i] != 1) return false;
    ones += tau[i] == 1;
  }
  return ones <= 1;
}

/* Adds a node at tau unless an equal node exists. Returns false when out of memory. */
static bool add_node(Growth *growth, CtlNode node, const double *tau) {
  if (2 * growth->used >= growth->slots && !grow_table(growth)) return false;
  if (growth->count == growth->capacity && !grow_nodes(growth)) return false;
  CtlNode *nodes = growth->template->nodes;
  size_t slot = find_slot(growth, tau);
  uint32_t first = growth->table[slot], fresh = (uint32_t)growth->count;
  if (first == EMPTY) {
    growth->table[slot] = fresh;
    growth->used++;
    if (!is_vertex(growth->template->n, tau)) growth->template->points[growth->kept++] = fresh;
  } else {
    uint32_t twin = first;
    do {
      if (nodes[twin].alpha == node.alpha && nodes[twin].base == node.base) return true;
      twin = nodes[twin].twin;
    } while (twin);
    node.twin = nodes[first].twin;
    nodes[first].twin = fresh;
  }
  nodes[growth->count++] = node;
  return true;
}

/* Adds the children of a node, until the template has all its points. Returns false when out of memory. */
static bool expand_node(Growth *growth, uint32_t parent) {
  static const float factors[] = {-1, 0.5F, -2}; /* factors of alpha for reflection, contraction and expansion */
  int n = growth->template->n, b = growth->template->nodes[parent].base;
  float alpha = growth->template->nodes[parent].alpha;
  double tau[CTL_SIMPLEX_CONTROLS_MAX], child[CTL_SIMPLEX_CONTROLS_MAX];
  add_offset(growth->template->nodes, parent, n, tau);
  for (int kind = 0; kind < 3; kind++)
    for (int i = 0; i <= n && growth->kept < growth->template->size; i++) {
      bool contraction = factors[kind] > 0;
      if (i == b && !contraction) continue;
      CtlNode node = {.parent = parent, .alpha = factors[kind] * alpha, .base = (uint8_t)i};
      memcpy(child, tau, (size_t)n * sizeof *tau);
      if (i) child[i - 1] += node.alpha;
      if (b) child[b - 1] -= node.alpha;
      if (!add_node(growth, node, child)) return false;
    }
  return true;
}

/* Returns the factor by which the simplex contracts after a round without improvement: the smallest |alpha| of the
 * template's points or, if fewer than n points have this |alpha|, twice this value. */
static double shrink_factor(const CtlTemplate *template) {
  double least = INFINITY;
  int count = 0;
  for (long k = 0; k < template->size; k++) {
    double size = fabs(ctl_template_alpha(template, k));
    if (size < least) {
      least = size;
      count = 0;
    }
    count += size == least;
  }
  return count < template->n ? 2 * least : least;
}

/* Tabulates tau of all points. Single precision is exact here: there are at most 20 steps, each of which halves
 * |alpha|, keeps it, or doubles it, so that the numbers have few bits. */
static void tabulate_weights(CtlTemplate *template) {
  double tau[CTL_SIMPLEX_CONTROLS_MAX];
  for (long k = 0; k < template->size; k++) {
    double sum = 0;
    add_offset(template->nodes, template->points[k], template->n, tau);
    for (int i = 0; i < template->n; i++) {
      sum += tau[i];
      template->weights[(i + 1) * template->size + k] = (float)tau[i];
      assert(template->weights[(i + 1) * template->size + k] == tau[i]);
    }
    template->weights[k] = (float)-sum;
    assert(template->weights[k] == -sum);
  }
}

/* Returns an estimate of the memory of a template with `size` points, in bytes. The number of nodes per point was
 * measured: 10.1, 6.0, 4.5, 2.3 for n = 1, 2, 3, 6 and 1.3 for n = 64, at 2^20 points. It is less with fewer points.
 * The factors 2 are needed because the arrays of nodes and the hash table grow by doubling. */
size_t ctl_template_bytes(int n, long size) {
  double nodes = 2 * (1.5 + 10.0 / n) * sizeof(CtlNode), table = 8 * sizeof(uint32_t);
  double point = (double)(n + 1) * sizeof(float) + sizeof(uint32_t);
  return (size_t)((double)size * (nodes + table + point));
}

SimStatus ctl_template_init(CtlTemplate *template, int n, long size) {
  assert(n >= 1 && n <= CTL_SIMPLEX_CONTROLS_MAX && size >= 2L * n && size <= CTL_SCHEME_MAX);
  Growth growth = {.template = template, .capacity = 1024, .slots = 1024};
  double origin[CTL_SIMPLEX_CONTROLS_MAX] = {0};
  *template = (CtlTemplate){0};
  if (ctl_template_bytes(n, size) > CTL_TEMPLATE_BYTES) return SIM_NO_MEMORY;
  *template = (CtlTemplate){.n = n, .size = size};
  template->nodes = malloc(growth.capacity * sizeof *template->nodes);
  template->points = malloc((size_t)size * sizeof *template->points);
  template->weights = malloc((size_t)(n + 1) * (size_t)size * sizeof *template->weights);
  growth.table = malloc(growth.slots * sizeof *growth.table);
  bool good = template->nodes && template->points && template->weights && growth.table;
  if (good) {
    memset(growth.table, 0xff, growth.slots * sizeof *growth.table);
    good = add_node(&growth, (CtlNode){.alpha = 1}, origin);
  }
  for (uint32_t node = 0; good && growth.kept < size; node++) good = expand_node(&growth, node);
  free(growth.table);
  if (!good) {
    ctl_template_clear(template);
    return SIM_NO_MEMORY;
  }
  tabulate_weights(template);
  template->shrink = shrink_factor(template);
  return SIM_OK;
}

void ctl_template_clear(CtlTemplate *template) {
  free(template->nodes);
  free(template->points);
  free(template->weights);
  *template = (CtlTemplate){0};
}

void ctl_template_offset(const CtlTemplate *template, long k, double *tau) {
  for (int i = 0; i < template->n; i++) tau[i] = ctl_template_weights(template, i + 1)[k];
}

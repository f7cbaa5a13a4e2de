#include "control/pds/template.h"

#include "control/base/hash.h"
#include "control/control.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The expansion under way. Every tau met is in a hash table, as the first node there; the others at the same
 * tau hang on its twin list. A node met before is dropped: whatever it would lead to, the earlier one leads
 * to earlier. So the order is that of expanding every duplicate, without their exponential number. */
typedef struct Growth {
  CtlTemplate *scheme;
  long kept; /* points so far */
  size_t count, capacity;
  uint32_t *table; /* open addressing, EMPTY or a node */
  size_t slots, used;
} Growth;

static const uint32_t EMPTY = UINT32_MAX;

static void offset(const CtlNode *nodes, uint32_t node, int n, double *tau) {
  for (int i = 0; i < n; i++) tau[i] = 0;
  for (; node; node = nodes[node].parent) {
    int base = nodes[node].base, from = nodes[nodes[node].parent].base;
    if (base) tau[base - 1] += nodes[node].alpha;
    if (from) tau[from - 1] -= nodes[node].alpha;
  }
}

/* The slot of tau: its own, or the empty one where it belongs. */
static size_t find(const Growth *growth, const double *tau) {
  int n = growth->scheme->n;
  double other[CTL_CONTROLS_MAX];
  size_t slot = ctl_hash(n, tau) & (growth->slots - 1);
  for (; growth->table[slot] != EMPTY; slot = (slot + 1) & (growth->slots - 1)) {
    offset(growth->scheme->nodes, growth->table[slot], n, other);
    if (!memcmp(tau, other, (size_t)n * sizeof *tau)) break;
  }
  return slot;
}

static bool grow_table(Growth *growth) {
  uint32_t *old = growth->table;
  size_t old_slots = growth->slots;
  double tau[CTL_CONTROLS_MAX];
  uint32_t *table = malloc(2 * old_slots * sizeof *table);
  if (!table) return false;
  memset(table, 0xff, 2 * old_slots * sizeof *table);
  growth->table = table;
  growth->slots = 2 * old_slots;
  for (size_t i = 0; i < old_slots; i++) {
    if (old[i] == EMPTY) continue;
    offset(growth->scheme->nodes, old[i], growth->scheme->n, tau);
    table[find(growth, tau)] = old[i];
  }
  free(old);
  return true;
}

static bool grow_nodes(Growth *growth) {
  CtlNode *nodes = realloc(growth->scheme->nodes, 2 * growth->capacity * sizeof *nodes);
  if (!nodes) return false;
  growth->scheme->nodes = nodes;
  growth->capacity *= 2;
  return true;
}

/* Whether tau is one of v_0..v_n. */
static bool is_vertex(int n, const double *tau) {
  int ones = 0;
  for (int i = 0; i < n; i++) {
    if (tau[i] != 0 && tau[i] != 1) return false;
    ones += tau[i] == 1;
  }
  return ones <= 1;
}

/* Takes a node at tau unless it is known. Returns false when out of memory. */
static bool add(Growth *growth, CtlNode node, const double *tau) {
  if (2 * growth->used >= growth->slots && !grow_table(growth)) return false;
  if (growth->count == growth->capacity && !grow_nodes(growth)) return false;
  CtlNode *nodes = growth->scheme->nodes;
  size_t slot = find(growth, tau);
  uint32_t first = growth->table[slot], fresh = (uint32_t)growth->count;
  if (first == EMPTY) {
    growth->table[slot] = fresh;
    growth->used++;
    if (!is_vertex(growth->scheme->n, tau)) growth->scheme->points[growth->kept++] = fresh;
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

/* The children of a node, up to the last point wanted. Returns false when out of memory. */
static bool expand(Growth *growth, uint32_t parent) {
  static const float factors[] = {-1, 0.5F, -2}; /* reflect, contract, expand */
  int n = growth->scheme->n, b = growth->scheme->nodes[parent].base;
  float alpha = growth->scheme->nodes[parent].alpha;
  double tau[CTL_CONTROLS_MAX], child[CTL_CONTROLS_MAX];
  offset(growth->scheme->nodes, parent, n, tau);
  for (int kind = 0; kind < 3; kind++)
    for (int i = 0; i <= n && growth->kept < growth->scheme->size; i++) {
      bool contraction = factors[kind] > 0;
      if (i == b && !contraction) continue;
      CtlNode node = {.parent = parent, .alpha = factors[kind] * alpha, .base = (uint8_t)i};
      memcpy(child, tau, (size_t)n * sizeof *tau);
      if (i) child[i - 1] += node.alpha;
      if (b) child[b - 1] -= node.alpha;
      if (!add(growth, node, child)) return false;
    }
  return true;
}

/* The least |alpha| that a step of n contractions at once would have: the smallest in the scheme, or the next
 * larger when the scheme does not hold all n of that size. */
static double shrink_factor(const CtlTemplate *scheme) {
  double least = INFINITY;
  int count = 0;
  for (long k = 0; k < scheme->size; k++) {
    double size = fabs(ctl_template_alpha(scheme, k));
    if (size < least) {
      least = size;
      count = 0;
    }
    count += size == least;
  }
  return count < scheme->n ? 2 * least : least;
}

/* tau as a table. Floats are exact: along k <= 20 steps |alpha| is halved or at most doubled each time, so the bits of
 * a tau span no more than k + 2. */
static void tabulate(CtlTemplate *scheme) {
  double tau[CTL_CONTROLS_MAX];
  for (long k = 0; k < scheme->size; k++) {
    double sum = 0;
    offset(scheme->nodes, scheme->points[k], scheme->n, tau);
    for (int i = 0; i < scheme->n; i++) {
      sum += tau[i];
      scheme->weights[(i + 1) * scheme->size + k] = (float)tau[i];
      assert(scheme->weights[(i + 1) * scheme->size + k] == tau[i]);
    }
    scheme->weights[k] = (float)-sum;
    assert(scheme->weights[k] == -sum);
  }
}

/* Nodes a point, as counted: 10.1, 6.0, 4.5, 2.3 for n = 1, 2, 3, 6 and 1.3 for 64 at s = 2^20, and fewer at a smaller s.
 * Nodes and table grow to twice what they hold. */
size_t ctl_template_bytes(int n, long size) {
  double nodes = 2 * (1.5 + 10.0 / n) * sizeof(CtlNode), table = 8 * sizeof(uint32_t);
  double point = (double)(n + 1) * sizeof(float) + sizeof(uint32_t);
  return (size_t)((double)size * (nodes + table + point));
}

SimStatus ctl_template_init(CtlTemplate *scheme, int n, long size) {
  assert(n >= 1 && n <= CTL_CONTROLS_MAX && size >= 2L * n && size <= CTL_SCHEME_MAX);
  Growth growth = {.scheme = scheme, .capacity = 1024, .slots = 1024};
  double origin[CTL_CONTROLS_MAX] = {0};
  *scheme = (CtlTemplate){0};
  if (ctl_template_bytes(n, size) > CTL_TEMPLATE_BYTES) return SIM_NO_MEMORY;
  *scheme = (CtlTemplate){.n = n, .size = size};
  scheme->nodes = malloc(growth.capacity * sizeof *scheme->nodes);
  scheme->points = malloc((size_t)size * sizeof *scheme->points);
  scheme->weights = malloc((size_t)(n + 1) * (size_t)size * sizeof *scheme->weights);
  growth.table = malloc(growth.slots * sizeof *growth.table);
  bool good = scheme->nodes && scheme->points && scheme->weights && growth.table;
  if (good) {
    memset(growth.table, 0xff, growth.slots * sizeof *growth.table);
    good = add(&growth, (CtlNode){.alpha = 1}, origin);
  }
  for (uint32_t node = 0; good && growth.kept < size; node++) good = expand(&growth, node);
  free(growth.table);
  if (!good) {
    ctl_template_clear(scheme);
    return SIM_NO_MEMORY;
  }
  tabulate(scheme);
  scheme->shrink = shrink_factor(scheme);
  return SIM_OK;
}

void ctl_template_clear(CtlTemplate *scheme) {
  free(scheme->nodes);
  free(scheme->points);
  free(scheme->weights);
  *scheme = (CtlTemplate){0};
}

void ctl_template_offset(const CtlTemplate *scheme, long k, double *tau) {
  for (int i = 0; i < scheme->n; i++) tau[i] = ctl_template_weights(scheme, i + 1)[k];
}

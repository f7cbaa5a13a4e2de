/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/results/slip_clusters.h"

#include <stdlib.h>

struct SlipClusters {
  int d;
  long n;
  double *end;  /* [n] end of each slip, in s */
  long *before; /* [n] previous slip of the same dof; -1: none */
  /* [n] union-find structure. While slips are added, it has for each slip an earlier slip of the same event, or the
   * slip itself if it is the first one. At the end it has the number of the event. */
  long *cluster;
  long *last; /* [d] last slip of each dof, -1: none */
};

SlipClusters *slip_clusters_create(int d, long n) {
  SlipClusters *clusters = calloc(1, sizeof *clusters);
  if (!clusters) return NULL;
  size_t room = (size_t)n + 1;
  *clusters = (SlipClusters){.d = d,
                             .end = malloc(room * sizeof(double)),
                             .before = malloc(room * sizeof(long)),
                             .cluster = malloc(room * sizeof(long)),
                             .last = malloc((size_t)d * sizeof(long))};
  if (clusters->end && clusters->before && clusters->cluster && clusters->last) {
    for (int i = 0; i < d; i++) clusters->last[i] = -1;
    return clusters;
  }
  slip_clusters_destroy(clusters);
  return NULL;
}

void slip_clusters_destroy(SlipClusters *clusters) {
  if (!clusters) return;
  free(clusters->end);
  free(clusters->before);
  free(clusters->cluster);
  free(clusters->last);
  free(clusters);
}

/* Returns the first slip that is known to belong to the same event as slip k. */
static long first_of(const SlipClusters *clusters, long k) {
  long *cluster = clusters->cluster;
  while (cluster[k] != k) {
    cluster[k] = cluster[cluster[k]];
    k = cluster[k];
  }
  return k;
}

static void unite(const SlipClusters *clusters, long a, long b) {
  a = first_of(clusters, a);
  b = first_of(clusters, b);
  clusters->cluster[a > b ? a : b] = a > b ? b : a;
}

/* Adds a slip. An earlier slip overlaps with it in time unless it ends before this one begins. */
void slip_clusters_add(SlipClusters *clusters, int dof, double start, double end) {
  long this = clusters->n++;
  clusters->end[this] = end;
  clusters->cluster[this] = this;
  for (int i = dof - 2; i <= dof; i++)
    for (long k = i >= 0 && i < clusters->d ? clusters->last[i] : -1; k >= 0 && clusters->end[k] >= start;
         k = clusters->before[k])
      unite(clusters, this, k);
  clusters->before[this] = clusters->last[dof - 1];
  clusters->last[dof - 1] = this;
}

const long *slip_clusters_events(SlipClusters *clusters) {
  long *cluster = clusters->cluster, events = 0;
  for (long k = 0; k < clusters->n; k++) cluster[k] = first_of(clusters, k);
  for (long k = 0; k < clusters->n; k++) cluster[k] = cluster[k] == k ? ++events : cluster[cluster[k]];
  return cluster;
}

#include "control/bound/mesh.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

SimStatus bound_mesh_create(int intervals, int degree, BoundMesh *mesh) {
  *mesh = (BoundMesh){intervals, degree, malloc(((size_t)intervals + 1) * sizeof *mesh->time)};
  if (!mesh->time) return SIM_NO_MEMORY;
  for (int k = 1; k < intervals; k++) mesh->time[k] = (1 - cos(PI * k / intervals)) / 2;
  mesh->time[0] = 0;
  mesh->time[intervals] = 1;
  return SIM_OK;
}

SimStatus bound_mesh_halve(BoundMesh *mesh, int interval) {
  double *time = realloc(mesh->time, ((size_t)mesh->intervals + 2) * sizeof *time);
  if (!time) return SIM_NO_MEMORY;
  mesh->time = time;
  memmove(time + interval + 2, time + interval + 1, (size_t)(mesh->intervals - interval) * sizeof *time);
  time[interval + 1] = (time[interval] + time[interval + 2]) / 2;
  mesh->intervals++;
  return SIM_OK;
}

void bound_mesh_clear(BoundMesh *mesh) {
  free(mesh->time);
  *mesh = (BoundMesh){0};
}

double bound_mesh_share(const BoundMesh *mesh, int interval) {
  return (mesh->time[interval + 1] - mesh->time[interval]) / (mesh->degree + 1) * (1 + 4 * DBL_EPSILON);
}

double bound_mesh_brief(const BoundMesh *mesh) {
  double least = 1;
  for (int k = 0; k < mesh->intervals; k++) least = fmin(least, bound_mesh_share(mesh, k));
  return least * (1 - 8 * DBL_EPSILON);
}

/* The derivative of a polynomial of degree r has the coefficients r (y_j+1 - y_j)/h of degree r - 1; of degree r its coefficient e is e/r times that
 * before, and (r - e)/r times that at e. */
void bound_mesh_place(const BoundMesh *mesh, int interval, int e, BoundPlace *place) {
  int r = mesh->degree, from = e > 0 ? e - 1 : 0;
  double h = mesh->time[interval + 1] - mesh->time[interval];
  *place = (BoundPlace){.node = interval * r + from, .at = e - from, .share = bound_mesh_share(mesh, interval)};
  place->span = (e < r ? e + 1 : r) - from + 1;
  if (e > 0) {
    place->rate[0] = -e / h;
    place->rate[1] = e / h;
  }
  if (e < r) {
    place->rate[place->at] -= (r - e) / h;
    place->rate[place->at + 1] += (r - e) / h;
  }
}

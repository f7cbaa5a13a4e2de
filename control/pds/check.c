#include "control/pds/check.h"

#include "control/pds/matrix_rank.h"
#include "control/pds/template.h"

#include <math.h>

#define EDGE_MAX 1e100 /* longer edges of a first simplex are mistakes, and their squares would overflow */

/* Sine below which a user simplex counts as flat: its points would be told apart by round-off alone. */
#define FLAT 1e-10

void ctl_check_simplex(CtlCheck *check) {
  const CtlProblem *p = check->problem;
  long least = 2L * p->n;
  if (p->scheme_size > 0 && p->scheme_size < least)
    ctl_check_complain(check, "search.scheme_size", "%ld (expected %ld..%d: twice the number of controls at least)",
                       p->scheme_size, least, CTL_SCHEME_MAX);
  size_t table = ctl_template_bytes(p->n, ctl_problem_scheme_size(p)), mib = 1 << 20;
  if (table > CTL_TEMPLATE_BYTES && p->scheme_size <= CTL_SCHEME_MAX)
    ctl_check_complain(check, "search.scheme_size",
                       "%ld points of %d variables: tables of up to %zu MiB (expected at most %zu MiB)", p->scheme_size,
                       p->n, table / mib, CTL_TEMPLATE_BYTES / mib);
  if (p->step > EDGE_MAX) ctl_check_complain(check, "search.step", "%g (expected at most %g)", p->step, EDGE_MAX);
  if (p->simplex != CTL_SIMPLEX_USER) return;
  if (!ctl_check_finite(check, "search.simplex", p->n * p->n, p->edges)) return;
  for (int i = 0; i < p->n * p->n; i++)
    if (fabs(p->edges[i]) > EDGE_MAX) {
      ctl_check_complain(check, "search.simplex", "%g (expected at most %g)", p->edges[i], EDGE_MAX);
      return;
    }
  int rank = ctl_matrix_rank(p->n, p->edges, FLAT);
  if (rank < p->n)
    ctl_check_complain(check, "search.simplex", "a degenerate simplex: rank %d (expected %d)", rank, p->n);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Linked into a stiction for tests. Its proofs claim too much: each proven bound is multiplied by the environment
 * variable STICTION_OVERSTATED. */
#include "control/bound/verify.h"

#include <stdlib.h>

SimStatus __real_bound_verify(const BoundProgram *program, const BoundValues *values, double *value, long *raised);
SimStatus __wrap_bound_verify(const BoundProgram *program, const BoundValues *values, double *value, long *raised);

SimStatus __wrap_bound_verify(const BoundProgram *program, const BoundValues *values, double *value, long *raised) {
  const char *times = getenv("STICTION_OVERSTATED");
  SimStatus status = __real_bound_verify(program, values, value, raised);
  if (times) *value *= atof(times);
  return status;
}

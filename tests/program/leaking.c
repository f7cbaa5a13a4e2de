/* Linked into a stiction of the tests' own (--wrap=balance_take): with STICTION_LEAK=SCHEME:T the energy of watched motions by that scheme is
 * a hundredth of a joule off from T, s, on, as if the scheme had a mistake. What looks on must find that. */
#include "sim/core/balance.h"
#include "sim/core/scheme.h"

#include <stdlib.h>
#include <string.h>

bool __real_balance_take(const SimModel *model, SimWorkspace *work, double t, const double *x, const double *v);
bool __wrap_balance_take(const SimModel *model, SimWorkspace *work, double t, const double *x, const double *v);

bool __wrap_balance_take(const SimModel *model, SimWorkspace *work, double t, const double *x, const double *v) {
  const char *leak = getenv("STICTION_LEAK"), *from = leak ? strchr(leak, ':') : NULL;
  const char *scheme = model->problem.scheme->name;
  if (from && strlen(scheme) == (size_t)(from - leak) && strncmp(leak, scheme, strlen(scheme)) == 0 &&
      t >= strtod(from + 1, NULL))
    work->energy.stored += 0.01;
  return __real_balance_take(model, work, t, x, v);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Linked into a stiction for tests (--wrap=balance_take), to imitate a scheme with a mistake.
 * - STICTION_LEAK=SCHEME:T makes the energy of examined motions by this scheme wrong by a hundredth of a joule from
 *   time T, s, on.
 * - STICTION_LEAK=SCHEME:T:N does so from the Nth such motion of the process on.
 * - STICTION_STOPPED_MOTION=N sends a signal during the Nth examined motion. */
#include "sim/core/balance.h"
#include "sim/core/scheme.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

bool __real_balance_take(const SimModel *model, SimWorkspace *work, double t, const double *x, const double *v);
bool __wrap_balance_take(const SimModel *model, SimWorkspace *work, double t, const double *x, const double *v);

static void stop(long motion) {
  const char *stopped = getenv("STICTION_STOPPED_MOTION");
  if (!stopped || motion != strtol(stopped, NULL, 10)) return;
  raise(SIGTERM);
  /* a motion that ends within half a second is not stopped */
  nanosleep(&(struct timespec){.tv_nsec = 700000000}, NULL);
}

static bool leaks(const SimModel *model, double t) {
  static long motions;
  const char *leak = getenv("STICTION_LEAK"), *from = leak ? strchr(leak, ':') : NULL;
  const char *scheme = model->problem.scheme->name;
  if (!from || strlen(scheme) != (size_t)(from - leak) || strncmp(leak, scheme, strlen(scheme)) != 0) return false;
  motions += t == 0;
  char *end;
  double begin = strtod(from + 1, &end);
  return t >= begin && (*end != ':' || motions >= strtol(end + 1, NULL, 10));
}

bool __wrap_balance_take(const SimModel *model, SimWorkspace *work, double t, const double *x, const double *v) {
  static long motions;
  motions += t == 0;
  if (t == 0) stop(motions);
  if (leaks(model, t)) work->energy.stored += 0.01;
  return __real_balance_take(model, work, t, x, v);
}

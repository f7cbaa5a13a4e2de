#include "sim/operator/check.h"

#include "sim/operator/dense.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

int sim_complain(const SimReport *report, const char *key, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (report) report->complain(report->context, key, text);
  return 1;
}

void check_complain(Check *check, const char *key, const char *format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  check->mistakes += sim_complain(check->report, key, "%s", text);
}

void check_values(Check *check, const char *key, long n, const double *values, double least) {
  for (long i = 0; i < n; i++) {
    if (isfinite(values[i]) && values[i] >= least) continue;
    if (isfinite(values[i]))
      check_complain(check, key, "entry %ld is %g (expected >= %g)", i + 1, values[i], least);
    else
      check_complain(check, key, "entry %ld is not finite", i + 1);
    return;
  }
}

bool check_matrix(Check *check, const char *key, const double *a, bool definite, double *smallest, double *largest) {
  int d = check->problem->d, before = check->mistakes;
  check_values(check, key, (long)d * d, a, -INFINITY);
  if (check->mistakes > before) return false;
  double scale = 0;
  for (long i = 0; i < (long)d * d; i++) scale = fmax(scale, fabs(a[i]));
  for (int i = 0; i < d; i++)
    for (int j = 0; j < i; j++)
      if (fabs(a[i * d + j] - a[j * d + i]) > 1e-12 * scale) {
        check_complain(check, key, "not symmetric: entry (%d,%d) is %g, entry (%d,%d) is %g", i + 1, j + 1,
                       a[i * d + j], j + 1, i + 1, a[j * d + i]);
        return false;
      }
  if (dense_eigenvalue_range(d, a, smallest, largest)) {
    check_complain(check, key, "its eigenvalues could not be computed");
    return false;
  }
  double round_off = 4 * d * DBL_EPSILON * scale;
  if (definite && *smallest <= round_off)
    check_complain(check, key, "eigenvalues from %.3g to %.3g (expected positive definite, to working precision)",
                   *smallest, *largest);
  else if (!definite && *smallest < -round_off)
    check_complain(check, key, "smallest eigenvalue %.3g (expected positive semi-definite)", *smallest);
  return check->mistakes == before;
}

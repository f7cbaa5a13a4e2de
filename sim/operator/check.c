/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/operator/check.h"

#include "sim/operator/dense.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

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

SimStatus check_status(const Check *check) {
  if (check->no_memory) return SIM_NO_MEMORY;
  return check->mistakes ? SIM_BAD_PROBLEM : SIM_OK;
}

bool check_found(Check *check, const char *key, const char *what, SimStatus status) {
  check->no_memory |= status == SIM_NO_MEMORY;
  if (status == SIM_BAD_PROBLEM) check_complain(check, key, "%s could not be computed", what);
  return status == SIM_OK;
}

void check_values(Check *check, const char *key, const SimParameter *row, long first, long n, const double *values) {
  static const SimParameter any = {.key = "any"};
  char expected[SIM_EXPECTED_SIZE], number[SIM_NUMBER_SIZE];
  long i = 0;
  while (i < n && sim_parameter_allows(row ? row : &any, values[i])) i++;
  if (i == n) return;
  if (row && !(row->forms & (SIM_FORM_LIST | SIM_FORM_FORMULA)))
    check_complain(check, key, "%s (expected %s)", sim_number(values[i], number),
                   sim_parameter_expected(row, expected));
  else if (!isfinite(values[i]))
    check_complain(check, key, "entry %ld is not finite", first + i + 1);
  else
    check_complain(check, key, "entry %ld is %s (expected %s)", first + i + 1, sim_number(values[i], number),
                   sim_parameter_expected(row, expected));
}

/* Whether all values of a key in a table are valid, which is the usual case; the text of a message is then not
 * needed. */
static bool row_is_good(const SimProblem *p, const SimParameter *row) {
  long n = row->extent == SIM_AROUND ? p->d + 1 : row->extent == SIM_ONE ? 1 : p->count;
  double value = row->extent == SIM_ONE ? sim_parameter_get(row, p) : 0;
  const double *values = row->extent == SIM_ONE ? &value : sim_parameter_array(row, p);
  if (row->forms == SIM_FORM_SECTION) return value == 0;
  if (row->forms & SIM_FORM_CHOICE) return sim_parameter_word(row, (int)value);
  while (n > 0 && sim_parameter_allows(row, values[n - 1])) n--;
  return n == 0;
}

void check_rows(Check *check, const char *section, const SimParameter *rows) {
  const SimProblem *p = check->problem;
  for (const SimParameter *row = rows; row->key; row++) {
    char key[64];
    if (!row->size || row->extent == SIM_SQUARE || row_is_good(p, row)) continue;
    snprintf(key, sizeof key, "%s.%s", section, row->key);
    double value = row->extent == SIM_ONE ? sim_parameter_get(row, p) : 0;
    if (row->forms == SIM_FORM_SECTION)
      check_rows(check, key, row->parts);
    else if (row->forms & SIM_FORM_CHOICE)
      check_complain(check, key, "%g: there is no such choice", value);
    else if (row->extent != SIM_ONE)
      check_values(check, key, row, p->first, row->extent == SIM_AROUND ? p->d + 1 : p->count,
                   sim_parameter_array(row, p));
    else
      check_values(check, key, row, 0, 1, &value);
  }
}

/* Checks that all entries are finite. *scale: set to the largest absolute value. Returns whether they are. */
static bool check_entries(Check *check, const char *key, const double *a, double *scale) {
  int d = check->problem->d, before = check->mistakes;
  check_values(check, key, NULL, 0, (long)d * d, a);
  *scale = 0;
  for (long i = 0; i < (long)d * d; i++) *scale = fmax(*scale, fabs(a[i]));
  return check->mistakes == before;
}

bool check_matrix(Check *check, const char *key, const double *a, bool definite, double *smallest, double *largest) {
  int d = check->problem->d, before = check->mistakes;
  double scale;
  if (!check_entries(check, key, a, &scale)) return false;
  for (int i = 0; i < d; i++)
    for (int j = 0; j < i; j++)
      if (fabs(a[i * d + j] - a[j * d + i]) > 1e-12 * scale) {
        check_complain(check, key, "not symmetric: entry (%d,%d) is %g, entry (%d,%d) is %g", i + 1, j + 1,
                       a[i * d + j], j + 1, i + 1, a[j * d + i]);
        return false;
      }
  if (!check_found(check, key, "its eigenvalues", dense_eigenvalue_range(d, a, smallest, largest))) return false;
  double round_off = 4 * d * DBL_EPSILON * scale;
  if (definite && *smallest <= round_off)
    check_complain(check, key, "eigenvalues from %.3g to %.3g (expected positive definite, to working precision)",
                   *smallest, *largest);
  else if (!definite && *smallest < -round_off)
    check_complain(check, key, "smallest eigenvalue %.3g (expected positive semi-definite)", *smallest);
  return check->mistakes == before;
}

void check_dissipation(Check *check, const char *key, const double *a) {
  int d = check->problem->d;
  double scale, smallest, largest;
  if (!check_entries(check, key, a, &scale)) return;
  if (dense_is_symmetric(d, a)) {
    check_matrix(check, key, a, false, &smallest, &largest);
    return;
  }
  double *part = malloc((size_t)d * (size_t)d * sizeof *part);
  if (part) dense_symmetric_part(d, a, part);
  bool found = check_found(check, key, "its eigenvalues",
                           part ? dense_eigenvalue_range(d, part, &smallest, &largest) : SIM_NO_MEMORY);
  free(part);
  if (found && smallest < -4 * d * DBL_EPSILON * scale)
    check_complain(check, key,
                   "smallest eigenvalue %.3g of its symmetric part, so damping would drive (expected a positive "
                   "semi-definite one)",
                   smallest);
}

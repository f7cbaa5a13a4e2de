/* SPDX-License-Identifier: BSD-2-Clause */
/* Tests libraries that are loaded when they are first needed. Their functions and variables are found, and if one is
 * missing, the reason is reported. PETSc is such a library: creating and simulating a dense model does not load it. */
#define _GNU_SOURCE /* RTLD_NOLOAD */
#include "sim/base/library.h"
#include "sim/group.h"

#include "tests/fixture.h"

#include <dlfcn.h>
#include <math.h>
#include <string.h>

extern double no_function_at_all(double);

#define TWO(X)   X(cos) X(signgam)
#define WRONG(X) X(cos) X(no_function_at_all)
typedef struct Two {
  TWO(LIBRARY_MEMBER)
} Two;
typedef struct Wrong {
  WRONG(LIBRARY_MEMBER)
} Wrong;

static void functions_and_variables_are_reached(void **state) {
  (void)state;
#define LIBRARY_TABLE Two
  static const LibrarySymbol symbols[] = {TWO(LIBRARY_SYMBOL)};
#undef LIBRARY_TABLE
  static Two table;
  Library library = LIBRARY("libm.so.6", table, symbols);
  assert_null(library_load(&library, true)); /* this program is linked with the library */
  assert_true((*table.at_cos)(0) == 1);
  lgamma(-0.5);
  assert_int_equal(*table.at_signgam, -1);
}

static void what_is_not_there_is_said(void **state) {
  (void)state;
#define LIBRARY_TABLE Wrong
  static const LibrarySymbol symbols[] = {WRONG(LIBRARY_SYMBOL)};
#undef LIBRARY_TABLE
  static Wrong table;
  Library nothing = LIBRARY("libno_such_library.so.1", table, symbols);
  Library lacking = LIBRARY("libm.so.6", table, symbols);
  assert_string_equal(library_load(&nothing, true), "cannot be loaded: this process has not loaded it");
  const char *fault = library_load(&nothing, false);
  assert_ptr_equal(strstr(fault, "cannot be loaded: libno_such_library.so.1: "), fault);
  assert_non_null(strstr(library_load(&lacking, false), "no_function_at_all"));
}

static void dense_models_need_no_petsc(void **state) {
  (void)state;
  SimProblem p;
  SimWorkspace *work;
  const double control[3] = {12, -7, -9.5};
  double x[3], v[3];
  fixture_paper(&p, 1, "moreau", SIM_UNREGULARIZED, 1);
  SimModel *model = fixture_model(&p, fixture_tp1_force, &work);
  SimFinal final = {.x = x, .v = v};
  stiction_batch(model, work, 1, control, &final);
  assert_int_equal(final.status, SIM_OK);
  stiction_workspace_destroy(work);
  stiction_model_destroy(model);
  sim_problem_clear(&p);
  stiction_petsc_stop();
  assert_null(dlopen(SIM_PETSC_LIBRARY, RTLD_NOW | RTLD_NOLOAD));
  assert_int_equal(stiction_petsc_start(NULL), SIM_OK);
  assert_non_null(dlopen(SIM_PETSC_LIBRARY, RTLD_NOW | RTLD_NOLOAD));
  stiction_petsc_stop();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(functions_and_variables_are_reached),
                                     cmocka_unit_test(what_is_not_there_is_said),
                                     cmocka_unit_test(dense_models_need_no_petsc)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "control/certify.h"
#include "control/refine.h"
#include "control/base/clock.h"
#include "tests/control/sqp/case.h"

static int row(void *context, const CtlState *s, double seconds) {
  (void)context;
  if (getenv("VERBOSE")) printf("round %ld: ivps %ld proven %.9g boxes %ld J %.6g E %.2e %.2e  %.2fs\n", s->rounds, s->ivps, s->proven, s->boxes, s->J, s->E1, s->E2, seconds);
  return 0;
}

int main(int argc, char **argv) {
  Case c;
  const char *settings[4] = {"scheme={name: event, tolerance: 1e-12}"};
  int n = 1;
  for (int i = 3; i < argc && n < 4; i++) settings[n++] = argv[i];
  open_case(&c, argv[1], n, settings);
  CtlProblem *p = &c.problem.control;
  CtlSearch *search;
  p->method = ctl_method_find("auto");
  assert_int_equal(ctl_search_create(p, &search), SIM_OK);
  CtlListener none = {.simplex = row};
  CtlTimes times;
  ctl_drive_serial(search, &c.evaluator, &(CtlListener){.simplex = row}, &times);
  CtlState s;
  ctl_search_state(search, &s);
  printf("answer J %.10g E %.1e %.1e, %ld ivps %.3f s\n", s.J, s.E1, s.E2, s.ivps, times.wall);
  CtlProblem own = *p;
  own.method = CTL_METHOD_CERTIFY;
  own.certified = s.J;
  own.certify_gap = atof(argv[2]);
  own.max_seconds = 60;
  own.max_evaluations = own.max_simplexes = 0; own.stop_at = 0; own.restarts = 0;
  CtlBound *bound;
  assert_int_equal(ctl_bound_create(p, &c.problem.sim, s.J, &bound), SIM_OK);
  printf("errors x %.1e v %.1e\n", ctl_bound_errors(bound)[0], ctl_bound_errors(bound)[own.d]);
  own.certificate = bound;
  CtlSearch *proof;
  assert_int_equal(ctl_search_create(&own, &proof), SIM_OK);
  int code = ctl_drive_serial(proof, &c.evaluator, &none, &times);
  ctl_search_state(proof, &s);
  printf("%d %s: proven %.10g = %.6f J*, ivps %ld boxes %ld rounds %ld, %.3f s (ivps %.3f)\n", code, ctl_reason_text(s.reason), s.proven, s.proven / own.certified, s.ivps, s.boxes, s.rounds, times.wall, times.ivps);
  return 0;
}

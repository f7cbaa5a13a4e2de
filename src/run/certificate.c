#include "src/run/certificate.h"

#include "src/base/json_values.h"
#include "src/file/sections/saved_control.h"

void certificate_clear(Certificate *told) {
  ctl_refined_clear(&told->better);
  *told = (Certificate){0};
}

/* Telling ------------------------------------------------------------------------------------------------------ */

json_t *certificate_json(const Certificate *told, const SimProblem *sim) {
  const CtlRefined *better = &told->better;
  if (!told->sought) return NULL;
  if (told->reason) return json_pack("{s:s}", "reason", told->reason);
  if (told->under_way) return json_pack("{s:s}", "reason", "the proof has not ended yet");
  json_t *other = better->control
                      ? json_pack("{s:o, s:o, s:o, s:o}", "u", signal_values(sim, sim->segments, better->control), "J",
                                  json_finite(better->J), "E1", json_finite(better->E1), "E2", json_finite(better->E2))
                      : NULL;
  double gap = told->J > 0 ? 1 - told->lower_bound / told->J : 0;
  return json_pack("{s:b, s:o, s:o, s:o, s:I, s:I, s:I, s:o*}", "proven", told->whole, "J", json_finite(told->J),
                   "lower_bound", json_finite(told->lower_bound), "gap", json_finite(gap), "simulations",
                   (json_int_t)told->simulations, "boxes", (json_int_t)told->boxes, "unsolved",
                   (json_int_t)told->unsolved, "better", other);
}

void certificate_print(const Certificate *told) {
  if (!told->sought) return;
  if (told->reason) {
    printf("nothing is proven: %s\n", told->reason);
    return;
  }
  if (told->better.control) {
    printf("not the least effort: J = %.10g meets the target, too (outcome.certificate.better)\n", told->better.J);
    if (told->better.J < told->J) return; /* of which nothing is proven yet */
  }
  if (told->J == 0) {
    printf("no control costs less than J = 0\n");
    return;
  }
  long simulations = told->simulations, boxes = told->boxes;
  const char *why = told->late       ? "want of time"
                    : told->unsolved ? "motions that fail"
                                     : "controls that come too near to the target for search.accept";
  if (!told->whole) printf("not proven to the gap wanted, for %s: ", why);
  printf("no control with J < %.10g = %.6g J meets the target (%ld simulation%s, %ld box%s, %.2f s)\n",
         told->lower_bound, told->lower_bound / told->J, simulations, simulations == 1 ? "" : "s", boxes,
         boxes == 1 ? "" : "es", told->seconds);
  if (told->unsolved) printf("of %ld small boxes nothing is known: their motions fail\n", told->unsolved);
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/run/certificate.h"

#include "src/base/json_values.h"
#include "src/file/sections/saved_control.h"

void certificate_clear(Certificate *certificate) {
  ctl_refined_clear(&certificate->better);
  *certificate = (Certificate){0};
}

/* Printing the result of the proof --------------------------------------------------------------------------------- */

json_t *certificate_json(const Certificate *certificate, const SimProblem *sim) {
  const CtlRefined *better = &certificate->better;
  if (!certificate->sought) return NULL;
  if (certificate->reason) return json_pack("{s:s}", "reason", certificate->reason);
  if (certificate->under_way) return json_pack("{s:s}", "reason", "the proof has not ended yet");
  json_t *other = better->control
                      ? json_pack("{s:o, s:o, s:o, s:o}", "u", signal_values(sim, sim->segments, better->control), "J",
                                  json_finite(better->J), "E1", json_finite(better->E1), "E2", json_finite(better->E2))
                      : NULL;
  double gap = certificate->J > 0 ? 1 - certificate->lower_bound / certificate->J : 0;
  return json_pack("{s:b, s:o, s:o, s:o, s:I, s:I, s:I, s:o*}", "proven", certificate->whole, "J",
                   json_finite(certificate->J), "lower_bound", json_finite(certificate->lower_bound), "gap",
                   json_finite(gap), "simulations", (json_int_t)certificate->simulations, "boxes",
                   (json_int_t)certificate->boxes, "unsolved", (json_int_t)certificate->unsolved, "better", other);
}

void certificate_print(const Certificate *certificate) {
  if (!certificate->sought) return;
  if (certificate->reason) {
    printf("nothing is proven: %s\n", certificate->reason);
    return;
  }
  if (certificate->better.control) {
    printf("not the least effort: J = %.10g meets the target, too (outcome.certificate.better)\n",
           certificate->better.J);
    /* the proof concerns a control that is better than the one found, about which nothing is proven */
    if (certificate->better.J < certificate->J) return;
  }
  if (certificate->J == 0) {
    printf("no control costs less than J = 0\n");
    return;
  }
  long simulations = certificate->simulations, boxes = certificate->boxes;
  const char *why = certificate->late       ? "out of time"
                    : certificate->unsolved ? "motions fail"
                                            : "controls come too close to the target for search.accept";
  if (!certificate->whole) printf("not proven to the requested gap, %s: ", why);
  printf("no control with J < %.10g = %.6g J meets the target (%ld simulation%s, %ld box%s, %.2f s)\n",
         certificate->lower_bound, certificate->lower_bound / certificate->J, simulations, simulations == 1 ? "" : "s",
         boxes, boxes == 1 ? "" : "es", certificate->seconds);
  if (certificate->unsolved) printf("of %ld small boxes nothing is known: their motions fail\n", certificate->unsolved);
}

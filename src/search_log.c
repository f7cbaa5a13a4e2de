#include "src/search_log.h"

#include <unistd.h>

void search_log_header(FILE *file) { fputs("simplex,evaluations,best,J,E1,E2,edge,rho1,rho2,rho3,seconds\n", file); }

int search_log_row(FILE *file, const CtlState *s, double seconds) {
  fprintf(file, "%ld,%ld,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.6f\n", s->simplexes, s->evaluations, s->best,
          s->J, s->E1, s->E2, s->edge, s->rho[0], s->rho[1], s->rho[2], seconds);
  return fflush(file) || fsync(fileno(file)) || ferror(file) ? -1 : 0;
}

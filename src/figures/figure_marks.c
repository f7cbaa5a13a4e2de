/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes the marks of a panel: shaded areas beyond limits, times and points. */
#include "src/figures/figure.h"

#include <math.h>

static const char beyond[] = "#F6E3DA", line[] = "#888888";

/* Shades the area above or below a level, if the panel shows any of it. */
static void shade(FILE *script, int k, double level, bool above) {
  fprintf(script,
          "set object %d rectangle from graph 0, first %.17g to graph 1, graph %d behind fillcolor rgb '%s' "
          "fillstyle solid noborder\n",
          k, level, above, beyond);
}

void figure_write_marks(FILE *script, const Panel *panel, const char *const *colours, double low, double high) {
  if (panel->limited && panel->most < high) shade(script, 1, panel->most, true);
  if (panel->limited && panel->least > low) shade(script, 2, panel->least, false);
  for (int k = 0; k < panel->n_marks; k++) {
    const Mark *mark = &panel->marks[k];
    if (mark->kind == MARK_BAR)
      fprintf(script,
              "set arrow %d from first %.17g, first %.17g to first %.17g, first %.17g %s size screen 0.006, 90 front "
              "linewidth 1.8 linecolor rgb '%s'\n",
              k + 1, mark->x, fmax(mark->y, low), mark->x, fmin(mark->top, high),
              isinf(mark->y)     ? "head"
              : isinf(mark->top) ? "backhead"
                                 : "heads",
              colours[mark->colour]);
    else if (mark->kind == MARK_TIME)
      fprintf(script,
              "set arrow %d from first %.17g, graph 0 to first %.17g, graph 1 nohead back linewidth 0.8 dashtype 3 "
              "linecolor rgb '%s'\n",
              k + 1, mark->x, mark->x, line);
    else
      fprintf(script,
              "set label %d '' at first %.17g, first %.17g point pointtype %d pointsize 0.9 linewidth 1.4 linecolor "
              "rgb '%s' front\n",
              FIGURE_LABELS_FIRST + k, mark->x, mark->y, mark->kind == MARK_DISC ? 7 : 6, colours[mark->colour]);
  }
}

void figure_end_marks(FILE *script, const Panel *panel) {
  if (panel->limited) fputs("unset object\n", script);
  if (panel->n_marks) fputs("unset arrow\n", script);
  for (int k = 0; k < panel->n_marks; k++)
    if (panel->marks[k].kind == MARK_RING || panel->marks[k].kind == MARK_DISC)
      fprintf(script, "unset label %d\n", FIGURE_LABELS_FIRST + k);
}

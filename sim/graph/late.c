/* SPDX-License-Identifier: BSD-2-Clause */
#include "sim/graph/late.h"

#include <stdlib.h>

/* Lists the products for which the factors of an order are known late (tape.h). */
static void list_taken(GraphTape *tape) {
  for (int r = 0; r < tape->n_runs; r++)
    for (int i = tape->runs[r].first; i < tape->runs[r].end; i++)
      if (tape->links[i].m && (tape->runs[r].form != FORM_PRODUCT || r >= tape->late_run))
        tape->taken[tape->n_taken++] = tape->links[i].m;
}

bool graph_late_list(GraphTape *tape) {
  int *place = calloc((size_t)tape->rows, sizeof *place), late = tape->first + tape->late_step;
  tape->carried = calloc((size_t)(tape->n_steps - tape->late_step) + 1, sizeof *tape->carried);
  tape->output_carried = calloc((size_t)tape->n_outputs + 1, sizeof *tape->output_carried);
  tape->taken = calloc((size_t)tape->n_entries, sizeof *tape->taken);
  if (!place || !tape->carried || !tape->output_carried || !tape->taken) {
    free(place);
    return false;
  }
  for (int m = 0; m < tape->n_entries; m++) place[tape->x_row[m]] = place[tape->y_row[m]] = 1;
  for (int i = tape->late_step; i < tape->n_steps; i++)
    if (tape->links[i].m) place[tape->links[i].a] = 1;
  for (int i = 0; i < tape->n_outputs; i++) place[tape->output[i]] = 1;
  for (int row = 0; row < tape->rows; row++) {
    bool carried = place[row] && row >= late;
    place[row] = carried ? tape->n_carried : -1;
    if (carried) tape->carried[tape->n_carried++] = row;
  }
  for (int i = 0; i < tape->n_outputs; i++) tape->output_carried[i] = place[tape->output[i]];
  tape->carried_room = (tape->n_carried + GRAPH_COLUMNS - 1) / GRAPH_COLUMNS * GRAPH_COLUMNS;
  free(place);
  list_taken(tape);
  return true;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/figures/figure.h"

#include "src/figures/gnuplot.h"
#include "src/results/hdf5_read.h"
#include "src/results/run_results.h"

#include <math.h>
#include <stdlib.h>

enum { COLUMNS = 600 }; /* number of cells along the time axis; each is about one pixel on a screen */

typedef struct Grid {
  int rows;
  double *value; /* [rows][COLUMNS] values of the cells */
} Grid;

static double time_of(const Map *map, int column) { return map->end * (column + 0.5) / COLUMNS; }

/* Returns the reference value of a map: 0 if its colours are symmetric, otherwise the mean over the motion. A cell
 * shows the value in its time interval that differs most from the reference value. */
static double middle_of(const Map *map, int column) {
  double sum = 0;
  if (map->diverging) return 0;
  for (long k = 0; k < map->table->rows; k++) sum += table_at(map->table, k, column);
  return map->table->rows > 0 ? sum / (double)map->table->rows : 0;
}

/* Fills each cell with the value in its time interval that is farthest from the reference value. A mean would hide
 * oscillations, and a sample would miss short peaks. A cell without a time step in its interval repeats the cell before
 * it. Cells after the end of the trajectory stay blank; there are such cells if the run was stopped. */
static void fill_from_trajectory(const Map *map, Grid *grid) {
  const Table *table = map->table;
  for (int r = 0; r < grid->rows; r++) {
    double middle = middle_of(map, map->column + r), *cells = grid->value + (size_t)r * COLUMNS;
    int at = -1;
    for (int c = 0; c < COLUMNS; c++) cells[c] = NAN;
    for (long k = 0; k < table->rows; k++) {
      double value = table_at(table, k, map->column + r), before = k ? table_at(table, k - 1, map->column + r) : value;
      int c = (int)fmin(COLUMNS * table_at(table, k, map->time) / map->end, COLUMNS - 1);
      for (int gap = at + 1; gap < c; gap++) cells[gap] = before;
      if (c > at || fabs(value - middle) > fabs(cells[c] - middle)) cells[c] = value;
      if (c > at) at = c;
    }
    if (at >= 0 && time_of(map, at) > table_at(table, table->rows - 1, map->time)) cells[at] = NAN;
  }
}

static void paint(const Map *map, const Grid *grid, int row, double from, double to, double value) {
  if (row < 0 || row >= grid->rows) return;
  for (int c = 0; c < COLUMNS; c++)
    if (time_of(map, c) >= from && time_of(map, c) < to) grid->value[row * COLUMNS + c] = value;
}

static void fill_from_events(const Map *map, Grid *grid) {
  const Table *events = map->table;
  int of = table_find(events, "dof"), from = table_find(events, "from"), to = table_find(events, "to"),
      in = table_find(events, "state");
  for (long k = 0; k < (long)grid->rows * COLUMNS; k++) grid->value[k] = NAN;
  for (long k = 0; k < events->rows; k++)
    if (table_at(events, k, in) <= STATE_SLIP_ON)
      paint(map, grid, (int)table_at(events, k, of) - 1, table_at(events, k, from), table_at(events, k, to),
            table_at(events, k, in) - STATE_STICK);
}

/* Marks every cell that overlaps with a slip. Most slips are shorter than a cell. */
static void fill_from_slips(const Map *map, Grid *grid) {
  for (long k = 0; k < (long)grid->rows * COLUMNS; k++)
    grid->value[k] = time_of(map, (int)(k % COLUMNS)) <= map->until ? 0 : NAN;
  for (long k = 0; k < map->table->rows; k++) {
    double row = (table_at(map->table, k, SLIP_DOF) - 1) / map->stride, per_second = COLUMNS / map->end;
    int last = (int)fmin(table_at(map->table, k, SLIP_END) * per_second, COLUMNS - 1);
    for (int c = (int)fmin(table_at(map->table, k, SLIP_START) * per_second, COLUMNS - 1);
         row < grid->rows && c <= last; c++)
      grid->value[(int)row * COLUMNS + c] = table_at(map->table, k, SLIP_WAY) < 0 ? -1 : 1;
  }
}

#define VIRIDIS "set palette defined (0 '#440154', 1 '#3B528B', 2 '#21918C', 3 '#5DC863', 4 '#FDE725')\n"

/* Writes the colours: for symmetric maps Okabe and Ito's blue and vermillion with white between, for other maps
 * viridis. */
static void colours(FILE *script, const Map *map, const double *values, long n) {
  if (map->states) {
    fputs("set palette maxcolors 3\nset palette defined (-1 '#0072B2', 0 '#DDDDDD', 1 '#D55E00')\n"
          "set cbrange [-1.5:1.5]\nset cbtics ('slip -' -1, 'stick' 0, 'slip +' 1) scale 0\n",
          script);
    return;
  }
  double low = INFINITY, high = -INFINITY;
  for (long k = 0; k < n; k++) {
    low = fmin(low, values[k]);
    high = fmax(high, values[k]);
  }
  double centre = map->diverging ? 0 : (low + high) / 2, half = fmax(high - centre, centre - low);
  if (!(half > 0 && isfinite(half))) half = 1;
  if (!isfinite(centre)) centre = 0;
  fputs(map->diverging ? "set palette defined (-1 '#0072B2', 0 '#FFFFFF', 1 '#D55E00')\n" : VIRIDIS, script);
  fprintf(script, "set cbrange [%.9g:%.9g]\nset label 4 '%s' at graph 1.17, graph 1.05 right\n", centre - half,
          centre + half, map->label);
}

/* Writes the names of the rows, as many as fit, as tick labels in place of numbers. */
static void write_names(FILE *script, const Map *map) {
  /* maximum number of names on an axis, and of characters of a name */
  enum { NAMES_MAX = 24, NAME_ROOM = 10 };
  int step = (map->rows + NAMES_MAX - 1) / NAMES_MAX;
  fputs("set ylabel ''\nset ytics (", script);
  for (int r = 0; r < map->rows; r += step) {
    if (r) fputs(", ", script);
    gnuplot_text(script, map->labels->names[r], NAME_ROOM);
    fprintf(script, " %d", r + 1);
  }
  fputs(")\n", script);
}

void figure_ticks(FILE *script, char axis, int n, const char *const *texts, int fit, size_t room) {
  int step = (n + fit - 1) / fit;
  fprintf(script, "set %ctics (", axis);
  for (int k = 0; k < n; k += step) {
    if (k) fputs(", ", script);
    char short_number[32], *end;
    snprintf(short_number, sizeof short_number, "%.4g", strtod(texts[k], &end));
    gnuplot_text(script, *texts[k] && !*end ? short_number : texts[k], room);
    fprintf(script, " %d", k);
  }
  fputs(")\n", script);
}

/* Writes the data of a map without time. */
static void write_cells(FILE *script, const Map *map) {
  /* TICKS_MAX: maximum number of ticks of an axis. TICK_ROOM, WORD_ROOM: maximum number of characters of a tick label
   * on the x axis and on the y axis. */
  enum { TICKS_MAX = 8, TICK_ROOM = 10, WORD_ROOM = 18 };
  colours(script, map, map->cells, (long)map->rows * map->columns);
  fputs("$map << EOD\n", script);
  for (int r = 0; r < map->rows; r++)
    for (int c = 0; c < map->columns; c++)
      fprintf(script, "%.9g%c", map->cells[r * map->columns + c], c < map->columns - 1 ? ' ' : '\n');
  fprintf(script,
          "EOD\nset xrange [-0.5:%d.5]\nset yrange [-0.5:%d.5]\nunset key\n"
          "set label 2 '%s' at screen 0.025, graph 0.5 center rotate by 90\n",
          map->columns - 1, map->rows - 1, map->axis);
  figure_ticks(script, 'x', map->columns, map->x_names, TICKS_MAX, TICK_ROOM);
  figure_ticks(script, 'y', map->rows, map->y_names, TICKS_MAX, WORD_ROOM);
  fputs("plot $map matrix using 1:2:3 with image notitle\n", script);
}

int figure_map_script(FILE *script, const Map *map, Diagnostics *diagnostics) {
  if (map->cells) {
    write_cells(script, map);
    return 0;
  }
  Grid grid = {.rows = map->rows};
  grid.value = malloc((size_t)grid.rows * COLUMNS * sizeof *grid.value);
  if (!grid.value) return diagnostics_no_memory(diagnostics);
  (map->stride ? fill_from_slips : map->states ? fill_from_events : fill_from_trajectory)(map, &grid);
  colours(script, map, grid.value, (long)grid.rows * COLUMNS);
  /* the x and y of each cell are written, too, as gnuplot takes five times as long to compute them by expressions */
  fprintf(script, "$map << EOD\n%d", COLUMNS);
  for (int c = 0; c < COLUMNS; c++) fprintf(script, " %.9g", time_of(map, c));
  for (int r = 0; r < grid.rows; r++) {
    fprintf(script, "\n%.9g", map->first + map->step * r);
    for (int c = 0; c < COLUMNS; c++) fprintf(script, " %.9g", grid.value[r * COLUMNS + c]);
  }
  fprintf(script, "\nEOD\nset xrange [0:%.9g]\nset yrange [%.9g:%.9g]\nset ylabel '%s'\nunset key\n", map->end,
          map->first - map->step / 2, map->first + (map->rows - 0.5) * map->step, map->axis);
  if (map->labels) write_names(script, map);
  fputs("plot $map nonuniform matrix using 1:2:3 with image notitle\n", script);
  free(grid.value);
  return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/figures/figure.h"

#include "src/figures/gnuplot.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Lengths in the SVG picture, pixels. */
enum {
  WIDTH = 660,
  TITLE = 30, /* height of the title above the panels */
  KEY = 24,   /* height of one row of the key, which explains the curves */
  AXIS = 58,  /* height of the x axis with its label */
  LEFT = 92,
  LEFT_WORDS = 190,
  RIGHT = 24,
  COLOUR_BOX = 130, /* width kept free on the right of a map for its colour scale, or for keys */
  GAP = 14,         /* gap between panels */
  LETTER = 8,       /* mean width of a character */
  SLANT = 40,       /* additional height for slanted words */
  TITLE_ROOM = 70   /* maximum length of the title, in bytes */
};
enum {
  WORDS_MAX = 24,
  WORD_ROOM = 20,
  WORDS_LENGTH = 60
}; /* limits for words as tick labels: number of words along an axis, characters of one word, characters of all words
    * together */

/* Okabe and Ito's palette, the most distinct colours first. Its yellow is omitted, as it is too pale on white. */
static const char *const colours[FIGURE_CURVES_MAX] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                       "#E69F00", "#56B4E9", "#000000"};

static const char *colour(const Curve *curve) { return curve->thin ? "#000000" : colours[curve->colour]; }

typedef struct Range {
  double low, high;
} Range;

static void widen(Range *range, double value) {
  if (!isfinite(value)) return;
  range->low = fmin(range->low, value);
  range->high = fmax(range->high, value);
}

/* Returns the range, extended to powers of ten if it contains fewer than two of them, since ticks are at powers of
 * ten. */
static Range decades_about(double low, double high) {
  if (floor(log10(high)) > ceil(log10(low))) return (Range){low, high};
  return (Range){pow(10, floor(log10(low))), pow(10, ceil(log10(high)))};
}

static Range y_range(const Panel *panel) {
  Range range = {INFINITY, -INFINITY};
  if (panel->low < panel->high) return (Range){panel->low, panel->high};
  for (int k = 0; k < panel->n_curves; k++)
    for (long row = 0; row < panel->curves[k].table->rows; row++) {
      double y = curve_y(&panel->curves[k], row);
      if (!panel->logarithmic || y > 0) widen(&range, y);
    }
  /* a limit beyond this value is not shown, as the axis would then flatten the curves */
  double reach = 3 * fmax(fabs(range.low), fabs(range.high));
  for (int k = 0; k < panel->n_limits; k++)
    if (fabs(panel->limits[k].value) <= reach) widen(&range, panel->limits[k].value);
  if (!(range.low <= range.high)) range = panel->logarithmic ? (Range){1, 1} : (Range){0, 0};
  if (panel->logarithmic) return decades_about(range.low / 2, range.high * 2);
  double pad = 0.06 * (range.high - range.low);
  if (!(pad > 1e-14 * fabs(range.high))) pad = range.high != 0 ? 0.1 * fabs(range.high) : 1;
  return (Range){range.low - pad, range.high + pad};
}

static Range x_range(const Figure *figure) {
  Range range = {INFINITY, -INFINITY};
  if (figure->n_words) return (Range){-0.5, figure->n_words - 0.5};
  for (int p = 0; p < figure->n_panels; p++)
    for (int k = 0; k < figure->panels[p].n_curves; k++) {
      const Curve *curve = &figure->panels[p].curves[k];
      for (long row = 0; row < curve->table->rows; row++) widen(&range, table_at(curve->table, row, curve->x));
    }
  if (!(range.low <= range.high)) range = (Range){0, 0};
  if (figure->logarithmic) return (Range){range.low / 1.3, range.high * 1.3};
  double pad = figure->path ? 0.04 * (range.high - range.low) : 0;
  if (!(range.high - range.low > 1e-14 * fabs(range.high))) pad = range.high != 0 ? 0.1 * fabs(range.high) : 1;
  return (Range){range.low - pad, range.high + pad};
}

/* Writes each time interval of a band as a rectangle with its left, right, lower and upper end. Returns whether there
 * is one. */
static bool write_band(FILE *script, const Band *band, int k, Range y) {
  const Table *events = band->events;
  int of = table_find(events, "dof"), from = table_find(events, "from"), to = table_find(events, "to"),
      in = table_find(events, "state");
  double bottom = y.low + band->bottom * (y.high - y.low), top = y.low + band->top * (y.high - y.low);
  bool any = false;
  for (long row = 0; row < events->rows; row++) {
    if (table_at(events, row, of) != band->dof || table_at(events, row, in) != band->state) continue;
    if (!any) fprintf(script, "$band%d << EOD\n", k);
    fprintf(script, "%.17g %.17g %.17g %.17g\n", table_at(events, row, from), table_at(events, row, to), bottom, top);
    any = true;
  }
  if (any) fputs("EOD\n", script);
  return any;
}

/* Returns the height of a panel, pixels. */
static int panel_height(const Figure *figure) {
  if (figure->map.rows > 0 || figure->path) return 400;
  return figure->n_panels == 1 ? 320 : figure->n_panels == 2 ? 190 : figure->n_panels == 3 ? 150 : 120;
}

void figure_explain(Figure *figure, const char *format, ...) {
  size_t length = strlen(figure->caption);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(figure->caption + length, sizeof figure->caption - length, format, arguments);
  va_end(arguments);
}

size_t figure_label_room(const Figure *figure) { return (size_t)(panel_height(figure) + GAP) / LETTER; }

/* Returns the distance of ticks: 1, 2 or 5 times a power of ten, such that the range has at least two ticks and at most
 * n. */
static double tick_step(Range range, int n) {
  double length = range.high - range.low, power = pow(10, floor(log10(length / n)));
  double steps[] = {0.5, 1, 2, 5, 10};
  int k = 1;
  while (k < 4 && length > n * steps[k] * power) k++;
  while (k > 0 && floor(range.high / (steps[k] * power)) <= ceil(range.low / (steps[k] * power))) k--;
  return steps[k] * power;
}

static void write_y_axis(FILE *script, const Figure *figure, const Panel *panel, Range y) {
  int ticks = panel_height(figure) / 36;
  fprintf(script, "set yrange [%.17g:%.17g]\n", y.low, y.high);
  if (panel->logarithmic) {
    double first = ceil(log10(y.low)), decades = fmax(0, floor(log10(y.high)) - first);
    double apart = fmax(1, ceil(decades / ticks)); /* minor ticks between ticks that are decades apart would mislead */
    fprintf(script, "set logscale y\nset format y '%%.0e'\nset ytics %.9g,%.9g\n%s\n", pow(10, first), pow(10, apart),
            apart > 1 ? "unset mytics" : "set mytics default");
  } else
    fprintf(script, "unset logscale y\nset format y '%%g'\nset ytics %.9g\n", tick_step(y, ticks));
  /* the label is placed by hand, since gnuplot would move it out of the picture if the tick labels are long */
  fprintf(script, "set label 2 '%s' at screen %.9g, graph 0.5 center rotate by 90\n", panel->label, 16.0 / WIDTH);
}

/* Returns the total variation of a curve, a measure of how much it oscillates. Curves with points get infinity, thin
 * ones -1, so that they are drawn first and last. */
static double variation(const Curve *curve) {
  double sum = 0;
  if (curve->thin) return -1;
  if (curve->points) return INFINITY;
  for (long row = 1; row < curve->table->rows; row++) {
    double change = fabs(curve_y(curve, row) - curve_y(curve, row - 1));
    if (isfinite(change)) sum += change;
  }
  return sum;
}

/* Sorts curves so that the most oscillating ones are drawn first, below the others. */
static void sort_curves(const Panel *panel, int *order) {
  for (int k = 0; k < panel->n_curves; k++) {
    int at = k;
    for (; at > 0 && variation(&panel->curves[order[at - 1]]) < variation(&panel->curves[k]); at--)
      order[at] = order[at - 1];
    order[at] = k;
  }
}

#define POINTS "points pointtype 7 pointsize"

/* Dashes of thin curves; the curves below are visible in the gaps. */
#define DASHES " dashtype (8,24)"

static const char *curve_style(const Figure *figure, const Curve *curve) {
  if (figure->n_words) return POINTS " 0.9";
  if (curve->points) return POINTS " 0.25"; /* a curve through the points stays visible */
  if (figure->scatter) return POINTS " 0.4";
  if (curve->steps) return "steps";
  return curve->thin                                 ? "lines"
         : !figure->path && curve->table->rows <= 60 ? "linespoints pointtype 7 pointsize 0.4"
                                                     : "lines";
}

static void write_plot(FILE *script, const Figure *figure, const Panel *panel, const bool *bands) {
  int order[FIGURE_CURVES_MAX + FIGURE_THIN_MAX];
  const char *comma = "";
  sort_curves(panel, order);
  fputs("plot ", script);
  for (int k = 0; k < panel->n_bands; k++) {
    if (!bands[k]) continue;
    fprintf(script,
            "%s$band%d using (($1+$2)/2):(($3+$4)/2):1:2:3:4 with boxxyerror fillstyle solid noborder "
            "fillcolor '%s' notitle",
            comma, k, panel->bands[k].colour);
    comma = ", ";
  }
  for (int k = 0; k < panel->n_curves; k++) {
    const Curve *curve = &panel->curves[k];
    if (!curve->label) continue;
    fprintf(script, "%skeyentry with lines%s linewidth %d linecolor '%s' title ", comma, curve->thin ? DASHES : "",
            curve->thin ? 1 : 3, colour(curve));
    gnuplot_text(script, curve->label, TITLE_ROOM / 2);
    comma = ", ";
  }
  for (int k = 0; k < panel->n_curves; k++) {
    const Curve *curve = &panel->curves[order[k]];
    /* the first of compared curves is wider than the others, so that it is visible where they coincide */
    double width = curve->thin ? 1 : figure->compared && panel->n_curves > 1 ? (k ? 1.2 : 2.4) : 1.6;
    fprintf(script, "%s$curve%d using 1:2 with %s%s linewidth %g linecolor '%s' notitle", comma, order[k],
            curve_style(figure, curve), curve->thin ? DASHES : "", figure->scatter ? 1 : width, colour(curve));
    comma = ", ";
  }
  for (int k = 0; k < panel->n_limits; k++)
    fprintf(script, ", %.17g with lines dashtype 2 linewidth 1 linecolor '%s' notitle", panel->limits[k].value,
            panel->limits[k].colour < 0 ? "#444444" : colours[panel->limits[k].colour]);
  fputc('\n', script);
}

static void write_place(FILE *script, const Panel *panel) {
  fputs("unset label 4\n", script);
  if (*panel->place) fprintf(script, "set label 4 '%s' at graph 0.985, graph 0.87 right front boxed\n", panel->place);
}

static void write_panel(FILE *script, const Figure *figure, const Panel *panel) {
  Range y = y_range(panel);
  bool bands[FIGURE_BANDS_MAX];
  for (int k = 0; k < panel->n_bands; k++) bands[k] = write_band(script, &panel->bands[k], k, y);
  for (int k = 0; k < panel->n_curves; k++) figure_write_curve(script, figure, panel, k);
  write_y_axis(script, figure, panel, y);
  write_place(script, panel);
  figure_write_marks(script, panel, colours, y.low, y.high);
  write_plot(script, figure, panel, bands);
  figure_end_marks(script, panel);
}

/* Returns whether the figure has a single key (legend) above the first panel, which is valid for all panels. */
static bool has_key(const Figure *figure) {
  return figure->n_panels > 0 && figure->panels[0].n_curves > 1 && !figure->own_keys;
}

/* Returns the height of the key. gnuplot starts a second row of the key if the names are long; it estimates their
 * width, as an SVG has no fonts of its own. */
static int key_height(const Figure *figure) {
  size_t letters = 0;
  for (int k = 0; has_key(figure) && k < figure->panels[0].n_curves; k++)
    if (figure->panels[0].curves[k].label) letters += 6 + strlen(figure->panels[0].curves[k].label);
  return letters == 0 ? 0 : letters < 36 ? KEY : 2 * KEY;
}

/* Returns whether the words along the x axis are slanted because they are too long to fit side by side. */
static bool are_aslant(const Figure *figure) {
  size_t longest = 0;
  for (int k = 0; k < figure->n_words; k++)
    longest = strlen(figure->words[k]) > longest ? strlen(figure->words[k]) : longest;
  return (longest < WORD_ROOM ? longest : WORD_ROOM) * (size_t)figure->n_words > WORDS_LENGTH;
}

static int axis_height(const Figure *figure) { return are_aslant(figure) ? AXIS + SLANT : AXIS; }

/* Returns the height above the panels, which holds the title and the key, or the title of the colour bar of a map. */
static int head(const Figure *figure, const char *title) {
  return (title ? TITLE : 8) + (*figure->map.label ? KEY : key_height(figure)) + 8;
}

static int panels(const Figure *figure) { return figure->map.rows > 0 ? 1 : figure->n_panels; }

static int height(const Figure *figure, const char *title) {
  return head(figure, title) + panels(figure) * (panel_height(figure) + GAP) - GAP + axis_height(figure);
}

static void write_words(FILE *script, const Figure *figure, bool lowest) {
  if (lowest)
    figure_ticks(script, 'x', figure->n_words, figure->words, WORDS_MAX, WORD_ROOM);
  else
    fputs("set xtics 0,1\n", script);
  if (are_aslant(figure)) fputs("set xtics rotate by 30 right\n", script);
}

/* Returns the width to the left of the panels, pixels. A map with long words along its y axis needs more of it. */
static int left(const Figure *figure) {
  for (int k = 0; figure->map.y_names && k < figure->map.rows; k++)
    if (strlen(figure->map.y_names[k]) > FIGURE_SHORT) return LEFT_WORDS;
  return LEFT;
}

static void write_frame(FILE *script, const Figure *figure, const char *title, int p) {
  double total = height(figure, title), top = head(figure, title) + p * (panel_height(figure) + GAP);
  bool lowest = p == panels(figure) - 1;
  if (figure->n_words) write_words(script, figure, lowest);
  fprintf(script, "set lmargin at screen %.9g\nset rmargin at screen %.9g\n", (double)left(figure) / WIDTH,
          1 - (double)(figure->map.rows > 0 || figure->own_keys ? COLOUR_BOX : RIGHT) / WIDTH);
  fprintf(script, "set tmargin at screen %.9g\nset bmargin at screen %.9g\n", 1 - top / total,
          1 - (top + panel_height(figure)) / total);
  if (lowest)
    fprintf(script, "set format x '%%g'\nset label 3 '%s%s%s%s' at graph 0.5, screen %.9g center\n", figure->x_label,
            figure->x_unit ? " (" : "", figure->x_unit ? figure->x_unit : "", figure->x_unit ? ")" : "", 16 / total);
  else
    fputs("set format x ''\n", script);
  if (p == 0 && has_key(figure))
    fprintf(script, "set key at screen 0.5, screen %.9g center top horizontal reverse Left samplen 1.5 maxrows 1\n",
            1 - (title ? TITLE : 8) / total);
  else if (figure->own_keys)
    fputs("set key at graph 1.02, graph 1 left top vertical reverse Left samplen 1 spacing 0.9\n", script);
  else
    fputs("unset key\n", script);
}

static void write_head(FILE *script, const Figure *figure, const char *title, FigureFormat format) {
  int tall = height(figure, title);
  if (format == FIGURE_SVG)
    fprintf(script, "set terminal svg name '%s' size %d,%d noenhanced font 'sans-serif,15' background '#FFFFFF'\n",
            figure->name, WIDTH, tall);
  else
    fprintf(script, "set terminal pngcairo size %d,%d noenhanced font 'sans,11' fontscale 1.5 linewidth 1.5\n",
            WIDTH * 3 / 2, tall * 3 / 2);
  fputs("set encoding utf8\nset border 3 linewidth 0.8 linecolor '#444444'\nset tics nomirror\n"
        "set grid linetype 1 linewidth 0.5 linecolor '#DDDDDD'\n"
        "set style textbox opaque noborder fillcolor '#FFFFFF'\nset multiplot\n",
        script);
  if (!title) return;
  fputs("set label 1 ", script);
  gnuplot_text(script, figure->heading, TITLE_ROOM);
  if (*title) {
    fputs(".': '.", script);
    gnuplot_text(script, title, TITLE_ROOM);
  }
  fprintf(script, " at screen %.9g, screen %.9g left\n", 12.0 / WIDTH, 1 - TITLE / 2.0 / tall);
}

static int write_script(FILE *script, const Figure *figure, const char *title, FigureFormat format,
                        Diagnostics *diagnostics) {
  write_head(script, figure, title, format);
  if (figure->map.rows > 0) {
    write_frame(script, figure, title, 0);
    return figure_map_script(script, &figure->map, diagnostics);
  }
  Range x = x_range(figure);
  fprintf(script, "set xrange [%.17g:%.17g]\n%s", x.low, x.high, figure->logarithmic ? "set logscale x\n" : "");
  for (int p = 0; p < figure->n_panels; p++) {
    write_frame(script, figure, title, p);
    write_panel(script, figure, &figure->panels[p]);
    fputs("unset label 1\n", script);
  }
  return 0;
}

/* Makes viewers draw the cells of a map with sharp edges. Their default is to interpolate between the cells. Returns
 * false if there is no memory. */
static bool sharpen(char **picture, size_t *size) {
  static const char image[] = "<image ", style[] = "style='image-rendering:pixelated' ";
  const char *found = strstr(*picture, image);
  if (!found) return true;
  size_t at = (size_t)(found - *picture) + strlen(image);
  char *longer = realloc(*picture, *size + sizeof style);
  if (!longer) return false;
  memmove(longer + at + strlen(style), longer + at, *size + 1 - at);
  memcpy(longer + at, style, strlen(style));
  *picture = longer;
  *size += strlen(style);
  return true;
}

int figure_draw(const Figure *figure, const char *title, FigureFormat format, char **picture, size_t *size,
                Diagnostics *diagnostics) {
  FILE *script = tmpfile();
  if (!script)
    return diagnostics_error(diagnostics, EXIT_INTERNAL, "no temporary file for gnuplot: %s", strerror(errno));
  int code = write_script(script, figure, title, format, diagnostics);
  if (!code)
    code = gnuplot_run(script,
                       format == FIGURE_SVG ? "</svg>\n\n"
                                            : "IEND\xae"
                                              "B`\x82",
                       picture, size, diagnostics);
  fclose(script);
  if (code || format != FIGURE_SVG || !figure->map.cells || sharpen(picture, size)) return code;
  free(*picture);
  return diagnostics_no_memory(diagnostics);
}

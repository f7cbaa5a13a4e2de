/* SPDX-License-Identifier: BSD-2-Clause */
/* Draws a mechanism, i.e. its spots and lines (src/file/model/mechanism.h), at several rows of the trajectory. */
#include "src/figures/report_mechanism.h"

#include "src/figures/html.h"
#include "src/file/model/mechanism.h"
#include "src/file/sections/file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* STILLS: number of times at which the still picture shows the mechanism. FRAMES: maximum number of times that the
 * moving picture shows. The others are lengths in px. */
enum { STILLS = 8, FRAMES = 120, WIDTH = 520, HEIGHT = 440, MARGIN = 24 };

/* BAR: largest length of the scale bar, in px. FOOT: height of the part of the picture that contains it, in px. */
enum { BAR = 100, FOOT = 28 };

/* Spots on the page, px. */
typedef struct Drawing {
  const Mechanism *mechanism;
  const Table *trajectory;
  int frames;    /* number of frames */
  double *x, *y; /* [frames][n_spots], x to the right, y downward; in one block */
  double width, height;
  double scale;   /* px per m */
  double seconds; /* duration of the motion, s */
} Drawing;

/* Reads the section model of the run from summary.json again. The section time has no influence on the drawing. Returns
 * false on failure. */
static bool read_again(const RunResults *run, Problem *problem) {
  const ModelRanks alone = {0};
  json_t *model = run_results_member(run, "problem.model");
  json_t *whole = model ? json_pack("{s:O, s:{s:f, s:f}}", "model", model, "time", "end", 1.0, "step", 1.0) : NULL;
  char *text = whole ? json_dumps(whole, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
  bool read = text && problem_text_read("the problem", text, strlen(text), NULL, 0, &alone, NULL, problem) == 0;
  free(text);
  json_decref(whole);
  return read;
}

/* Projects a point at [n] with one to three coordinates onto the page. Sets *across and *up, in m. */
static void project(int n, const double *at, double *across, double *up) {
  /* An oblique view: lengths along the second of three axes are drawn with these factors to the right and upward. */
  static const double DEPTH_ACROSS = 0.35, DEPTH_UP = 0.2;
  *across = at[0] + (n > 2 ? DEPTH_ACROSS * at[1] : 0);
  *up = n > 2 ? at[2] + DEPTH_UP * at[1] : n > 1 ? at[1] : 0;
}

/* Evaluates the spots at equally spaced rows. Returns false if there is no memory, or a place is not finite. */
static bool find_places(Drawing *drawing) {
  const Mechanism *mechanism = drawing->mechanism;
  const Table *table = drawing->trajectory;
  int first = table_find(table, "x1"), t = table_find(table, "t"), d = mechanism->sim->d, n = mechanism->n_spots;
  MechanismPlaces *places = mechanism_spots_create(mechanism);
  double *x = calloc((size_t)d, sizeof *x);
  bool good = places && x;
  for (int f = 0; f < drawing->frames && good; f++) {
    long row = (long)llround((double)f * (double)(table->rows - 1) / (drawing->frames - 1));
    for (int i = 0; i < d; i++) x[i] = table_at(table, row, first + i);
    const double *at = mechanism_places(places, table_at(table, row, t), x);
    for (int k = 0; k < n; at += mechanism->spots[k++].n) {
      project(mechanism->spots[k].n, at, &drawing->x[f * n + k], &drawing->y[f * n + k]);
      good = good && isfinite(drawing->x[f * n + k]) && isfinite(drawing->y[f * n + k]);
    }
  }
  drawing->seconds = table_at(table, table->rows - 1, t) - table_at(table, 0, t);
  mechanism_places_destroy(places);
  free(x);
  return good;
}

/* Scales the points to the page, by the same factor in both directions. */
static void fit(Drawing *drawing) {
  int count = drawing->frames * drawing->mechanism->n_spots;
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  double *const each[2] = {drawing->x, drawing->y};
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < count; i++) {
      low[k] = fmin(low[k], each[k][i]);
      high[k] = fmax(high[k], each[k][i]);
    }
  double across = high[0] - low[0], up = high[1] - low[1];
  double scale = fmin((WIDTH - 2 * MARGIN) / across, (HEIGHT - 2 * MARGIN) / up);
  if (!isfinite(scale)) scale = 1;
  drawing->scale = scale;
  drawing->width = fmax(across * scale, BAR) + 2 * MARGIN;
  drawing->height = up * scale + 2 * MARGIN + FOOT;
  for (int i = 0; i < count; i++) {
    drawing->x[i] = MARGIN + (drawing->x[i] - low[0]) * scale;
    drawing->y[i] = MARGIN + (high[1] - drawing->y[i]) * scale;
  }
}

/* Writes an SVG animation of an attribute through all frames. values: [frames][n], where n is the number of spots; the
 * attribute of spot k in frame f is values[f n + k]. */
static void animate(FILE *page, const Drawing *drawing, const char *attribute, const double *values, int k) {
  fprintf(page, "<animate attributeName=\"%s\" dur=\"%.3gs\" repeatCount=\"indefinite\" values=\"", attribute,
          fmax(drawing->seconds, 1e-3));
  for (int f = 0; f < drawing->frames; f++)
    fprintf(page, "%s%.1f", f ? ";" : "", values[f * drawing->mechanism->n_spots + k]);
  fputs("\"/>", page);
}

/* Writes all lines and spots of a frame. moves: whether they are animated, starting from this frame. */
static void write_frame(FILE *page, const Drawing *drawing, int frame, bool moves) {
  const Mechanism *mechanism = drawing->mechanism;
  int n = mechanism->n_spots;
  const double *x = drawing->x + frame * n, *y = drawing->y + frame * n;
  for (int k = 0; k < mechanism->n_lines; k++) {
    int from = mechanism->lines[k][0], to = mechanism->lines[k][1];
    fprintf(page, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\">", x[from], y[from], x[to], y[to]);
    if (moves) {
      animate(page, drawing, "x1", drawing->x, from);
      animate(page, drawing, "y1", drawing->y, from);
      animate(page, drawing, "x2", drawing->x, to);
      animate(page, drawing, "y2", drawing->y, to);
    }
    fputs("</line>", page);
  }
  for (int k = 0; k < n; k++) {
    fprintf(page, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%s\">", x[k], y[k], moves ? "4" : "2");
    if (moves) animate(page, drawing, "cx", drawing->x, k);
    if (moves) animate(page, drawing, "cy", drawing->y, k);
    if (*mechanism->spots[k].name) {
      fputs("<title>", page);
      html_text(page, mechanism->spots[k].name);
      fputs("</title>", page);
    }
    fputs("</circle>\n", page);
  }
}

/* Writes the path of each spot that has a name. */
static void write_paths(FILE *page, const Drawing *drawing) {
  const Mechanism *mechanism = drawing->mechanism;
  for (int k = 0; k < mechanism->n_spots; k++) {
    if (!*mechanism->spots[k].name) continue;
    fputs("<polyline points=\"", page);
    for (int f = 0; f < drawing->frames; f++)
      fprintf(page, "%.1f,%.1f ", drawing->x[f * mechanism->n_spots + k], drawing->y[f * mechanism->n_spots + k]);
    fputs("\"/>\n", page);
  }
}

/* Writes a bar of 1, 2 or 5 times a power of ten metres, and its length. */
static void write_scale(FILE *page, const Drawing *drawing) {
  double most = BAR / drawing->scale, power = pow(10, floor(log10(most)));
  double length = power * (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1), y = drawing->height - FOOT / 2.;
  fprintf(page,
          "<path d=\"M%d %.1fv6h%.1fv-6\" fill=\"none\" stroke=\"currentColor\"/>"
          "<text x=\"%d\" y=\"%.1f\" font-size=\"13\" fill=\"currentColor\">%g m</text>\n",
          MARGIN, y, length * drawing->scale, MARGIN, y - 4, length);
}

static void write_drawing(FILE *page, const Drawing *drawing) {
  fprintf(
      page,
      "<figure id=\"mechanism\"><figcaption><h3>The mechanism</h3><p>At %d instants in equal steps, the last of "
      "them darkest; paths of points with a name, dotted; in colour: as it moves, in its own time.</p></figcaption>\n"
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %.0f\" width=\"%.0f\" height=\"%.0f\" "
      "role=\"img\" aria-label=\"The mechanism as it moves\">\n"
      "<style>@media(prefers-reduced-motion:reduce){.moving{display:none}}</style>\n"
      "<g fill=\"none\" stroke=\"currentColor\" stroke-width=\"1\" stroke-dasharray=\"1 3\" opacity=\".6\">\n",
      STILLS, drawing->width, drawing->height, drawing->width, drawing->height);
  write_paths(page, drawing);
  fputs("</g>\n", page);
  for (int k = 0; k < STILLS; k++) {
    int frame = k * (drawing->frames - 1) / (STILLS - 1);
    fprintf(page, "<g fill=\"currentColor\" stroke=\"currentColor\" stroke-width=\"2\" opacity=\"%.2f\">\n",
            0.15 + 0.5 * k / (STILLS - 1));
    write_frame(page, drawing, frame, false);
    fputs("</g>\n", page);
  }
  fputs("<g class=\"moving\" fill=\"#d1570a\" stroke=\"#d1570a\" stroke-width=\"4\" stroke-linecap=\"round\">\n", page);
  write_frame(page, drawing, 0, true);
  fputs("</g>\n", page);
  write_scale(page, drawing);
  fputs("</svg></figure>\n", page);
}

void report_mechanism(FILE *page, const RunResults *run) {
  const Table *trajectory = &run->trajectory;
  Problem problem = {0};
  if (strcmp(run->kind, "mechanism") != 0 || trajectory->rows < 2 || !read_again(run, &problem)) return;
  Drawing drawing = {.mechanism = problem.mechanism, .trajectory = trajectory};
  size_t spots = (size_t)problem.mechanism->n_spots;
  drawing.frames = trajectory->rows < FRAMES ? (int)trajectory->rows : FRAMES;
  drawing.x = spots ? calloc(2 * spots * (size_t)drawing.frames, sizeof *drawing.x) : NULL;
  if (drawing.x) drawing.y = drawing.x + spots * (size_t)drawing.frames;
  if (drawing.x && find_places(&drawing)) {
    fit(&drawing);
    write_drawing(page, &drawing);
  }
  free(drawing.x);
  problem_clear(&problem);
}

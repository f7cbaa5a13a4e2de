/* SPDX-License-Identifier: BSD-2-Clause */
/* Describes a figure. It consists of panels with curves, one above the other, or is a map, which shows a colour for
 * each time and degree of freedom. The description depends neither on the source of the data nor on the program that
 * draws it. It owns nothing. */
#ifndef SRC_FIGURE_H
#define SRC_FIGURE_H

#include "src/base/labels.h"
#include "src/base/result_files.h"
#include "src/results/table.h"

#include <stdbool.h>
#include <stdio.h>

enum {
  FIGURE_CURVES_MAX = 7, /* maximum number of curves in a panel: number of colours on white that colour-blind readers
                          * can distinguish */
  FIGURE_THIN_MAX = 7,   /* maximum number of thin curves in a panel, in addition */
  FIGURE_PANELS_MAX = 12,
  FIGURE_LIMITS_MAX = 4 * FIGURE_CURVES_MAX, /* maximum number of limits in a panel: for each curve the stops and the
                                              * limits of the problem, both on two sides */
  FIGURE_BANDS_MAX = 2,
  FIGURE_MARKS_MAX = 32,
  FIGURE_LABELS_FIRST = 100, /* smallest of the numbers by which gnuplot refers to the labels of marks */
  FIGURE_SHORT = 8           /* maximum length, in bytes, of a tick label that needs no more space than a number */
};

typedef struct Curve {
  const Table *table;
  int x, y;          /* columns of the table with the values of x and y */
  double factor;     /* factor by which y is multiplied */
  const char *label; /* text in the key, which explains the curves; NULL: none */
  int colour;        /* index of the colour, 0 to FIGURE_CURVES_MAX - 1 */
  bool thin;         /* draw the curve last, thin, black and dashed, so that curves below it stay visible */
  bool points;       /* draw points without connecting lines */
  bool steps;        /* y keeps its value from one row to the next, where it jumps */
} Curve;

/* Shades the times at which a degree of freedom (dof) is in some state. */
typedef struct Band {
  const Table *events;
  int dof, state;
  double bottom, top; /* lower and upper end of the band, as fractions (0 to 1) of the panel's height */
  const char *colour; /* colour as #rrggbb */
} Band;

/* A limit of a quantity, drawn as a dashed line. */
typedef struct Limit {
  double value;
  int colour; /* colour of the curve that it limits; -1: it limits all curves */
} Limit;

typedef enum MarkKind {
  MARK_TIME, /* a vertical line over the whole panel */
  MARK_RING,
  MARK_DISC,
  MARK_BAR /* a vertical bar from y to top at one x */
} MarkKind;

/* Marks a time, a point or an interval of values. */
typedef struct Mark {
  MarkKind kind;
  double x, y; /* position; y is the lower end of a bar, and unused for MARK_TIME */
  double top;  /* upper end of a bar; if an end of a bar is infinite, the bar ends at the edge of the panel */
  int colour;  /* colour of the curve that is marked */
} Mark;

typedef struct Panel {
  char label[64];   /* label of the y axis; the only text in it that comes from users are names and units, which are
                     * checked */
  char place[32];   /* label inside the panel, which names what the panel shows; "": none */
  bool logarithmic; /* the y axis is logarithmic; values <= 0 are omitted */
  double low, high; /* range of the y axis; if both are equal, the data determine it */
  int n_curves, n_bands, n_limits;
  Curve curves[FIGURE_CURVES_MAX + FIGURE_THIN_MAX];
  Band bands[FIGURE_BANDS_MAX];
  Limit limits[FIGURE_LIMITS_MAX];
  bool limited;       /* whether the areas below `least` and above `most` are shaded */
  double least, most; /* allowed range of y; infinite: no limit */
  int n_marks;
  Mark marks[FIGURE_MARKS_MAX];
} Panel;

typedef struct Map {
  const Table *table;
  int rows;             /* 0: the figure is not a map */
  double first, step;   /* position of row k on the y axis: first + k step */
  const char *axis;     /* label of the y axis */
  const Labels *labels; /* names for the rows; NULL: numbers */
  int time, column;     /* columns of a trajectory with t and with the values of row 0; not used for maps of states or
                         * slips */
  bool states;          /* the colours show the states of the degrees of freedom 1..rows, which are read from a table of
                         * intervals */
  int stride;           /* for a map of slips: number of degrees of freedom per row, so that row 0 has 1..stride; 0: not
                         * a map of slips */
  double until;         /* for a map of slips: last time of the run, in s */
  bool diverging;       /* colours are symmetric about zero; otherwise they range from the minimum to the maximum
                         * value */
  double end;           /* right end of the time axis, in s */
  const double *cells;  /* values [rows][columns] of a map with no time axis; NULL: the x axis is time */
  int columns;
  const char *const *x_names, *const *y_names; /* words along the axes of a map without time axis: [columns] and
                                                * [rows] */
  char label[64];
} Map;

typedef struct Figure {
  char name[32]; /* name of its files without ending */
  const char *heading;
  char caption[320];            /* sentence for a report that describes the figure */
  const char *x_label, *x_unit; /* x_unit NULL: none */
  const char *const *words;     /* [n_words] words along the x axis at 0, 1, ..; NULL: numbers */
  int n_words;
  bool path;        /* curves are parametric, so y need not be a function of x */
  bool scatter;     /* like `path`, but points are drawn without lines */
  bool logarithmic; /* logarithmic x axis; all x are positive */
  bool own_keys;    /* each panel has its own key */
  bool compared;    /* whether curves of a panel may coincide, for example those of two runs, or of two answers of one
                     * run */
  int n_panels;
  Panel panels[FIGURE_PANELS_MAX];
  Map map;
} Figure;

/* Draws a figure. title: text from the user, or NULL. picture: [size] bytes from malloc, owned by the caller. Returns
 * 0; or EXIT_USAGE or EXIT_INTERNAL after reporting an error. */
int figure_draw(const Figure *figure, const char *title, FigureFormat format, char **picture, size_t *size,
                Diagnostics *diagnostics);

/* Appends text to the caption of a figure, as snprintf does; what does not fit is cut off. */
void figure_explain(Figure *figure, const char *format, ...) LIKE_PRINTF(2, 3);

/* Returns how many characters fit into the label of the y axis of a panel. figure->n_panels must be set before. */
size_t figure_label_room(const Figure *figure);

static inline double curve_y(const Curve *curve, long row) {
  return curve->factor * table_at(curve->table, row, curve->y);
}

/* figure_write_marks writes the marks and shaded areas of a panel. low, high: range of the y axis; colours: colours of
 * the curves. figure_end_marks removes the marks, so that the next panel does not show them. */
void figure_write_marks(FILE *script, const Panel *panel, const char *const *colours, double low, double high);
void figure_end_marks(FILE *script, const Panel *panel);

/* Writes the data of curve number k of a panel as $curve0, $curve1, .. into the gnuplot script. */
void figure_write_curve(FILE *script, const Figure *figure, const Panel *panel, int k);

/* Writes tick labels at 0, 1, .., n - 1 of the axis x or y: at most `fit` of them, each cut to `room` characters.
 * Numbers have 4 digits. */
void figure_ticks(FILE *script, char axis, int n, const char *const *texts, int fit, size_t room);

/* Writes the part of the gnuplot script that draws a map. Returns 0, or EXIT_INTERNAL after reporting an error. */
int figure_map_script(FILE *script, const Map *map, Diagnostics *diagnostics);

#endif

/* Description of a figure, independent of its data source and of the program that draws it: panels with curves, one
 * above the other, or a map (a colour for each time and degree of freedom). Nothing here is owned. */
#ifndef SRC_FIGURE_H
#define SRC_FIGURE_H

#include "src/base/labels.h"
#include "src/base/result_files.h"
#include "src/results/table.h"

#include <stdbool.h>
#include <stdio.h>

enum {
  FIGURE_CURVES_MAX = 7, /* per panel: number of colours on white that colour-blind readers can distinguish */
  FIGURE_THIN_MAX = 7,   /* additional thin curves */
  FIGURE_PANELS_MAX = 12,
  FIGURE_LIMITS_MAX = 2 * FIGURE_CURVES_MAX,
  FIGURE_BANDS_MAX = 2,
  FIGURE_MARKS_MAX = 32,
  FIGURE_LABELS_FIRST = 100, /* gnuplot's numbers of marks that are labels */
  FIGURE_SHORT = 8           /* bytes of a tick label that fit in the space for numbers */
};

typedef struct Curve {
  const Table *table;
  int x, y;          /* columns */
  double factor;     /* y is multiplied by it */
  const char *label; /* NULL: no entry in the key */
  int colour;        /* index, 0..FIGURE_CURVES_MAX-1 */
  bool thin;         /* drawn last in thin black dashes, so that the curves below stay visible */
  bool points;       /* points without connecting lines */
} Curve;

/* Shades the times at which a dof is in a state. */
typedef struct Band {
  const Table *events;
  int dof, state;
  double bottom, top; /* part of the panel's height, 0..1 */
  const char *colour; /* #rrggbb */
} Band;

/* A limit, drawn as a dashed line. */
typedef struct Limit {
  double value;
  int colour; /* colour of its curve; -1: for all curves */
} Limit;

/* A mark of an instant (a vertical line) or of a point. */
typedef struct Mark {
  double x, y; /* y NAN: a vertical line over the whole panel */
  int colour;  /* colour of its curve */
  bool filled; /* a disc; otherwise a ring */
} Mark;

typedef struct Panel {
  char label[64];   /* label of the y axis; its only user text are names and units, which are checked */
  char place[32];   /* label inside the panel, naming what it shows; "": none */
  bool logarithmic; /* logarithmic y axis; values <= 0 are omitted */
  double low, high; /* range of the y axis; if equal, taken from the data */
  int n_curves, n_bands, n_limits;
  Curve curves[FIGURE_CURVES_MAX + FIGURE_THIN_MAX];
  Band bands[FIGURE_BANDS_MAX];
  Limit limits[FIGURE_LIMITS_MAX];
  bool limited;       /* what lies beyond the next two is shaded */
  double least, most; /* infinite: none */
  int n_marks;
  Mark marks[FIGURE_MARKS_MAX];
} Panel;

typedef struct Map {
  const Table *table;
  int rows;             /* 0: the figure is not a map */
  double first, step;   /* y value of row k: first + k step */
  const char *axis;     /* label of the y axis */
  const Labels *labels; /* names for the y axis; NULL: numbers */
  int time, column;     /* of a trajectory: columns of t and of row 0; unused for events */
  bool states;          /* colours show the states of dofs 1..rows, from intervals */
  int stride;           /* map of slips: number of dofs per row, row 0 has dofs 1..stride; 0: not a map of slips */
  double until;         /* last time of the run, s; for slips */
  bool diverging;       /* symmetric colours about zero; otherwise from minimum to maximum */
  double end;           /* right end of the time axis, s */
  const double *cells;  /* values [rows][columns] of a map without time; NULL: a map over time, as above */
  int columns;
  const char *const *x_names, *const *y_names; /* [columns], [rows] words along the axes of such a map */
  char label[64];
} Map;

typedef struct Figure {
  char name[32]; /* base name of its files */
  const char *heading;
  char caption[256];            /* for a report: what the figure shows */
  const char *x_label, *x_unit; /* x_unit NULL: none */
  const char *const *words;     /* [n_words] words along the x axis at 0, 1, ..; NULL: numbers */
  int n_words;
  bool path;        /* parametric curves: y is not a function of x */
  bool scatter;     /* like path, but points only */
  bool logarithmic; /* logarithmic x axis; all x are positive */
  bool own_keys;    /* one key per panel */
  bool compared;    /* curves of a panel may coincide */
  int n_panels;
  Panel panels[FIGURE_PANELS_MAX];
  Map map;
} Figure;

/* Draws a figure. title: the user's text, or NULL. picture: [size], malloc'ed, owned by the caller. Returns 0;
 * EXIT_USAGE or EXIT_INTERNAL after reporting an error. */
int figure_draw(const Figure *figure, const char *title, FigureFormat format, char **picture, size_t *size,
                Diagnostics *diagnostics);

static inline double curve_y(const Curve *curve, long row) {
  return curve->factor * table_at(curve->table, row, curve->y);
}

/* Writes the marks and shaded limits of a panel whose y axis goes from low to high; and ends them. colours: of curves. */
void figure_write_marks(FILE *script, const Panel *panel, const char *const *colours, double low, double high);
void figure_end_marks(FILE *script, const Panel *panel);

/* Writes the data of a panel's k-th curve as $curve0, $curve1, .. of the gnuplot script. */
void figure_write_curve(FILE *script, const Figure *figure, const Panel *panel, int k);

/* Writes tick labels at 0, 1, .. n-1 of the axis x or y: at most `fit` of them, each cut to `room` characters; numbers
 * have 4 digits. */
void figure_ticks(FILE *script, char axis, int n, const char *const *texts, int fit, size_t room);

/* Writes the part of the script that is specific to maps. Returns 0, or EXIT_INTERNAL after reporting an error. */
int figure_map_script(FILE *script, const Map *map, Diagnostics *diagnostics);

#endif

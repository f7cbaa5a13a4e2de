/* What a figure shows, apart from where it comes from and what draws it: panels of curves over one another, or a map
 * (a colour for each instant and degree of freedom). Nothing here is owned. */
#ifndef SRC_FIGURE_H
#define SRC_FIGURE_H

#include "src/base/labels.h"
#include "src/base/result_files.h"
#include "src/results/table.h"

#include <stdbool.h>
#include <stdio.h>

enum {
  FIGURE_CURVES_MAX = 7, /* in a panel: the colours that can be told apart by everyone, on white */
  FIGURE_THIN_MAX = 7,   /* besides them */
  FIGURE_PANELS_MAX = 12,
  FIGURE_LIMITS_MAX = 2 * FIGURE_CURVES_MAX,
  FIGURE_BANDS_MAX = 2,
  FIGURE_MARKS_MAX = 32,
  FIGURE_LABELS_FIRST = 100, /* gnuplot's numbers of marks that are labels */
  FIGURE_SHORT = 8           /* bytes of a tick that needs no more room than numbers do */
};

typedef struct Curve {
  const Table *table;
  int x, y;          /* columns */
  double factor;     /* of y */
  const char *label; /* NULL: not in the key */
  int colour;        /* 0..FIGURE_CURVES_MAX-1 */
  bool thin;         /* drawn over the others in thin black dashes, between which these show */
  bool points;       /* without lines between */
} Curve;

/* Shades the times at which a dof is in a state. */
typedef struct Band {
  const Table *events;
  int dof, state;
  double bottom, top; /* of the panel's height, 0..1 */
  const char *colour; /* #rrggbb */
} Band;

/* A level that something may not pass. */
typedef struct Limit {
  double value;
  int colour; /* of the curve that it is for; -1: all */
} Limit;

/* An instant, marked by a line, or a point. */
typedef struct Mark {
  double x, y; /* y NAN: a line from bottom to top */
  int colour;  /* of the curve that it is for */
  bool filled; /* else a ring */
} Mark;

typedef struct Panel {
  char label[64];   /* of the y axis; of user text names and units alone, which cannot do harm */
  char place[32];   /* of what is shown, written into it; "": not */
  bool logarithmic; /* what is not positive is left out */
  double low, high; /* of the y axis; equal: from the data */
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
  int rows;             /* 0: the figure is no map */
  double first, step;   /* what row k stands for: first + k step, on the y axis */
  const char *axis;     /* its label */
  const Labels *labels; /* names for it; NULL: numbers */
  int time, column;     /* of a trajectory: the column of t, and of row 0; of events: unused */
  bool states;          /* intervals, of dofs 1..rows */
  int stride;           /* slips, of dofs 1..stride of row 0, and so on; 0: no slips */
  double until;         /* then: the last instant of the run, s */
  bool diverging;       /* about zero, symmetric; else from least to largest */
  double end;           /* s */
  const double *cells;  /* [rows][columns] then; NULL: of time, as above */
  int columns;
  const char *const *x_names, *const *y_names; /* [columns], [rows] what stands along its axes */
  char label[64];
} Map;

typedef struct Figure {
  char name[32]; /* of its files */
  const char *heading;
  const char *caption;          /* what to look at, for a report */
  const char *x_label, *x_unit; /* the latter NULL: none */
  const char *const *words;     /* [n_words] what stands along the x axis at 0, 1, ..; NULL: numbers */
  int n_words;
  bool path;        /* curves with a parameter: y is no function of x */
  bool scatter;     /* of those, the points alone */
  bool logarithmic; /* the x axis; all x are positive */
  bool own_keys;    /* each panel has its own key */
  bool compared;    /* the curves of a panel may coincide */
  int n_panels;
  Panel panels[FIGURE_PANELS_MAX];
  Map map;
} Figure;

/* Draws it. title: the user's text above, or NULL. picture: [size], malloc'ed, the caller's. Returns 0, or EXIT_USAGE
 * or EXIT_INTERNAL after telling. */
int figure_draw(const Figure *figure, const char *title, FigureFormat format, char **picture, size_t *size,
                Diagnostics *diagnostics);

static inline double curve_y(const Curve *curve, long row) {
  return curve->factor * table_at(curve->table, row, curve->y);
}

/* Marks and shades of a panel with a y axis from low to high; and their end. colours: by curves. */
void figure_write_marks(FILE *script, const Panel *panel, const char *const *colours, double low, double high);
void figure_end_marks(FILE *script, const Panel *panel);

/* The data of a panel's k-th curve, as $curve0, $curve1, .. of its script. */
void figure_write_curve(FILE *script, const Figure *figure, const Panel *panel, int k);

/* The texts of ticks at 0, 1, .. n-1 along the axis x or y: as many of them as fit, each cut to so many characters, numbers to 4 digits. */
void figure_ticks(FILE *script, char axis, int n, const char *const *texts, int fit, size_t room);

/* The part of its script that is a map's own. Returns 0, or EXIT_INTERNAL after telling. */
int figure_map_script(FILE *script, const Map *map, Diagnostics *diagnostics);

#endif

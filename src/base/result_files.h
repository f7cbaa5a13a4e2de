/* The names of what a run, `plot` and `report` leave in a results directory: who writes it anew removes all of them. */
#ifndef SRC_BASE_RESULT_FILES_H
#define SRC_BASE_RESULT_FILES_H

/* Files, with their folder; up to a NULL. */
extern const char *const result_files[];

/* What a figure may be called, figures/NAME or, of two runs, figures/compare_NAME; up to a NULL. */
extern const char *const figure_names[];

typedef enum FigureFormat { FIGURE_SVG, FIGURE_PNG } FigureFormat;

const char *figure_suffix(FigureFormat format);

#endif

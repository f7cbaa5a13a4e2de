/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of the files that a run, `plot` and `report` write into a results directory. A new run first removes all of
 * them. */
#ifndef SRC_BASE_RESULT_FILES_H
#define SRC_BASE_RESULT_FILES_H

/* Paths of the files in the results directory; NULL-terminated. */
extern const char *const result_files[];

/* Names of figures: figures/NAME or, for two runs, figures/compare_NAME; NULL-terminated. */
extern const char *const figure_names[];

typedef enum FigureFormat { FIGURE_SVG, FIGURE_PNG } FigureFormat;

const char *figure_suffix(FigureFormat format);

#endif

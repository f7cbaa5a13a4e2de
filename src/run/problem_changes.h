/* Whether a problem file still says what it said. */
#ifndef SRC_PROBLEM_CHANGES_H
#define SRC_PROBLEM_CHANGES_H

#include "src/file/sections/file.h"

/* Reads the file with its settings again and compares it with `then`, an echo of before; the section checkpoint may
 * differ. limits: of that reading. Returns 0, EXIT_USAGE after telling each key that has changed, or that the file is not valid any more,
 * or EXIT_INTERNAL. */
int problem_changes_report(const char *path, char *const *settings, int n_settings, bool control, const json_t *then,
                           const WorkLimits *limits, Diagnostics *diagnostics);

#endif

/* Checks whether a problem file has changed. */
#ifndef SRC_PROBLEM_CHANGES_H
#define SRC_PROBLEM_CHANGES_H

#include "src/file/sections/file.h"

/* Reads the file with its settings again and compares it with `then`, an earlier echo; the section checkpoint may
 * differ. limits: for this reading. Returns 0; EXIT_USAGE after reporting each changed key, or that the file is no
 * longer valid; or EXIT_INTERNAL. */
int problem_changes_report(const char *path, char *const *settings, int n_settings, bool control, const json_t *then,
                           const WorkLimits *limits, Diagnostics *diagnostics);

#endif

/* identified.yaml: the problem file with the values found. */
#ifndef SRC_STUDY_IDENTIFIED_FILE_H
#define SRC_STUDY_IDENTIFIED_FILE_H

#include "src/base/options.h"
#include "src/study/fit_outcome.h"

/* The file's own text with other numbers in it, and with the names of files as they hold from anywhere; where that would not read as
 * the problem found, as with --set or with values behind aliases, that problem as it is understood. Returns 0 or EXIT_INTERNAL. */
int identified_file_write(const Options *options, const FitOutcome *outcome, const Problem *found,
                          const Results *results);

#endif

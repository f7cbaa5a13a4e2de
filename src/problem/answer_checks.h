/* What else may be wanted of a control: that it is refined, robust, certified, bounded from below. */
#ifndef SRC_PROBLEM_ANSWER_CHECKS_H
#define SRC_PROBLEM_ANSWER_CHECKS_H

#include "src/values/reader.h"

/* Tells what of it this problem cannot have. report: of what the library of control refuses. */
void answer_checks(Reader *reader, const SimReport *report);

#endif

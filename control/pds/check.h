/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef CONTROL_PDS_CHECK_H
#define CONTROL_PDS_CHECK_H

#include "control/problem/problem_check.h"

/* Checks the options of the method pds: scheme_size, the memory for its template (template.h), step, and a simplex
 * given by the user. */
void ctl_check_simplex(CtlCheck *check);

#endif

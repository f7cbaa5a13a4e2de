/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of all methods. */
#ifndef CONTROL_SEARCH_METHODS_H
#define CONTROL_SEARCH_METHODS_H

#include "control/outcome/method.h"

/* returns the method with a number, CtlProblem.method; NULL if it is unknown */
const CtlMethod *ctl_method(int method);
const CtlMethod *ctl_method_named(const char *name); /* NULL: unknown */

#endif

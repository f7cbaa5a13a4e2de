/* SPDX-License-Identifier: BSD-2-Clause */
/* The list of all methods. */
#ifndef CONTROL_SEARCH_METHODS_H
#define CONTROL_SEARCH_METHODS_H

#include "control/outcome/method.h"

/* returns the method with a number (CtlProblem.method); NULL if there is no such method */
const CtlMethod *ctl_method(int method);
const CtlMethod *ctl_method_named(const char *name); /* returns the method with a name; NULL if there is no such
                                                      * method */

#endif

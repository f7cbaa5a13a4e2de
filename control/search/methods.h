/* The list of all methods. */
#ifndef CONTROL_SEARCH_METHODS_H
#define CONTROL_SEARCH_METHODS_H

#include "control/outcome/method.h"

const CtlMethod *ctl_method(int method);             /* method with a number, CtlProblem.method; NULL: unknown */
const CtlMethod *ctl_method_named(const char *name); /* NULL: unknown */

#endif

/* The schemes of friction in steps, which all take dofs without mass. */
#ifndef TESTS_MASSLESS_H
#define TESTS_MASSLESS_H

#include "tests/fixture.h"

static const char *const stepping[] = {"moreau", "centered", "lie", "strang"};
enum { STEPPING = sizeof stepping / sizeof *stepping };

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether friction holds a model at rest under every control within the bounds, so that its target is out of reach. */
#ifndef SRC_PROBLEM_REST_H
#define SRC_PROBLEM_REST_H

#include "src/base/diagnostics.h"
#include "src/base/problem.h"

enum { REST_TEXT_SIZE = 384 };

/* Returns whether it is proven that the target, or a condition of a plan, is out of reach because nothing ever moves: the model starts at rest,
 * and on each joint the sum of all forces at x0 is below its threshold, at all times and for each control within the
 * bounds. why: set to a sentence with the reason and advice. Only friction models with constant thresholds by the
 * schemes `event` and `moreau`, in which a joint at rest has velocity zero exactly, are examined; for others the result
 * is false. */
bool rest_is_certain(const Problem *problem, char why[REST_TEXT_SIZE]);

#endif

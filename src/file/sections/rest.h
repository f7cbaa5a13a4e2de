/* SPDX-License-Identifier: BSD-2-Clause */
/* Proves for some models that friction holds them at rest under every control within the bounds, so that their target
 * cannot be reached. */
#ifndef SRC_PROBLEM_REST_H
#define SRC_PROBLEM_REST_H

#include "src/base/diagnostics.h"
#include "src/base/problem.h"

enum { REST_TEXT_SIZE = 384 };

/* Returns whether it is proven that the target, or a condition of a plan, cannot be reached because nothing ever moves.
 * This holds if the model starts at rest and on each joint the sum of all forces at x0 is below its threshold, at all
 * times and for each control within the bounds. Sets `why` to a sentence with the reason and advice. Only friction
 * models with constant thresholds are examined, by the schemes `event` and `moreau`, in which a joint at rest has
 * exactly the velocity zero. For others the function returns false. */
bool rest_is_certain(const Problem *problem, char why[REST_TEXT_SIZE]);

#endif

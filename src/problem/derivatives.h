/* Whether the motions of a problem file have derivatives. */
#ifndef SRC_DERIVATIVES_H
#define SRC_DERIVATIVES_H

#include "src/base/problem.h"
#include "src/document/document.h"

/* By which schemes of the model's kind there are derivatives, and whether by its own: into problem->control. */
void derivatives_note(Problem *problem);

/* Whether an answer can be refined, by the file's scheme or on the motion itself. After derivatives_note. */
bool derivatives_refine(const Problem *problem);

/* Whether derivatives are sure to be had, as far as the sections `model` and `scheme` below the root tell, which need not be
 * right. */
bool derivatives_may_be(Node *root, Diagnostics *diagnostics);

#endif

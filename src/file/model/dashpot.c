/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads models with model.kind: dashpot. The model is one mass on a spring with a dash-pot and an optional support. */
#include "src/file/model/model.h"

#include <string.h>

static const char *const law_keys[] = {"gamma", "f_crit", "selection"};

static bool takes(const SimProblem *problem, const char *key) {
  for (int i = 0; i < 3; i++)
    if (strcmp(key, law_keys[i]) == 0) return sim_dashpot_law_takes(problem->dashpot.law, key);
  return true;
}

/* Handles a key that the selected law does not use. If another law uses it, it is accepted and ignored, so that a user
 * can switch laws by changing only the name of the law. Any other key is reported. */
static void refuse(Reader *reader, Node *node, const SimParameter *row) {
  double unused;
  if (row->forms & SIM_FORM_CHOICE)
    parameter_value(reader, node, row, &unused);
  else
    node_number(reader, node, &unused);
}

/* Requires the keys that the selected law of the dash-pot uses. */
static void read_dashpot(Reader *reader, Node *model, WrittenKeys *keys) {
  for (int i = 0; i < 2 && !is_wrong(reader, "model.law"); i++) require_key(reader, model, keys, law_keys[i]);
}

const ModelKind model_dashpot = {.name = "dashpot",
                                 .sentence = "one mass on a spring, with a dash-pot and, if wanted, a support",
                                 .sim = SIM_DASHPOT,
                                 .d = 1,
                                 .variable = "i",
                                 .rules = {takes, refuse},
                                 .read = read_dashpot};

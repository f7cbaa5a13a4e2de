/* model.kind: dashpot, one mass on a spring with a dash-pot and, if wanted, a support. */
#include "src/file/model/model.h"

#include <string.h>

static const char *const law_keys[] = {"gamma", "f_crit", "selection"};

static bool takes(const SimProblem *problem, const char *key) {
  for (int i = 0; i < 3; i++)
    if (strcmp(key, law_keys[i]) == 0) return sim_dashpot_law_takes(problem->dashpot.law, key);
  return true;
}

/* A value that the law does not take may be there, so that another law is a matter of its name alone; nothing comes of it. */
static void refuse(Reader *reader, Node *node, const SimParameter *row) {
  double unused;
  if (row->forms & SIM_FORM_CHOICE)
    parameter_value(reader, node, row, &unused);
  else
    node_number(reader, node, &unused);
}

/* A number that the law takes must be there. */
static void read_dashpot(Reader *reader, Node *model, WrittenKeys *keys) {
  for (int i = 0; i < 2 && !is_wrong(reader, "model.law"); i++) require_key(reader, model, keys, law_keys[i]);
}

const ModelKind model_dashpot = {.name = "dashpot",
                                 .sentence = "one mass on a spring, with a dash-pot and, if wanted, a support",
                                 .keys = sim_dashpot_parameters,
                                 .sim = SIM_DASHPOT,
                                 .d = 1,
                                 .variable = "i",
                                 .rules = {takes, refuse},
                                 .read = read_dashpot};

/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/file/model/model.h"

/* The table of all kinds of models. A new kind NAME needs a file that defines model_NAME, and its name here. */
#define KINDS(X) X(friction) X(dashpot) X(chain) X(string) X(mechanism)

#define DECLARE(name) extern const ModelKind model_##name;
KINDS(DECLARE)
#define ENTRY(name) &model_##name,
static const ModelKind *const kinds[] = {KINDS(ENTRY)};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

const ModelKind *model_kind(int k) { return k >= 0 && k < N_KINDS ? kinds[k] : NULL; }

const SimParameter *model_keys(const ModelKind *kind) {
  return kind->keys ? kind->keys : sim_kind_parameters(kind->sim);
}

static const char *kind_name(int k) { return model_kind(k) ? model_kind(k)->name : NULL; }
static const char *kind_sentence(int k) { return model_kind(k) ? model_kind(k)->sentence : NULL; }

const SimParameter model_units[] = {
    {"position", SIM_FORM_TEXT, NULL, "of x; v is in this a second", .default_text = "m"},
    {"force", SIM_FORM_TEXT, NULL, "of forces, thresholds and controls", .default_text = "N"},
    {0}};

const SimParameter model_parameters[] = {
    [MODEL_KIND] = {"kind", SIM_FORM_CHOICE, NULL, "the kind of model, which says what its other keys are",
                    .word = kind_name, .about = kind_sentence, .required = true},
    [MODEL_NAMES] = {"names", SIM_FORM_NAMES, NULL,
                     "what each degree of freedom is called in columns, pictures and messages",
                     .default_text = "1, 2, ..", .extent = SIM_EACH},
    [MODEL_UNITS] = {"units", SIM_FORM_SECTION, NULL, "the units of the model; nothing is converted",
                     .default_text = "m and N", .parts = model_units},
    {0}};

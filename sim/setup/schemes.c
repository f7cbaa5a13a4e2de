#include "sim/setup/tables.h"

#include <string.h>

/* A new scheme is one file, its declaration in tables.h and one line here. */
static const SimScheme *const table[] = {
    &sim_scheme_moreau, /* the first of a kind is its default */
    &sim_scheme_centered,       &sim_scheme_lie,        &sim_scheme_strang,    &sim_scheme_backward_euler,
    &sim_scheme_implicit_euler, &sim_scheme_symplectic, &sim_scheme_increment,
};
enum { N_SCHEMES = sizeof table / sizeof *table };

const SimScheme *sim_scheme_of_kind(SimKind kind, int k) {
  for (int i = 0; i < N_SCHEMES; i++)
    if (table[i]->kind == kind && k-- == 0) return table[i];
  return NULL;
}

const SimScheme *sim_scheme_at(int k) { return k >= 0 && k < N_SCHEMES ? table[k] : NULL; }

const SimScheme *sim_scheme_for(SimKind kind, const char *name) {
  for (int i = 0; i < N_SCHEMES; i++)
    if (table[i]->kind == kind && strcmp(table[i]->name, name) == 0) return table[i];
  return NULL;
}

#include "sim/setup/tables.h"

#include <string.h>

/* A new scheme NAME is one file, which defines sim_scheme_NAME, and its name here. The first of a kind is its default. */
#define SCHEMES(X)                                                                                                     \
  X(moreau)                                                                                                            \
  X(centered)                                                                                                          \
  X(lie)                                                                                                               \
  X(strang)                                                                                                            \
  X(backward_euler) X(implicit_euler) X(symplectic) X(increment) X(event_friction) X(event_dashpot) X(event_chain)

#define DECLARE(name) extern const SimScheme sim_scheme_##name;
SCHEMES(DECLARE)
#define ENTRY(name) &sim_scheme_##name,
static const SimScheme *const table[] = {SCHEMES(ENTRY)};
enum { N_SCHEMES = sizeof table / sizeof *table };

const SimScheme *sim_scheme_of_kind(SimKind kind, int k) {
  for (int i = 0; i < N_SCHEMES; i++)
    if (table[i]->kind == kind && k-- == 0) return table[i];
  return NULL;
}

const SimScheme *sim_scheme_at(int k) { return k >= 0 && k < N_SCHEMES ? table[k] : NULL; }

const SimScheme *sim_scheme_for(SimKind kind, const char *name) {
  for (int i = 0; i < N_SCHEMES && name; i++)
    if (table[i]->kind == kind && strcmp(table[i]->name, name) == 0) return table[i];
  return NULL;
}

/* The keys of problem files, as data. Whoever takes a key (a scheme, a kind of model, the search, the results) declares it
 * as a row of a table; reader, echo, defaults, checks, `stiction help`, the tables of the documentation and the JSON schema
 * come from the rows. */
#ifndef SIM_PARAMETER_H
#define SIM_PARAMETER_H

#include "sim/api.h"

#include <stdbool.h>
#include <stddef.h>

SIM_API_BEGIN

typedef struct SimProblem SimProblem; /* sim/sim.h */
typedef struct SimBounds SimBounds;

/* Forms that a key may be written in; several of a vector or a matrix. */
enum {
  SIM_FORM_NUMBER = 1 << 0,    /* of a vector: repeated; of a matrix: times the identity */
  SIM_FORM_LIST = 1 << 1,      /* of numbers; of a matrix: its diagonal */
  SIM_FORM_ROWS = 1 << 2,      /* a list of rows */
  SIM_FORM_SPRINGS = 1 << 3,   /* {springs: [k_1..k_{n+1}]} */
  SIM_FORM_FILE = 1 << 4,      /* {file: NAME}, Matrix Market */
  SIM_FORM_NULLS = 1 << 5,     /* entries may be null: none */
  SIM_FORM_INTEGER = 1 << 6,   /* a whole number */
  SIM_FORM_CHOICE = 1 << 7,    /* one of a few words */
  SIM_FORM_FORMULA = 1 << 8,   /* a number, or an expression in `variables` */
  SIM_FORM_TEXT = 1 << 9,      /* a line of text */
  SIM_FORM_FORCE = 1 << 10,    /* an expression in t, {file: NAME}, pieces of time, or a list of these */
  SIM_FORM_SECTION = 1 << 11,  /* a mapping of the keys in `parts` */
  SIM_FORM_FROM = 1 << 12,     /* {from: DIR}, results */
  SIM_FORM_NODES = 1 << 13,    /* {nodes: [..], values: [..]} */
  SIM_FORM_SHAPES = 1 << 14,   /* {shapes: [EXPRESSION, ..]} */
  SIM_FORM_NAMES = 1 << 15,    /* a list of words, each another */
  SIM_FORM_INFINITE = 1 << 16, /* with NULLS: .inf is none, too */
  SIM_FORM_LISTED = 1 << 17,   /* a list of mappings of the keys in `parts` */

  SIM_FORM_VECTOR = SIM_FORM_NUMBER | SIM_FORM_LIST | SIM_FORM_FORMULA, /* the formula in the number i of the entry */
  SIM_FORM_MATRIX = SIM_FORM_NUMBER | SIM_FORM_LIST | SIM_FORM_ROWS | SIM_FORM_FILE
};

/* How many numbers a key is. */
typedef enum SimExtent {
  SIM_ONE,
  SIM_EACH,   /* one a degree of freedom: [d], or a rank's [count] of them; of a control one a control: [p] */
  SIM_AROUND, /* one before each and one behind the last: [d + 1] */
  SIM_SQUARE  /* [d][d] */
} SimExtent;

/* A word, what it stands for, and one sentence about it. Lists end with a NULL name. */
typedef struct SimChoice {
  const char *name;     /* the word; NULL ends a list */
  int value;            /* what it stands for */
  const char *sentence; /* one sentence about it */
} SimChoice;

/* A key. Tables end with a NULL key. All texts are static. */
typedef struct SimParameter SimParameter;
struct SimParameter {
  const char *key;             /* its name in problem files; NULL ends a table */
  unsigned forms;              /* SIM_FORM_* */
  const char *unit;            /* NULL: none */
  const char *sentence;        /* what it is */
  double preset;               /* the default, of a choice its value; unless the next two tell otherwise */
  const char *default_text;    /* a default that is no number, "step^(6/5)"; NULL: preset */
  bool required;               /* there is no default; preset may stand in while a file's value is wrong */
  double least;                /* the least number allowed; 0, as most: any */
  double most;                 /* the largest number allowed */
  bool open;                   /* the ends themselves are not allowed */
  bool zero_is_none;           /* 0, within the range or not, stands for none, and is not echoed */
  const SimChoice *choices;    /* of SIM_FORM_CHOICE; or, with value k = 0, 1, .., these two: NULL beyond the last */
  const char *(*word)(int k);  /* word k of a choice */
  const char *(*about)(int k); /* one sentence about word k */
  const char *variables;       /* of an expression: "step, T, delta" */
  const SimParameter *parts;   /* of SIM_FORM_SECTION; kept in the same struct */
  SimExtent extent;            /* how many numbers it is */
  /* Where the struct of its owner has the value: a double, a long, an int, an enum or a bool, of more than one number the
   * pointer to them, of a section what is 0 unless it is there. */
  size_t offset;
  size_t size; /* of that value, bytes; 0: the owner's code knows where it is */
  /* A default that follows from others: put where the value is 0 by sim_problem_finalize. */
  double (*derive)(const SimProblem *problem, const SimBounds *bounds);
};

/* A row whose key is the name of the member, with its other entries. INFINITY is of <math.h>, which the tables include. */
#define SIM_ROW(type, member, ...)                                                                                     \
  { .key = #member, SIM_MEMBER(type, member), __VA_ARGS__ }
/* Where a row's value is. */
#define SIM_MEMBER(type, member) .offset = offsetof(type, member), .size = sizeof(((type *)0)->member)
/* The same of more than one number; numbers: a SimExtent. */
#define SIM_ARRAY(type, member, numbers) SIM_MEMBER(type, member), .extent = (numbers)
/* Ranges: from number on; */
#define SIM_AT_LEAST(number) .least = (number), .most = INFINITY
/* above number; */
#define SIM_ABOVE(number) .least = (number), .most = INFINITY, .open = true
/* from low to high; */
#define SIM_FROM_TO(low, high) .least = (low), .most = (high)
/* between low and high, without these. */
#define SIM_BETWEEN(low, high) .least = (low), .most = (high), .open = true

enum { SIM_EXPECTED_SIZE = 256, SIM_NUMBER_SIZE = 32 };

/* A number with as many digits as tell it from any other, at least six, fewer where the rest are zeros; returns text. */
const char *sim_number(double value, char text[SIM_NUMBER_SIZE]);

/* The row of a key; NULL when there is none. rows: NULL for an empty table. */
const SimParameter *sim_parameter_find(const SimParameter *rows, const char *key);

extern const SimParameter sim_friction_parameters[]; /* keys of the kind friction besides kind, kept in a SimProblem */
extern const SimParameter sim_dashpot_parameters[];  /* keys of the kind dashpot */
extern const SimParameter sim_chain_parameters[];    /* keys of the kind chain */
extern const SimParameter sim_stribeck_parameters[]; /* keys of a section stribeck */
extern const SimParameter sim_friction_table_parameters[]; /* keys of a section friction_table */
extern const SimParameter sim_rise_parameters[];           /* keys of a section friction_rise */

/* The value in the struct that the row's owner keeps it in (size > 0, extent SIM_ONE), of a section whether it is there. */
double sim_parameter_get(const SimParameter *row, const void *owner);
/* Sets that value. */
void sim_parameter_set(const SimParameter *row, void *owner, double value);
/* The array of more than one number. */
double *sim_parameter_array(const SimParameter *row, const void *owner);
/* Sets all single values of a table to their defaults, those that are derived to 0. */
void sim_parameters_set_defaults(const SimParameter *rows, void *owner);

/* Whether a number is finite and in the row's range. */
bool sim_parameter_allows(const SimParameter *row, double value);
/* "0 <= alpha <= 0.5", "> 0", "an integer from 1 to 16", "csv or hdf5", "a finite number"; returns text. */
const char *sim_parameter_expected(const SimParameter *row, char text[SIM_EXPECTED_SIZE]);

/* The words of a row, one by one: k = 0, 1, ..; false after the last. */
bool sim_parameter_choice(const SimParameter *row, int k, SimChoice *choice);
/* What a word, in small or capital letters, stands for; false when it is none of the row's. */
bool sim_parameter_choose(const SimParameter *row, const char *word, int *value);
const char *sim_parameter_word(const SimParameter *row, int value); /* NULL: no such value */

SIM_API_END

#endif

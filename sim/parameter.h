/* SPDX-License-Identifier: BSD-2-Clause */
/* The keys of problem files, as tables. Each part of the program that has keys (a scheme, a kind of model, the search,
 * the results) declares each key as a row. The reader, the echo of the resolved problem, defaults, checks, `stiction
 * help`, tables of the documentation and the JSON schema are generated from the rows. */
#ifndef SIM_PARAMETER_H
#define SIM_PARAMETER_H

#include <stdbool.h>
#include <stddef.h>

typedef struct SimProblem SimProblem; /* sim/sim.h */
typedef struct SimBounds SimBounds;

/* Forms of a key's value in a problem file; a vector or a matrix may allow several. */
enum {
  /* a number; for a vector it stands for all entries, for a matrix it is multiplied by the identity */
  SIM_FORM_NUMBER = 1 << 0,
  SIM_FORM_LIST = 1 << 1,         /* a list of numbers; for a matrix its diagonal */
  SIM_FORM_ROWS = 1 << 2,         /* a list of rows */
  SIM_FORM_SPRINGS = 1 << 3,      /* a mapping {springs: [k_1..k_{n+1}]} */
  SIM_FORM_FILE = 1 << 4,         /* a mapping {file: NAME} of a Matrix Market file */
  SIM_FORM_NULLS = 1 << 5,        /* flag in addition to others: entries may be null, which means none */
  SIM_FORM_INTEGER = 1 << 6,      /* a whole number */
  SIM_FORM_CHOICE = 1 << 7,       /* one of a few words */
  SIM_FORM_FORMULA = 1 << 8,      /* a number, or an expression in `variables` */
  SIM_FORM_TEXT = 1 << 9,         /* a line of text */
  SIM_FORM_FORCE = 1 << 10,       /* an expression in t, {file: NAME}, pieces of time, or a list of these */
  SIM_FORM_SECTION = 1 << 11,     /* a mapping of the keys in `parts` */
  SIM_FORM_FROM = 1 << 12,        /* a mapping {from: DIR} of a results directory */
  SIM_FORM_NODES = 1 << 13,       /* a mapping {nodes: [..], values: [..]} */
  SIM_FORM_SHAPES = 1 << 14,      /* a mapping {shapes: [EXPRESSION, ..]} */
  SIM_FORM_NAMES = 1 << 15,       /* a list of different words */
  SIM_FORM_INFINITE = 1 << 16,    /* flag in addition to NULLS: .inf also means none */
  SIM_FORM_LISTED = 1 << 17,      /* a list of mappings of the keys in `parts` */
  SIM_FORM_INTERVALS = 1 << 18,   /* entries may be {at_least: NUMBER, at_most: NUMBER} */
  SIM_FORM_FREE = 1 << 19,        /* entries may be the word free */
  SIM_FORM_WEIGHTED = 1 << 20,    /* {NAME: NUMBER, ..} */
  SIM_FORM_EXPRESSIONS = 1 << 21, /* a list of expressions */
  SIM_FORM_NAMED = 1 << 22,       /* {NAME: VALUE, ..}, or with `parts` {NAME: {PART: .., ..}, ..} */
  SIM_FORM_NAMED_LISTS = 1 << 23, /* {NAME: [EXPRESSION, ..], ..} */

  /* a formula may use the number i of the entry */
  SIM_FORM_VECTOR = SIM_FORM_NUMBER | SIM_FORM_LIST | SIM_FORM_FORMULA,
  SIM_FORM_MATRIX = SIM_FORM_NUMBER | SIM_FORM_LIST | SIM_FORM_ROWS | SIM_FORM_FILE
};

/* How many values a key has. */
typedef enum SimExtent {
  SIM_ONE,
  SIM_EACH,   /* one value for each degree of freedom, [d], or [count] for one rank's rows; for a control, one for each
               * entry of u, [p] */
  SIM_AROUND, /* one value before each degree of freedom and one behind the last, [d + 1] */
  SIM_SQUARE  /* a matrix [d][d] */
} SimExtent;

/* A word of a choice. Lists end with a NULL name. */
typedef struct SimChoice {
  const char *name;     /* the word; NULL ends a list */
  int value;            /* value that the word stands for */
  const char *sentence; /* description, one sentence */
} SimChoice;

/* A key of problem files. Tables end with a NULL key. All texts are static. */
typedef struct SimParameter SimParameter;
struct SimParameter {
  const char *key;          /* name of the key in problem files; NULL ends a table */
  unsigned forms;           /* SIM_FORM_* */
  const char *unit;         /* unit of the value; NULL: none */
  const char *sentence;     /* description */
  double preset;            /* default; for a choice its value; default_text, required and derive take precedence */
  const char *default_text; /* text of a default that is not a number, for example "step^(6/5)"; NULL: the default is
                             * `preset` */
  bool required;     /* whether the key has no default; after an invalid value the reader continues with `preset` */
  double least;      /* smallest number allowed; if least and most are both 0, there are no limits */
  double most;       /* largest number allowed */
  bool open;         /* whether least and most themselves are excluded */
  bool zero_is_none; /* whether 0 means none, even if 0 is out of the range; a key with this value is not echoed */
  /* words of SIM_FORM_CHOICE. If this is NULL, the functions `word` and `about` return them for k = 0, 1, .., and NULL
   * after the last word. */
  const SimChoice *choices;
  const char *(*word)(int k);  /* word k of a choice */
  const char *(*about)(int k); /* description of word k */
  const char *variables;       /* variables of an expression, for example "step, T, delta" */
  const SimParameter *parts;   /* keys of a SIM_FORM_SECTION, stored in the same struct */
  SimExtent extent;            /* number of values */
  /* Offset of the value, a double, long, int, enum or bool, in the struct that stores it. For several values: offset of
   * the pointer to them. For a section: offset of a member that is 0 if the section is absent. */
  size_t offset;
  size_t size; /* size of that value, in bytes; 0: no value is stored by way of the row, as the reader's code stores
                * it */
  /* Computes a default from other values; stiction_problem_finalize calls it if the value is 0. NULL: the default is
   * not computed. */
  double (*derive)(const SimProblem *problem, const SimBounds *bounds);
};

/* Makes a row with the member's name as its key; the further arguments are its other fields. INFINITY needs <math.h>,
 * which the files with tables include. */
#define SIM_ROW(type, member, ...)                                                                                     \
  { .key = #member, SIM_MEMBER(type, member), __VA_ARGS__ }
/* Offset and size of the member that stores a row's value. */
#define SIM_MEMBER(type, member) .offset = offsetof(type, member), .size = sizeof(((type *)0)->member)
/* Offset and size of the pointer to several values. numbers: their SimExtent. */
#define SIM_ARRAY(type, member, numbers) SIM_MEMBER(type, member), .extent = (numbers)
/* Range: at least number. */
#define SIM_AT_LEAST(number) .least = (number), .most = INFINITY
/* Range: above number. */
#define SIM_ABOVE(number) .least = (number), .most = INFINITY, .open = true
/* Range: low to high, both allowed. */
#define SIM_FROM_TO(low, high) .least = (low), .most = (high)
/* Range: between low and high, neither allowed. */
#define SIM_BETWEEN(low, high) .least = (low), .most = (high), .open = true

enum { SIM_EXPECTED_SIZE = 256, SIM_NUMBER_SIZE = 32 };

/* Formats a number with the fewest significant digits, from 6 to 17, that identify it, without trailing zeros. Returns
 * text. */
const char *sim_number(double value, char text[SIM_NUMBER_SIZE]);

/* Returns the row of a key in a table; NULL if there is none. rows: may be NULL, for an empty table. */
const SimParameter *sim_parameter_find(const SimParameter *rows, const char *key);

/* keys of the kind friction, except kind, stored in a SimProblem */
extern const SimParameter sim_friction_parameters[];
extern const SimParameter sim_dashpot_parameters[]; /* keys of the kind dashpot */
extern const SimParameter sim_chain_parameters[];   /* keys of the kind chain */
/* keys of the kind mechanism that are numbers of a SimProblem */
extern const SimParameter sim_mechanism_parameters[];
extern const SimParameter sim_stops_parameters[];          /* keys of a section stops */
extern const SimParameter sim_stribeck_parameters[];       /* keys of a section stribeck */
extern const SimParameter sim_friction_table_parameters[]; /* keys of a section friction_table */
extern const SimParameter sim_rise_parameters[];           /* keys of a section friction_rise */

/* Returns the single value of a row (size > 0, extent SIM_ONE) from the struct `owner`; for a section 1 if it is
 * present, else 0. */
double sim_parameter_get(const SimParameter *row, const void *owner);
/* Sets the single value of a row in the struct `owner`. */
void sim_parameter_set(const SimParameter *row, void *owner, double value);
/* Returns the array of a row with several values. */
double *sim_parameter_array(const SimParameter *row, const void *owner);
/* Sets all single values of a table to their defaults, and those with a computed default to 0. */
void sim_parameters_set_defaults(const SimParameter *rows, void *owner);

/* Whether a number is finite and within the row's range. */
bool sim_parameter_allows(const SimParameter *row, double value);
/* Describes the allowed values: "0 <= alpha <= 0.5", "> 0", "an integer from 1 to 16", "csv or hdf5", "a finite
 * number". Returns text. */
const char *sim_parameter_expected(const SimParameter *row, char text[SIM_EXPECTED_SIZE]);

/* Sets *choice to word k of a row, k = 0, 1, ..; returns false after the last one. */
bool sim_parameter_choice(const SimParameter *row, int k, SimChoice *choice);
/* Finds the value that a word, in upper or lower case, stands for; false if the row has no such word. */
bool sim_parameter_choose(const SimParameter *row, const char *word, int *value);
/* returns the word that stands for a value; NULL if there is none */
const char *sim_parameter_word(const SimParameter *row, int value);

#endif

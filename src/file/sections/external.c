/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the section evaluator, which names the user's program that evaluates the points of a search. */
#define _XOPEN_SOURCE 700 /* needed for realpath */
#include "src/file/sections/external.h"

#include "src/file/values/parameter.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* An entry of the list `variables` or of the list `values` of the section evaluator. */
typedef struct Item {
  double start, lower, upper, target, tolerance;
  CtlRole role;
} Item;

static const SimChoice keeps[] = {{"failed", EXTERNAL_KEEP_FAILED, "those of evaluations that failed"},
                                  {"all", EXTERNAL_KEEP_ALL, "all"},
                                  {"none", EXTERNAL_KEEP_NONE, "none"},
                                  {0}};
static const SimChoice roles[] = {{"objective", CTL_ROLE_OBJECTIVE, "it is to be small: f is the sum of these"},
                                  {"residual", CTL_ROLE_RESIDUAL, "it is to be near 0: its square is added to f"},
                                  {"magnitude", CTL_ROLE_MAGNITUDE, "its absolute value is added to f"},
                                  {"equal", CTL_ROLE_EQUAL, "it is to be its target"},
                                  {"at_most", CTL_ROLE_AT_MOST, "it is to be no more than its target"},
                                  {"at_least", CTL_ROLE_AT_LEAST, "it is to be no less"},
                                  {0}};

const SimParameter evaluator_variable_parameters[] = {
    {"name", SIM_FORM_TEXT, NULL, "letters, digits, _ - . of which one is no digit", .required = true},
    {"start", SIM_FORM_NUMBER, NULL, "where the search begins", SIM_MEMBER(Item, start)},
    {"lower", SIM_FORM_NUMBER, NULL, "its bound from below", .preset = -INFINITY, .default_text = "none",
     SIM_MEMBER(Item, lower)},
    {"upper", SIM_FORM_NUMBER, NULL, "its bound from above", .preset = INFINITY, .default_text = "none",
     SIM_MEMBER(Item, upper)},
    {0}};

const SimParameter evaluator_value_parameters[] = {
    {"name", SIM_FORM_TEXT, NULL, "likewise", .required = true},
    {"role", SIM_FORM_CHOICE, NULL, "what it is for", .choices = roles, .preset = CTL_ROLE_OBJECTIVE,
     SIM_MEMBER(Item, role)},
    {"target", SIM_FORM_NUMBER, NULL, "of equal, at_most, at_least", SIM_MEMBER(Item, target)},
    {"tolerance", SIM_FORM_NUMBER, NULL, "by which the target may be missed", SIM_ABOVE(0), .zero_is_none = true,
     .default_text = "1e-6 max(1, |target|)", SIM_MEMBER(Item, tolerance)},
    {0}};

const SimParameter evaluator_parameters[] = {
    {"command", SIM_FORM_TEXT, NULL,
     "the program and its arguments, no shell; {input}, {output}, {directory} stand for paths of the point",
     .required = true},
    {"variables", SIM_FORM_LISTED, NULL, "what the search may choose", .parts = evaluator_variable_parameters,
     .required = true},
    {"values", SIM_FORM_LISTED, NULL, "the numbers that the program gives, in this order",
     .parts = evaluator_value_parameters, .default_text = "one objective, f"},
    {"timeout", SIM_FORM_NUMBER, "s", "the program is ended after so long, and has failed; 0: none", SIM_AT_LEAST(0),
     .zero_is_none = true, .default_text = "none", SIM_MEMBER(External, timeout)},
    {"keep", SIM_FORM_CHOICE, NULL, "which folders are kept in points/ of the results", .choices = keeps,
     .preset = EXTERNAL_KEEP_FAILED, SIM_MEMBER(External, keep)},
    {"directory", SIM_FORM_TEXT, NULL, "where the program runs", .default_text = "the file's folder"},
    {0}};

ExternalMark external_mark(const char *word, const char *at, int *length) {
  static const char *const names[] = {"input", "output", "directory"}; /* indexed by ExternalMark */
  if (*at != '{' || isdigit((unsigned char)at[1]) || (at > word && at[-1] == '$')) return EXTERNAL_NO_MARK;
  size_t inside = strspn(at + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
  if (!inside || at[1 + inside] != '}') return EXTERNAL_NO_MARK;
  *length = (int)inside + 2;
  ExternalMark mark = EXTERNAL_INPUT;
  while (mark < EXTERNAL_UNKNOWN && (strlen(names[mark]) != inside || strncmp(at + 1, names[mark], inside) != 0))
    mark++;
  return mark;
}

/* Splits a command into words at blanks. Text in '..' or ".." belongs to one word; there are no escapes. Sets *result
 * to a NULL-terminated list in one block of memory, which the caller frees. Returns the number of words; -1 if a quote
 * is not closed or there are too many words; -2 if there is no memory. */
static int split(const char *command, char ***result) {
  size_t length = strlen(command);
  char **words = malloc((EXTERNAL_WORDS_MAX + 1) * sizeof *words + length + 1), quote = 0;
  if (!words) return -2;
  char *to = (char *)(words + EXTERNAL_WORDS_MAX + 1);
  int n = 0;
  bool inside = false, fits = true;
  for (const char *c = command; *c && fits; c++) {
    bool blank = !quote && strchr(" \t\n", *c), mark = quote ? *c == quote : *c == '\'' || *c == '"';
    if (!blank && !inside) fits = n < EXTERNAL_WORDS_MAX;
    if (!blank && !inside && fits) words[n++] = to;
    if (mark) quote = quote ? 0 : *c;
    if (!blank && !mark) *to++ = *c;
    if (blank && inside) *to++ = '\0';
    inside = !blank;
  }
  *to = '\0';
  words[n] = NULL;
  *result = words;
  if (!quote && fits) return n;
  free(words);
  *result = NULL;
  return -1;
}

void external_destroy(External *external) {
  if (!external) return;
  free(external->command);
  free(external->words);
  free(external->variables);
  free(external->values);
  free(external);
}

static bool is_program(const char *path) {
  struct stat status;
  return !stat(path, &status) && S_ISREG(status.st_mode) && !access(path, X_OK);
}

/* Finds the program and sets path. A name with a slash is relative to the working directory; any other name is searched
 * on the PATH. */
static bool find_program(const External *external, char path[FILE_PATH_SIZE]) {
  const char *word = external->words[0], *from = getenv("PATH");
  if (strchr(word, '/')) {
    bool absolute = *word == '/';
    while (strncmp(word, "./", 2) == 0) word += 1 + strspn(word + 1, "/");
    int length = absolute ? snprintf(path, FILE_PATH_SIZE, "%s", word)
                          : snprintf(path, FILE_PATH_SIZE, "%s/%s", external->directory, word);
    return length < FILE_PATH_SIZE && is_program(path);
  }
  for (const char *at = from ? from : "/usr/bin:/bin"; *at;) {
    size_t length = strcspn(at, ":");
    if (snprintf(path, FILE_PATH_SIZE, "%.*s/%s", (int)length, at, word) < FILE_PATH_SIZE && *path == '/' &&
        is_program(path))
      return true;
    at += length + (at[length] == ':');
  }
  return false;
}

/* Returns the node of a key with one line of text. Returns NULL if the key is absent, or after reporting an invalid
 * value. */
static Node *read_text(Reader *reader, Node *section, const char *key) {
  Node *node = section ? key_get(reader, section, key) : NULL;
  if (!node || (node->kind == NODE_SCALAR && *node->text && !node_is_null(node))) return node;
  value_error(reader, node, "expected a line of text");
  return NULL;
}

/* Reads the working directory; its default is the folder of the problem file. */
static void read_directory(Reader *reader, Node *section, External *external) {
  const Node *node = read_text(reader, section, "directory");
  char beside[FILE_PATH_SIZE], whole[PATH_MAX];
  const char *name = document_name(reader->document), *slash = strrchr(name, '/'), *given = node ? node->text : ".";
  int length = *given == '/' || !slash ? snprintf(beside, sizeof beside, "%s", given)
                                       : snprintf(beside, sizeof beside, "%.*s/%s", (int)(slash - name), name, given);
  if (length < FILE_PATH_SIZE && realpath(beside, whole) && strlen(whole) < FILE_PATH_SIZE)
    strcpy(external->directory, whole);
  else
    key_error(reader, "evaluator.directory", "%s: no such folder", beside);
}

static void check_marks(Reader *reader, const Node *node, const External *external) {
  int length;
  for (int i = 0; i < external->n_words; i++)
    for (const char *word = external->words[i], *at = word; *at; at++)
      if (external_mark(word, at, &length) == EXTERNAL_UNKNOWN)
        value_error(reader, node,
                    "%.*s stands for nothing (expected {input}, {output} or {directory}; { with a blank behind it is "
                    "the program's)",
                    length, at);
}

static void read_command(Reader *reader, Node *section, External *external) {
  char path[FILE_PATH_SIZE];
  const Node *node = read_text(reader, section, "command");
  if (!node) require(reader, section, "evaluator.command", "a program and its arguments");
  if (!node) return;
  external->command = strdup(node->text);
  external->n_words = split(node->text, &external->words);
  if (!external->command || external->n_words == -2)
    reader->diagnostics->no_memory = true;
  else if (external->n_words < 0)
    value_error(reader, node, "a quote that is not closed, or more than %d words", EXTERNAL_WORDS_MAX);
  else if (external->n_words == 0 || !*external->words[0])
    value_error(reader, node, "no word (expected a program and its arguments)");
  else if (*external->directory && !find_program(external, path))
    value_error(reader, node, strchr(external->words[0], '/') ? "no program %s in %s" : "no program %s on the PATH",
                external->words[0], external->directory);
  else if (*external->directory)
    strcpy(external->program, path);
  check_marks(reader, node, external);
}

/* Counts the entries of a list, each of which must be a mapping. Returns 0 if there are none or they have errors. */
static int count_items(Reader *reader, Node *list, const char *what) {
  if (!list) return 0;
  if (list->kind != NODE_SEQUENCE || list->n == 0 || list->n > CTL_CONTROLS_MAX) {
    value_error(reader, list, "expected a list of 1 to %d %s, {name: ..}", CTL_CONTROLS_MAX, what);
    list->ignored = true;
    return 0;
  }
  for (Node *item = list->first; item; item = item->next)
    if (item->kind != NODE_MAPPING) {
      value_error(reader, item, "expected {name: ..}");
      return 0;
    }
  return (int)list->n;
}

static void read_item(Reader *reader, Node *node, const SimParameter *rows, int before, char (*names)[LABEL_SIZE],
                      Item *item) {
  const Node *name = read_text(reader, node, "name");
  sim_parameters_set_defaults(rows, item);
  node->known = true;
  parameters_read(reader, node, rows, item);
  if (!name && !key_get(reader, node, "name")) value_error(reader, node, "name is missing");
  if (!name) return;
  if (!label_is_name(name->text) || strlen(name->text) >= LABEL_SIZE) {
    value_error(reader, name, "no name (expected up to %d letters, digits, _ - . of which one is no digit)",
                LABEL_SIZE - 1);
    return;
  }
  for (int i = 0; i < before; i++)
    if (strcmp(names[i], name->text) == 0) {
      value_error(reader, name, "%s, as an earlier one is called", name->text);
      return;
    }
  strcpy(names[before], name->text);
}

static void read_variables(Reader *reader, Node *list, External *external, CtlProblem *control) {
  int i = 0;
  for (Node *node = external->n ? list->first : NULL; node; node = node->next, i++) {
    Item item = {0};
    read_item(reader, node, evaluator_variable_parameters, i, external->variables, &item);
    control->start[i] = item.start;
    control->lower[i] = item.lower;
    control->upper[i] = item.upper;
  }
}

static void read_values(Reader *reader, Node *list, External *external, CtlProblem *control) {
  int i = 0;
  if (!list) strcpy(external->values[0], "f");
  for (Node *node = list && external->m ? list->first : NULL; node; node = node->next, i++) {
    Item item = {0};
    read_item(reader, node, evaluator_value_parameters, i, external->values, &item);
    stiction_control_set_role(control, i, item.role, item.target, item.tolerance);
    if (item.role < CTL_ROLE_EQUAL && (node_get(node, "target", NULL) || node_get(node, "tolerance", NULL)))
      value_error(reader, node,
                  "a target or tolerance of what is minimised (expected role equal, at_most or at_least)");
  }
}

void read_evaluator(Reader *reader, Node *root) {
  Problem *problem = reader->problem;
  External *external = problem->external = calloc(1, sizeof *external);
  Node *section = read_section(reader, root, "evaluator");
  Node *variables = section ? key_get(reader, section, "variables") : NULL,
       *values = section ? key_get(reader, section, "values") : NULL;
  if (!external) {
    reader->diagnostics->no_memory = true;
    return;
  }
  if (section && !variables) require(reader, section, "evaluator.variables", "a list of {name: .., start: ..}");
  external->n = count_items(reader, variables, "variables");
  external->m = values ? count_items(reader, values, "values") : 1;
  int n = external->n ? external->n : 1, m = external->m ? external->m : 1;
  external->variables = calloc((size_t)n, sizeof *external->variables);
  external->values = calloc((size_t)m, sizeof *external->values);
  if (!external->variables || !external->values || ctl_problem_init_values(&problem->control, n, m) != SIM_OK) {
    reader->diagnostics->no_memory = true;
    return;
  }
  problem->has_control = true;
  reader->p = external->n;
  sim_parameters_set_defaults(evaluator_parameters, external);
  parameters_read(reader, section, evaluator_parameters, external);
  read_directory(reader, section, external);
  read_command(reader, section, external);
  read_variables(reader, variables, external, &problem->control);
  read_values(reader, values, external, &problem->control);
}

/* Returns an item as JSON: its name, and the keys in the table `rows`. NULL if there is no memory. */
static json_t *echo_item(const char *name, const SimParameter *rows, const Item *item) {
  json_t *echo = json_pack("{s:s}", "name", name);
  return json_if(echo && parameters_echo(rows, item, echo), echo);
}

static json_t *echo_variables(const External *external, const CtlProblem *control) {
  json_t *list = json_array();
  bool good = list != NULL;
  for (int i = 0; i < external->n && good; i++) {
    const Item item = {.start = control->start[i], .lower = control->lower[i], .upper = control->upper[i]};
    json_t *echo = echo_item(external->variables[i], evaluator_variable_parameters, &item);
    good = json_array_append_new(list, echo) == 0;
  }
  return json_if(good, list);
}

static json_t *echo_values(const External *external, const CtlProblem *control) {
  json_t *list = json_array();
  bool good = list != NULL;
  for (int i = 0; i < external->m && good; i++) {
    bool aimed = control->roles[i] >= CTL_ROLE_EQUAL;
    const Item item = {.role = control->roles[i],
                       .target = aimed ? control->position[i] : INFINITY, /* INFINITY marks a value without target */
                       .tolerance = aimed ? control->position_scale[i] : 0};
    json_t *echo = echo_item(external->values[i], evaluator_value_parameters, &item);
    good = json_array_append_new(list, echo) == 0;
  }
  return json_if(good, list);
}

json_t *echo_evaluator(const Problem *problem) {
  const External *external = problem->external;
  json_t *section =
      json_pack("{s:s, s:s, s:o, s:o}", "command", external->command, "directory", external->directory, "variables",
                echo_variables(external, &problem->control), "values", echo_values(external, &problem->control));
  return json_if(section && parameters_echo(evaluator_parameters, external, section), section);
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables of the keys of motion plans. */
#include "src/file/sections/motion_plan_read.h"

#include <math.h>
#include <string.h>

enum { VECTOR = SIM_FORM_NUMBER | SIM_FORM_LIST | SIM_FORM_NULLS | SIM_FORM_WEIGHTED };

const SimParameter planned_end_parameters[] = {
    {"at_least", SIM_FORM_NUMBER, "s", "least T", SIM_ABOVE(0), .default_text = "1/500 of the model's time scale"},
    {"at_most", SIM_FORM_NUMBER, "s", "greatest T; forces must be given until then", SIM_ABOVE(0),
     .default_text = "20 of the model's time scales"},
    {"start", SIM_FORM_NUMBER, "s", "T where the search begins", SIM_ABOVE(0),
     .default_text = "the model's time scale, or the middle of the interval if shorter"},
    {0}};

static const SimParameter track_keys[] = {
    {"position", SIM_FORM_VECTOR | SIM_FORM_NULLS, "m", "x(t) to follow; null entries are free", .variables = "t",
     .default_text = "free"},
    {"velocity", SIM_FORM_VECTOR | SIM_FORM_NULLS, "m/s", "x'(t) to follow, likewise", .variables = "t",
     .default_text = "free"},
    {"weight", SIM_FORM_NUMBER | SIM_FORM_LIST | SIM_FORM_WEIGHTED, NULL,
     "of the squares of both, integrated over time; an entry a joint", SIM_AT_LEAST(0), .default_text = "1"},
    {0}};

static const SimParameter end_keys[] = {
    {"position", VECTOR, "m", "x(T) to come near; null entries are free", .default_text = "free"},
    {"velocity", VECTOR, "m/s", "x'(T), likewise", .default_text = "free"},
    {"weight", SIM_FORM_NUMBER | SIM_FORM_LIST | SIM_FORM_WEIGHTED, NULL, "of the squares of both; an entry a joint",
     SIM_AT_LEAST(0), .default_text = "1"},
    {0}};

const SimChoice planned_minimize_words[] = {
    {"effort", 0, "J, the integral of N u.u"}, {"time", 1, "T"}, {"fuel", 2, "the integral of the sum of |u_j|"}, {0}};

const SimParameter planned_minimize_parameters[] = {
    {"effort", SIM_FORM_NUMBER, NULL, "weight of J, the integral of N u.u", SIM_ABOVE(0), .default_text = "none"},
    {"around", SIM_FORM_NUMBER | SIM_FORM_LIST | SIM_FORM_WEIGHTED, "N",
     "u of effort 0: J is then that of u less this; or hold: what holds a mechanism at its target against its weight",
     .default_text = "0"},
    {"time", SIM_FORM_NUMBER, NULL, "weight of T", SIM_ABOVE(0), .default_text = "none"},
    {"fuel", SIM_FORM_NUMBER, NULL, "weight of the integral of the sum of |u_j|", SIM_ABOVE(0), .default_text = "none"},
    {"energy", SIM_FORM_NUMBER, NULL,
     "weight of the work of the controls, J: of each the integral of max(0, u_j (B'x')_j), for what they brake is lost",
     SIM_ABOVE(0), .default_text = "none"},
    {"track", SIM_FORM_SECTION, NULL, "a motion to follow: adds its integral of squares", .parts = track_keys,
     .default_text = "none"},
    {"end", SIM_FORM_SECTION, NULL, "an end to come near: adds its squares", .parts = end_keys, .default_text = "none"},
    {0}};

static const SimParameter position_limits[] = {{"lower", VECTOR, "m", "least x(t)", .default_text = "none"},
                                               {"upper", VECTOR, "m", "greatest x(t)", .default_text = "none"},
                                               {0}};
static const SimParameter velocity_limits[] = {{"lower", VECTOR, "m/s", "least x'(t)", .default_text = "none"},
                                               {"upper", VECTOR, "m/s", "greatest x'(t)", .default_text = "none"},
                                               {0}};

const SimParameter planned_limits_parameters[] = {
    {"position", SIM_FORM_SECTION, NULL, "of x(t)", .parts = position_limits, .default_text = "none"},
    {"velocity", SIM_FORM_SECTION, NULL, "of x'(t)", .parts = velocity_limits, .default_text = "none"},
    {"speed", VECTOR, "m/s", "greatest |x'(t)|; an entry a joint, null: none; urdf: those of the robot's file",
     SIM_ABOVE(0), .default_text = "none"},
    {"power", VECTOR, "W", "greatest |u_j (B'x')_j|; an entry a control, null: none", SIM_ABOVE(0),
     .default_text = "none"},
    {"points", SIM_FORM_NAMED_LISTS | SIM_FORM_INTERVALS | SIM_FORM_NULLS, "m",
     "places of a mechanism's points, in intervals; null entries are free", .default_text = "none"},
    {0}};

const SimParameter planned_initial_parameters[] = {
    {"position", SIM_FORM_LIST | SIM_FORM_NULLS | SIM_FORM_INTERVALS | SIM_FORM_FREE | SIM_FORM_WEIGHTED, "m",
     "x(0): free, an interval, a number; null entries are those of the model", .default_text = "model.x0"},
    {"velocity", SIM_FORM_LIST | SIM_FORM_NULLS | SIM_FORM_INTERVALS | SIM_FORM_FREE | SIM_FORM_WEIGHTED, "m/s",
     "x'(0), likewise", .default_text = "model.v0"},
    {0}};

const SimChoice planned_periodic_words[] = {{"no", 0, "it need not"}, {"yes", 1, "x(T) = x(0), x'(T) = x'(0)"}, {0}};

const SimParameter planned_periodic_parameters[] = {
    {"advance", VECTOR, "m", "x(T) - x(0); null entries are free, of x alone; an entry a joint", .default_text = "0"},
    {0}};

static bool has_key(const Node *mapping, const char *key) {
  for (const Node *child = mapping->first; child; child = child->next)
    if (strcmp(child->key, key) == 0) return true;
  return false;
}

static bool is_interval(const Node *node) {
  return node->kind == NODE_MAPPING && (has_key(node, "at_least") || has_key(node, "at_most"));
}

bool planned_has_intervals(const Node *node) {
  if (!node || node->kind == NODE_SCALAR) return false;
  if (is_interval(node)) return true;
  for (const Node *entry = node->first; entry; entry = entry->next)
    if (is_interval(entry)) return true;
  return false;
}

const char *motion_plan_key(const Document *document) {
  static const char *const keys[] = {"control.minimize",      "control.limits",        "control.target.via",
                                     "control.initial",       "control.periodic",      "control.target.combinations",
                                     "control.target.points", "control.signal.lengths"},
                           *const targets[] = {"control.target.position", "control.target.velocity"};
  const Node *end = document_find(document, "time.end");
  if (end && (end->kind == NODE_MAPPING || (end->kind == NODE_SCALAR && strcmp(end->text, "free") == 0)))
    return "time.end: free";
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
    if (document_find(document, keys[k])) return keys[k];
  for (int k = 0; k < 2; k++)
    if (planned_has_intervals(document_find(document, targets[k]))) return "an interval in control.target";
  return NULL;
}

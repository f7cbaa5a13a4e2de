/* model.kind: mechanism, while it is read: names, expressions, equations. Private to mechanism*.c. */
#ifndef SRC_MECHANISM_MAKING_H
#define SRC_MECHANISM_MAKING_H

#include "src/file/model/mechanism.h"

enum { MECHANISM_MOST = 64, MECHANISM_NODES_MAX = 100000, MAKING_LIST_SIZE = 160 };

/* A mechanism while its section is read. */
typedef struct Making {
  Reader *reader;
  Node *model;
  Mechanism *made;
  SimMechanism *sim; /* made->sim; NULL until the coordinates are known */
  /* What names stand for in expressions: coordinates and their rates, t, parameters, definitions. */
  int n_names, room;
  char (*names)[LABEL_SIZE + 1]; /* [n_names], a rate with ' */
  int *nodes;                    /* [n_names] */
  int first_defined;             /* number of the first definition in them */
  int kinetic, potential;        /* nodes of sums, J */
  double gravity;                /* m/s^2 */
} Making;

/* What an expression may depend on, besides parameters. */
enum { MAY_MOVE = 1, MAY_TURN_WITH_TIME = 2, MAY_USE_RATES = 4, MAY_ALL = 7 };

/* mechanism_names.c */

/* Whether a key can be a name of an expression and is free; reported otherwise. */
bool making_name_is_good(Making *making, const Node *node);
/* Adds a name; its text is copied. */
void making_add_name(Making *making, const char *name, const char *end, int node);
/* The node of an expression; -1, reported, where it is none or depends on more than `may`. */
int making_expression(Making *making, Node *node, unsigned may);
/* Reads parameters: names [n] and values, which the caller frees. Returns their number. */
int making_read_parameters(Making *making, char (**names)[LABEL_SIZE], double **values);
void making_read_definitions(Making *making);
/* The coordinate of a name or number, from 0; -1: none. */
int making_coordinate(const Making *making, const char *name);
/* The names of the coordinates, for a message; returns list. */
const char *making_list_coordinates(const Making *making, char list[MAKING_LIST_SIZE]);

/* mechanism_forces.c: force, viscous, armature and friction of each coordinate. */
void making_read_forces(Making *making);

/* mechanism_start.c: x0, v0 and what follows from them; reports why nothing can move from there. */
void making_start(Making *making);

/* mechanism_bodies.c: keys of a body and of a link, and what they add to the energies. */
extern const SimParameter mechanism_body_keys[], mechanism_link_keys[];
void making_read_bodies(Making *making);
void making_read_links(Making *making, Node *links);

/* mechanism_urdf.c: the coordinates of a robot's file, and its bodies, friction, damping and limits. */
typedef struct Urdf Urdf;
int making_urdf_names(const Urdf *urdf, char (*names)[LABEL_SIZE]); /* their number, or MECHANISM_MOST + 1 */
void making_add_urdf(Making *making, Urdf *urdf);

#endif

/* SPDX-License-Identifier: BSD-2-Clause */
/* Data of a mechanism while its section is read: names, expressions and equations. Used by mechanism*.c only. */
#ifndef SRC_MECHANISM_MAKING_H
#define SRC_MECHANISM_MAKING_H

#include "src/file/model/mechanism.h"

enum { MECHANISM_MOST = 64, MECHANISM_POINTS_MOST = 12, MECHANISM_NODES_MAX = 100000, MAKING_LIST_SIZE = 160 };

/* A mechanism while its section is read. */
typedef struct Making {
  Reader *reader;
  Node *model;
  Mechanism *made;
  SimMechanism *sim; /* equations of motion, a member of the mechanism that is being read; NULL until the coordinates
                      * are known */
  /* Names that expressions may use: coordinates and their rates, t, parameters and definitions. */
  int n_names, room;
  char (*names)[LABEL_SIZE + 1]; /* [n_names] the names; the name of a rate ends with ' */
  int *nodes;                    /* [n_names] nodes of the graph that the names stand for */
  int first_defined;             /* index of the first definition among the names */
  int kinetic, potential;        /* nodes of the sums of kinetic and of potential energy so far, in J */
  double gravity;                /* acceleration of gravity, in m/s^2 */
  MechanismPoint *links;         /* [n_links] ends of the links, or the origins of the links of a URDF file; `points`
                                  * of the problem file refer to them */
  int n_links;
} Making;

/* Flags: what an expression may depend on in addition to parameters. MAY_MOVE: coordinates. MAY_TURN_WITH_TIME: t.
 * MAY_USE_RATES: rates of coordinates. */
enum { MAY_MOVE = 1, MAY_TURN_WITH_TIME = 2, MAY_USE_RATES = 4, MAY_ALL = 7 };

/* Functions of mechanism_names.c, for names and expressions: */

/* Returns whether a key can be a new name in expressions; reports an error if the key is invalid or in use. */
bool making_name_is_good(Making *making, const Node *node);
/* Adds a name, composed of `name` and the ending `end`, which are copied. node: the node of the graph that the name
 * stands for. */
void making_add_name(Making *making, const char *name, const char *end, int node);
/* Returns the node of an expression in the graph. Returns -1 after reporting that the expression is invalid or depends
 * on more than the flags `may` allow. */
int making_expression(Making *making, Node *node, unsigned may);
/* Returns the value of an expression for all coordinates and times, with the values of the parameters; NAN if it
 * depends on them. */
double making_value(Making *making, int node);
/* Reports an expression that is negative for all coordinates and times, with the values of the parameters, where it
 * must be >= 0. If the expression is only the name of a parameter, the error is reported for the parameter. made: node
 * of the expression in the graph. Returns `made`, or -1 after an error. */
int making_not_negative(Making *making, const Node *node, int made);
/* Reads the parameters: names [n] and values [n], which the caller frees. Returns the number n of parameters. */
int making_read_parameters(Making *making, char (**names)[LABEL_SIZE], double **values);
void making_read_definitions(Making *making);
/* Returns the index, from 0, of the coordinate with a name or number; -1 if there is none. */
int making_coordinate(const Making *making, const char *name);
/* Writes the names of the coordinates into `list` for a message. Returns list. */
const char *making_list_coordinates(const Making *making, char list[MAKING_LIST_SIZE]);

/* Reads force, viscous, armature and friction of the coordinates. In mechanism_forces.c. */
void making_read_forces(Making *making);

/* Functions of mechanism_spots.c, for links and for drawings of a mechanism. A spot is a point that a drawing shows. */

/* Adds the place of a link that points may name: the point [3] of nodes in the frame of body i (-1: of the base). A
 * link that no point names is left out. */
void making_add_link(Making *making, const MechanismBody *bodies, int i, const int *point, bool planar,
                     const char *name);
/* Sets *point to the place of the link that a node names. Returns false after reporting that there is none. */
bool making_place_of_link(Making *making, Node *node, MechanismPoint *point);
/* Adds a point that drawings show (a spot). name: NULL: the point has no name. at: [n] nodes of the graph for its
 * coordinates. Returns the index of the spot; -1 if memory is lacking, which is recorded. */
int making_add_spot(Making *making, const char *name, int n, const int *at);
/* Adds to drawings the joints of bodies [d] that form a tree, and the lines between the joints. length: [d] nodes of
 * the graph for the lengths of links in a chain, and the end of each link is drawn; NULL: the centre of mass is drawn
 * for each body that carries no other. planar: whether points have two coordinates instead of three. */
void making_draw_tree(Making *making, const MechanismBody *bodies, const int *length, bool planar);
void making_read_lines(Making *making); /* reads the key lines */

/* Reads x0 and v0 and computes the data of the start. Reports why no motion can start from x0, v0. In
 * mechanism_start.c. */
void making_start(Making *making);

/* Sets a link's centre and reach, if only revolute joints are between the base and body i. The link's place is the
 * point [3] of nodes in the frame of this body. In mechanism_reach.c. */
void making_bound_link(Making *making, const MechanismBody *bodies, int i, const int *point, MechanismPoint *link);

/* Keys of a body and of a link, and functions that read them and add their energies. In mechanism_bodies.c. */
extern const SimParameter mechanism_body_keys[], mechanism_link_keys[];
void making_read_bodies(Making *making);
void making_read_links(Making *making, Node *links);

/* The coordinates of a robot's file, and its bodies, friction, damping and limits. In mechanism_urdf.c. */
typedef struct Urdf Urdf;
/* returns the number of coordinates, or MECHANISM_MOST + 1 if the file has more than MECHANISM_MOST */
int making_urdf_names(const Urdf *urdf, char (*names)[LABEL_SIZE]);
void making_add_urdf(Making *making, Urdf *urdf);

#endif

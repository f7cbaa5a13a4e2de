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
  int first_defined;             /* index in `names` of the first definition */
  int kinetic, potential;        /* graph nodes of the sums of the kinetic and of the potential energies read so far, in
                                  * J */
  double gravity;                /* acceleration of gravity, in m/s^2 */
  MechanismPoint *links;         /* [n_links] ends of the links, or the origins of the links of a URDF file; `points`
                                  * of the problem file refer to them */
  int n_links;
} Making;

/* Flags of what an expression may depend on in addition to parameters:
 * MAY_MOVE: coordinates
 * MAY_TURN_WITH_TIME: the time t
 * MAY_USE_RATES: rates of coordinates */
enum { MAY_MOVE = 1, MAY_TURN_WITH_TIME = 2, MAY_USE_RATES = 4, MAY_ALL = 7 };

/* Functions of mechanism_names.c for names and expressions --------------------------------------------------------- */

/* Returns whether a key can be a new name in expressions; reports an error if the key is invalid or in use. */
bool making_name_is_good(Making *making, const Node *node);
/* Adds a name that expressions may use. It is the text `name` followed by the text `end`, e.g. ' for a rate; both are
 * copied. node: the node of the graph that the name stands for. */
void making_add_name(Making *making, const char *name, const char *end, int node);
/* Returns the node of an expression in the graph. Returns -1 after reporting that the expression is invalid or depends
 * on more than the flags `may` allow. */
int making_expression(Making *making, Node *node, unsigned may);
/* Returns the value of an expression that depends neither on coordinates nor on time, for the given values of the
 * parameters; NAN if it depends on them. */
double making_value(Making *making, int node);
/* Reports an expression that must be >= 0 but is negative for all coordinates and times, given the values of the
 * parameters. If the expression is only the name of a parameter, the error is reported for the parameter. made: graph
 * node of the expression. Returns `made`, or -1 after an error. */
int making_not_negative(Making *making, const Node *node, int made);
/* Reads the parameters. Sets names [n] and values [n], which the caller frees, and returns their number n. */
int making_read_parameters(Making *making, char (**names)[LABEL_SIZE], double **values);
void making_read_definitions(Making *making);
/* Returns the index, from 0, of the coordinate with this name or number; -1 if there is none. */
int making_coordinate(const Making *making, const char *name);
/* Writes the names of the coordinates into `list` for a message. Returns list. */
const char *making_list_coordinates(const Making *making, char list[MAKING_LIST_SIZE]);

/* Reads the forces, viscous friction, armature and dry friction of the coordinates. Defined in mechanism_forces.c. */
void making_read_forces(Making *making);

/* Functions of mechanism_spots.c for links and for drawings of a mechanism. A spot is a point that a drawing shows. */

/* If a point of the key `points` refers to the link by its name, stores the position of the link. point: [3] graph
 * nodes of the position in the frame of body i; i = -1: in the frame of the base. planar: the position has two
 * coordinates instead of three. */
void making_add_link(Making *making, const MechanismBody *bodies, int i, const int *point, bool planar,
                     const char *name);
/* Sets *point to the position of the link that is named in the file. Returns false after reporting that no link has
 * this name. */
bool making_place_of_link(Making *making, Node *node, MechanismPoint *point);
/* Adds a point that drawings show (a spot). name: NULL: the point has no name. at: [n] nodes of the graph for its
 * coordinates. Returns the index of the spot; -1 if memory is lacking, which is recorded. */
int making_add_spot(Making *making, const char *name, int n, const int *at);
/* Adds the tree of bodies [d] to drawings: its joints, and the lines between them. length: [d] graph nodes of the
 * lengths of the links of a chain, of which each end is drawn. If length is NULL, the centre of mass is drawn for each
 * body that carries no other body. planar: points have two coordinates instead of three. */
void making_draw_tree(Making *making, const MechanismBody *bodies, const int *length, bool planar);
void making_read_lines(Making *making); /* reads the key lines */

/* Reads x0 and v0 and computes the data of the initial state. Reports the reason if no motion can start from x0, v0.
 * Defined in mechanism_start.c. */
void making_start(Making *making);

/* Sets the members centre and reach of a link, if only revolute joints are between the base and body i. point: nodes
 * [3] of the graph with the link's place in the frame of this body. Defined in mechanism_reach.c. */
void making_bound_link(Making *making, const MechanismBody *bodies, int i, const int *point, MechanismPoint *link);

/* Keys of a body and of a link, and functions that read bodies and links and add their energies. Defined in
 * mechanism_bodies.c. */
extern const SimParameter mechanism_body_keys[], mechanism_link_keys[];
void making_read_bodies(Making *making);
void making_read_links(Making *making, Node *links);

/* Functions that read a robot's file (URDF): its coordinates, bodies, friction, damping and limits. Defined in
 * mechanism_urdf.c. */
typedef struct Urdf Urdf;
/* returns the number of coordinates, or MECHANISM_MOST + 1 if the file has more than MECHANISM_MOST */
int making_urdf_names(const Urdf *urdf, char (*names)[LABEL_SIZE]);
void making_add_urdf(Making *making, Urdf *urdf);

#endif

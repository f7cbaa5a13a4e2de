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
  char (*names)[LABEL_SIZE + 1]; /* [n_names] the names; that of a rate ends with ' */
  int *nodes;                    /* [n_names] nodes of the graph that the names stand for */
  int first_defined;             /* index of the first definition among the names */
  int kinetic, potential;        /* nodes of the sums of kinetic and of potential energy so far, J */
  double gravity;                /* acceleration of gravity, m/s^2 */
} Making;

/* Flags: what an expression may depend on in addition to parameters. MAY_MOVE: coordinates. MAY_TURN_WITH_TIME: t.
 * MAY_USE_RATES: rates of coordinates. */
enum { MAY_MOVE = 1, MAY_TURN_WITH_TIME = 2, MAY_USE_RATES = 4, MAY_ALL = 7 };

/* Functions of mechanism_names.c: */

/* Returns whether a key can be a name in expressions and is not in use yet; reports an error if not. */
bool making_name_is_good(Making *making, const Node *node);
/* Adds a name, composed of `name` and the ending `end`, which are copied. node: the node that it stands for. */
void making_add_name(Making *making, const char *name, const char *end, int node);
/* Returns the node of an expression. Returns -1 after reporting that it is invalid or depends on more than the flags
 * `may` allow. */
int making_expression(Making *making, Node *node, unsigned may);
/* Reads the parameters: names [n] and values [n], which the caller frees. Returns their number n. */
int making_read_parameters(Making *making, char (**names)[LABEL_SIZE], double **values);
void making_read_definitions(Making *making);
/* Returns the index, from 0, of the coordinate with a name or number; -1 if there is none. */
int making_coordinate(const Making *making, const char *name);
/* Writes the names of the coordinates into `list` for a message. Returns list. */
const char *making_list_coordinates(const Making *making, char list[MAKING_LIST_SIZE]);

/* Reads force, viscous, armature and friction of the coordinates. In mechanism_forces.c. */
void making_read_forces(Making *making);

/* Functions of mechanism_spots.c: */

/* Adds a spot of drawings. name: NULL: it has none. at: [n] nodes of its place. Returns its index; -1 if there is no
 * memory, which is recorded. */
int making_add_spot(Making *making, const char *name, int n, const int *at);
/* Adds the line of a drawing from one spot to another, by their indices. */
void making_add_line(Making *making, int from, int to);
/* Adds the joints of bodies [d] that form a tree and the lines between them. length: nodes of the lengths [d] of links
 * in a chain, of which the end of each is drawn; NULL: of bodies that carry no other, the centre of mass is drawn.
 * planar: whether places have two entries. */
void making_draw_tree(Making *making, const MechanismBody *bodies, const int *length, bool planar);
void making_read_lines(Making *making); /* reads the key lines */

/* Reads x0 and v0 and computes the data of the start. Reports why no motion can start from there. In
 * mechanism_start.c. */
void making_start(Making *making);

/* Keys of a body and of a link, and functions that read them and add their energies. In mechanism_bodies.c. */
extern const SimParameter mechanism_body_keys[], mechanism_link_keys[];
void making_read_bodies(Making *making);
void making_read_links(Making *making, Node *links);

/* The coordinates of a robot's file, and its bodies, friction, damping and limits. In mechanism_urdf.c. */
typedef struct Urdf Urdf;
int making_urdf_names(const Urdf *urdf, char (*names)[LABEL_SIZE]); /* returns the number of the names;
                                                                     * MECHANISM_MOST + 1 if there are more than
                                                                     * MECHANISM_MOST */
void making_add_urdf(Making *making, Urdf *urdf);

#endif

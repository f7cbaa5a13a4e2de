/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/file/values/urdf.h"

#include "src/base/decimal.h"
#include "src/base/file_open.h"

#include <expat.h>
#include <math.h>
#include <stdarg.h>

enum { DEPTH_MAX = 64, MESSAGE_SIZE = 400, WORD_SIZE = 64, INERTIAS = 6 };

/* Names of the links of a joint, kept while the file is read, since a joint may precede the links that it names. */
typedef struct Names {
  char *parent, *child;
} Names;

typedef struct Parse {
  XML_Parser parser;
  const char *path, *key;
  int rank;
  Diagnostics *diagnostics;
  Urdf *urdf;
  Names *names; /* [n_joints] names of the links of each joint */
  int depth;
  bool in_link, in_joint, in_inertial, good;
  double turn[3][3];        /* rotation matrix of the frame of the element `inertial` */
  double inertia[INERTIAS]; /* moments of inertia xx, yy, zz, xy, yz, xz in that frame, in kg m^2 */
} Parse;

static Place place_of(const Parse *parse) {
  return (Place){.name = parse->path,
                 .rank = parse->rank,
                 .line = (long)XML_GetCurrentLineNumber(parse->parser),
                 .column = (long)XML_GetCurrentColumnNumber(parse->parser) + 1};
}

static bool LIKE_PRINTF(2, 3) wrong(Parse *parse, const char *format, ...) {
  char text[MESSAGE_SIZE];
  va_list arguments;
  Place place = place_of(parse);
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  diagnostics_add(parse->diagnostics, &place, parse->key, "%s", text);
  return parse->good = false;
}

static UrdfLink *link_of(const Parse *parse) { return &parse->urdf->links[parse->urdf->n_links - 1]; }
static UrdfJoint *joint_of(const Parse *parse) { return &parse->urdf->joints[parse->urdf->n_joints - 1]; }

static const char *owner(const Parse *parse) {
  if (parse->in_link) return link_of(parse)->name;
  return parse->in_joint ? joint_of(parse)->name : "robot";
}

static const char *attribute(const char **attributes, const char *name) {
  for (; *attributes; attributes += 2)
    if (strcmp(*attributes, name) == 0) return attributes[1];
  return NULL;
}

/* Reads the numbers [n] of an attribute, separated by blanks. Reports an attribute with other content and returns
 * false. If the attribute is absent, the numbers are unchanged. */
static bool numbers(Parse *parse, const char *element, const char **attributes, const char *name, int n,
                    double *values) {
  const char *text = attribute(attributes, name), *blanks = " \t\r\n";
  char excerpt[EXCERPT_SIZE], word[WORD_SIZE];
  int read = 0;
  for (const char *at = text ? text + strspn(text, blanks) : ""; *at; at += strspn(at, blanks)) {
    size_t length = strcspn(at, blanks);
    double value;
    snprintf(word, sizeof word, "%.*s", length < WORD_SIZE ? (int)length : 0, at);
    if (read < n && decimal_read(word, &value) && isfinite(value))
      values[read++] = value;
    else
      return wrong(parse, "%s: %s of %s is %s (expected %s%s)", owner(parse), name, element,
                   text_excerpt(text, excerpt), n == 1 ? "a number" : "three numbers",
                   strchr(text, '$') ? "; xacro makes them" : "");
    at += length;
  }
  if (!text || read == n) return true;
  return wrong(parse, "%s: %s of %s is %s (expected %s)", owner(parse), name, element, text_excerpt(text, excerpt),
               n == 1 ? "a number" : "three numbers");
}

/* Reads one number of an attribute, and reports a negative number. */
static void positive(Parse *parse, const char *element, const char **attributes, const char *name, double *value) {
  if (numbers(parse, element, attributes, name, 1, value) && *value < 0)
    wrong(parse, "%s: %s of %s is %g (expected >= 0)", owner(parse), name, element, *value);
}

/* Computes sine and cosine of an angle. For multiples of a right angle, which files write with ten digits, the results
 * are exact. */
static void sine_cosine(double angle, double *sine, double *cosine) {
  static const double right = 1.57079632679489661923, near = 1e-9, quarters[] = {0, 1, 0, -1};
  double turns = rint(angle / right);
  bool exact = fabs(angle - turns * right) < near && fabs(turns) < 1e6;
  int quarter = exact ? (int)turns & 3 : 0;
  *sine = exact ? quarters[quarter] : sin(angle);
  *cosine = exact ? quarters[(quarter + 1) & 3] : cos(angle);
}

/* Computes the rotation matrix for roll, pitch and yaw, rotations about the axes x, y, z of the outer frame. */
static void make_turn(const double *rpy, double turn[3][3]) {
  double s[3], c[3];
  for (int i = 0; i < 3; i++) sine_cosine(rpy[i], &s[i], &c[i]);
  const double made[3][3] = {
      {c[2] * c[1], c[2] * s[1] * s[0] - s[2] * c[0], c[2] * s[1] * c[0] + s[2] * s[0]},
      {s[2] * c[1], s[2] * s[1] * s[0] + c[2] * c[0], s[2] * s[1] * c[0] - c[2] * s[0]},
      {-s[1], c[1] * s[0], c[1] * c[0]},
  };
  memcpy(turn, made, sizeof made);
}

static void read_origin(Parse *parse, const char **attributes, double *origin, double turn[3][3]) {
  double rpy[3] = {0};
  numbers(parse, "origin", attributes, "xyz", 3, origin);
  if (numbers(parse, "origin", attributes, "rpy", 3, rpy)) make_turn(rpy, turn);
}

/* Returns a copy of the name of an element. */
static char *name_of(Parse *parse, const char *element, const char *name, const char **attributes) {
  const char *text = attribute(attributes, name);
  char *copy = strdup(text ? text : "");
  if (!copy) parse->diagnostics->no_memory = true;
  if (!text || !*text) wrong(parse, "%s of %s is missing", name, element);
  return copy;
}

static const double one[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* Makes room for one more item in a list of n items. Returns false if there is no memory. */
static bool reserve(Parse *parse, void **list, int n, size_t size) {
  /* number of items by which a list grows */
  enum { STEP = 16 };
  if (n == URDF_LINKS_MAX) return wrong(parse, "more than %d links or joints", URDF_LINKS_MAX);
  void *larger = n % STEP ? *list : realloc(*list, (size_t)(n + STEP) * size);
  if (!larger) parse->diagnostics->no_memory = true;
  if (larger) *list = larger;
  return larger;
}

static void begin_link(Parse *parse, const char **attributes) {
  Urdf *urdf = parse->urdf;
  if (!reserve(parse, (void **)&urdf->links, urdf->n_links, sizeof *urdf->links)) return;
  urdf->links[urdf->n_links++] = (UrdfLink){.name = name_of(parse, "link", "name", attributes), .joint = -1};
  parse->in_link = link_of(parse)->name;
  for (int i = 0; parse->in_link && i < urdf->n_links - 1; i++)
    if (strcmp(urdf->links[i].name, link_of(parse)->name) == 0) wrong(parse, "link %s twice", link_of(parse)->name);
}

static void begin_joint(Parse *parse, const char **attributes) {
  static const struct {
    const char *type;
    UrdfMotion motion;
  } types[] = {{"revolute", URDF_TURNS}, {"continuous", URDF_TURNS}, {"prismatic", URDF_SLIDES}, {"fixed", URDF_FIXED}};
  enum { TYPES = sizeof types / sizeof *types };
  Urdf *urdf = parse->urdf;
  const char *type = attribute(attributes, "type");
  char excerpt[EXCERPT_SIZE];
  int k = 0;
  if (!reserve(parse, (void **)&parse->names, urdf->n_joints, sizeof *parse->names) ||
      !reserve(parse, (void **)&urdf->joints, urdf->n_joints, sizeof *urdf->joints))
    return;
  parse->names[urdf->n_joints] = (Names){NULL, NULL};
  urdf->joints[urdf->n_joints++] = (UrdfJoint){.name = name_of(parse, "joint", "name", attributes),
                                               .axis = {1, 0, 0},
                                               .effort = INFINITY,
                                               .speed = INFINITY,
                                               .lower = -INFINITY,
                                               .upper = INFINITY,
                                               .place = place_of(parse)};
  memcpy(joint_of(parse)->turn, one, sizeof one);
  parse->in_joint = joint_of(parse)->name;
  if (!parse->in_joint) return;
  for (int i = 0; i < urdf->n_joints - 1; i++)
    if (strcmp(urdf->joints[i].name, joint_of(parse)->name) == 0) wrong(parse, "joint %s twice", joint_of(parse)->name);
  while (k < TYPES && (!type || strcmp(types[k].type, type) != 0)) k++;
  if (k < TYPES)
    joint_of(parse)->motion = types[k].motion;
  else
    wrong(parse, "%s: type %s (expected revolute, continuous, prismatic or fixed%s)", joint_of(parse)->name,
          type ? text_excerpt(type, excerpt) : "is missing",
          type && (!strcmp(type, "floating") || !strcmp(type, "planar"))
              ? "; several of these, by links without mass between, make a joint of more freedom"
              : "");
}

static void begin_in_inertial(Parse *parse, const char *element, const char **attributes) {
  static const char *const names[INERTIAS] = {"ixx", "iyy", "izz", "ixy", "iyz", "ixz"};
  UrdfLink *link = link_of(parse);
  if (strcmp(element, "origin") == 0) read_origin(parse, attributes, link->centre, parse->turn);
  if (strcmp(element, "mass") == 0) positive(parse, "mass", attributes, "value", &link->mass);
  for (int i = 0; i < INERTIAS && strcmp(element, "inertia") == 0; i++)
    numbers(parse, "inertia", attributes, names[i], 1, &parse->inertia[i]);
}

/* Rotates the moments of inertia J from the frame of `inertial` to that of the link. */
static void end_inertial(Parse *parse) {
  static const int entries[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double sum = 0;
      for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) sum += parse->turn[i][a] * parse->inertia[entries[a][b]] * parse->turn[j][b];
      link_of(parse)->inertia[i][j] = sum;
    }
}

static void begin_in_joint(Parse *parse, const char *element, const char **attributes) {
  UrdfJoint *joint = joint_of(parse);
  Names *names = &parse->names[parse->urdf->n_joints - 1];
  if (strcmp(element, "origin") == 0) {
    read_origin(parse, attributes, joint->origin, joint->turn);
  } else if (strcmp(element, "parent") == 0 || strcmp(element, "child") == 0) {
    char **name = *element == 'p' ? &names->parent : &names->child;
    if (*name)
      wrong(parse, "%s: %s twice", joint->name, element);
    else
      *name = name_of(parse, element, "link", attributes);
  } else if (strcmp(element, "axis") == 0) {
    if (!numbers(parse, "axis", attributes, "xyz", 3, joint->axis)) return;
    double length =
        sqrt(joint->axis[0] * joint->axis[0] + joint->axis[1] * joint->axis[1] + joint->axis[2] * joint->axis[2]);
    if (!(length > 0) || isinf(length)) wrong(parse, "%s: an axis of length %g", joint->name, length);
    for (int i = 0; i < 3; i++) joint->axis[i] /= length;
  } else if (strcmp(element, "dynamics") == 0) {
    positive(parse, "dynamics", attributes, "damping", &joint->damping);
    positive(parse, "dynamics", attributes, "friction", &joint->friction);
  } else if (strcmp(element, "limit") == 0) {
    positive(parse, "limit", attributes, "effort", &joint->effort);
    positive(parse, "limit", attributes, "velocity", &joint->speed);
    numbers(parse, "limit", attributes, "lower", 1, &joint->lower);
    numbers(parse, "limit", attributes, "upper", 1, &joint->upper);
  } else if (strcmp(element, "mimic") == 0) {
    wrong(parse, "%s: mimic (one coordinate cannot follow another: expected a joint of its own, or a fixed one)",
          joint->name);
  }
}

static void XMLCALL begin(void *data, const char *element, const char **attributes) {
  Parse *parse = data;
  if (parse->depth++ == DEPTH_MAX || parse->diagnostics->no_memory) {
    if (!parse->diagnostics->no_memory) wrong(parse, "more than %d elements within each other", DEPTH_MAX);
    XML_StopParser(parse->parser, XML_FALSE);
  } else if (parse->depth == 1) {
    if (strcmp(element, "robot") != 0) wrong(parse, "the file is a %.40s (expected a robot)", element);
  } else if (parse->depth == 2) {
    if (strcmp(element, "link") == 0) begin_link(parse, attributes);
    if (strcmp(element, "joint") == 0) begin_joint(parse, attributes);
  } else if (parse->depth == 3 && parse->in_link && strcmp(element, "inertial") == 0) {
    parse->in_inertial = true;
    memcpy(parse->turn, one, sizeof one);
    memset(parse->inertia, 0, sizeof parse->inertia);
  } else if (parse->depth == 4 && parse->in_inertial) {
    begin_in_inertial(parse, element, attributes);
  } else if (parse->depth == 3 && parse->in_joint) {
    begin_in_joint(parse, element, attributes);
  }
}

static void XMLCALL end(void *data, const char *element) {
  Parse *parse = data;
  (void)element;
  if (parse->depth == 3 && parse->in_inertial) {
    end_inertial(parse);
    parse->in_inertial = false;
  }
  if (parse->depth-- == 2) parse->in_link = parse->in_joint = false;
}

static void XMLCALL refuse_entity(void *data, const char *name, int is_parameter, const char *value, int length,
                                  const char *base, const char *system, const char *public, const char *notation) {
  (void)is_parameter, (void)value, (void)length, (void)base, (void)system, (void)public, (void)notation;
  wrong(data, "an entity, %.40s (expected none)", name);
  XML_StopParser(((Parse *)data)->parser, XML_FALSE);
}

/* Sets the indices that connect joints and links, and sorts the joints from the root of the tree to its ends. */
static void find_tree(Parse *parse);

bool urdf_read(const char *path, const char *key, const Place *place, Diagnostics *diagnostics, Urdf *urdf) {
  Parse parse = {.path = path, .key = key, .rank = place->rank, .diagnostics = diagnostics, .urdf = urdf, .good = true};
  char fault[FILE_FAULT_SIZE];
  size_t size;
  *urdf = (Urdf){0};
  FILE *file = file_open(path, fault);
  if (!file) {
    diagnostics_add(diagnostics, place, key, "%s %s", path, fault);
    return false;
  }
  fclose(file);
  char *text = file_read(path, &size, diagnostics);
  parse.parser = text ? XML_ParserCreate(NULL) : NULL;
  if (text && !parse.parser) diagnostics->no_memory = true;
  if (!parse.parser) {
    free(text);
    return false;
  }
  XML_SetUserData(parse.parser, &parse);
  XML_SetElementHandler(parse.parser, begin, end);
  XML_SetEntityDeclHandler(parse.parser, refuse_entity);
  enum XML_Status status = XML_Parse(parse.parser, text, (int)size, XML_TRUE);
  enum XML_Error error = XML_GetErrorCode(parse.parser);
  if (status != XML_STATUS_OK && error != XML_ERROR_ABORTED)
    error == XML_ERROR_NO_MEMORY ? (void)(diagnostics->no_memory = true)
                                 : (void)wrong(&parse, "not XML: %s", XML_ErrorString(error));
  if (parse.good && !diagnostics->no_memory) find_tree(&parse);
  for (int i = 0; i < urdf->n_joints; i++) {
    free(parse.names[i].parent);
    free(parse.names[i].child);
  }
  free(parse.names);
  XML_ParserFree(parse.parser);
  free(text);
  return parse.good && !diagnostics->no_memory;
}

void urdf_clear(Urdf *urdf) {
  for (int i = 0; i < urdf->n_links; i++) free(urdf->links[i].name);
  for (int i = 0; i < urdf->n_joints; i++) free(urdf->joints[i].name);
  free(urdf->links);
  free(urdf->joints);
  *urdf = (Urdf){0};
}

static bool LIKE_PRINTF(3, 4) joint_wrong(Parse *parse, const UrdfJoint *joint, const char *format, ...) {
  char text[MESSAGE_SIZE];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  diagnostics_add(parse->diagnostics, &joint->place, parse->key, "%s: %s", joint->name, text);
  return parse->good = false;
}

/* Returns the index of the link with this name; -1 after reporting that there is none. */
static int find_link(Parse *parse, const UrdfJoint *joint, const char *role, const char *name) {
  const Urdf *urdf = parse->urdf;
  char excerpt[EXCERPT_SIZE];
  for (int i = 0; name && i < urdf->n_links; i++)
    if (strcmp(urdf->links[i].name, name) == 0) return i;
  if (!name)
    joint_wrong(parse, joint, "%s is missing", role);
  else
    joint_wrong(parse, joint, "no link %s", text_excerpt(name, excerpt));
  return -1;
}

static void find_tree(Parse *parse) {
  Urdf *urdf = parse->urdf;
  int n = urdf->n_joints, roots = 0;
  for (int i = 0; i < n; i++) {
    UrdfJoint *joint = &urdf->joints[i];
    joint->parent = find_link(parse, joint, "parent", parse->names[i].parent);
    joint->child = find_link(parse, joint, "child", parse->names[i].child);
    if (joint->parent < 0 || joint->child < 0) continue;
    UrdfLink *child = &urdf->links[joint->child];
    if (child->joint >= 0)
      joint_wrong(parse, joint,
                  "link %s has two parents, a closed loop (expected a tree; a loop of one coordinate can be "
                  "written by expressions: model.let)",
                  child->name);
    child->joint = i;
  }
  for (int i = 0; i < urdf->n_links; i++) roots += urdf->links[i].joint < 0;
  if (parse->good && roots != 1) wrong(parse, "%d links have no joint that holds them (expected one, the base)", roots);
  if (!parse->good) return;
  /* sorts the joints so that each comes after the joint that holds its parent link */
  for (int done = 0; done < n; done++) {
    int next = done;
    bool ready = false;
    for (; next < n && !ready; next += !ready) {
      int holder = urdf->links[urdf->joints[next].parent].joint;
      ready = holder < done;
    }
    if (!ready) {
      joint_wrong(parse, &urdf->joints[done], "a closed loop of links (expected a tree)");
      return;
    }
    UrdfJoint joint = urdf->joints[next];
    memmove(&urdf->joints[done + 1], &urdf->joints[done], (size_t)(next - done) * sizeof joint);
    urdf->joints[done] = joint;
    for (int i = done; i <= next; i++) urdf->links[urdf->joints[i].child].joint = i;
  }
}

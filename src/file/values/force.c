/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/file/values/force_track.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *copy_path(Reader *reader, const Node *node) {
  char path[NODE_PATH_SIZE];
  char *copy = strdup(node ? node_path(node, path) : "model.force");
  if (!copy) reader->diagnostics->no_memory = true;
  return copy;
}

double piece_value(const Piece *piece, double t) {
  return piece->samples ? samples_at(piece->samples, piece->column, t) : expression_evaluate(piece->expression, &t);
}

static bool names_file(Reader *reader, Node *node) {
  return node && node->kind == NODE_MAPPING && key_get(reader, node, "file");
}

/* Reads the samples of a node that names a file; the force owns them. Returns NULL after reporting an error. */
static const Samples *read_samples(Reader *reader, Node *node, Force *force) {
  Samples **list = realloc(force->samples, (size_t)(force->n_samples + 1) * sizeof *list);
  if (!list) return reader->diagnostics->no_memory = true, NULL;
  force->samples = list;
  Samples *samples = samples_read(reader, node);
  if (samples) list[force->n_samples++] = samples;
  return samples;
}

/* Reads the value of one piece of a force. node NULL: the force is 0. */
static bool read_value(Reader *reader, Node *node, Force *force, Piece *piece) {
  static const char *const variables[] = {"t"};
  char message[EXPRESSION_MESSAGE_SIZE];
  piece->until = INFINITY;
  piece->key = copy_path(reader, node);
  if (names_file(reader, node)) {
    piece->samples = read_samples(reader, node, force);
    if (!piece->samples || samples_columns(piece->samples) == 1) return piece->key && piece->samples;
    return value_error(reader, node, "%d columns besides t (expected one)", samples_columns(piece->samples));
  }
  piece->expression =
      node ? node_expression(reader, node, 1, variables) : expression_create("0", 1, variables, message);
  if (!node && !piece->expression) reader->diagnostics->no_memory = true;
  return piece->key && piece->expression;
}

static bool read_until(Reader *reader, Node *node, double previous, Piece *piece) {
  Node *until = key_get(reader, node, "until");
  if (!until && node->next)
    return value_error(reader, node, "a piece without its end (expected until: TIME, save in the last piece)");
  if (!until) return true;
  if (!node_number(reader, until, &piece->until)) return false;
  if (piece->until > previous) return true;
  return value_error(reader, until, "%g is not after %g, the end of the piece before", piece->until, previous);
}

static bool read_piece(Reader *reader, Node *node, double previous, Force *force, Piece *piece) {
  if (node->kind != NODE_MAPPING) return value_expected(reader, node, "a piece {until: TIME, value: EXPRESSION}");
  Node *value = key_get(reader, node, "value");
  if (!value) value_error(reader, node, "a piece without a value (expected value: EXPRESSION)");
  bool good = value && read_value(reader, value, force, piece);
  return read_until(reader, node, previous, piece) && good;
}

static bool make_pieces(Reader *reader, const Node *node, int n, Track *track) {
  track->key = copy_path(reader, node);
  track->pieces = diagnostics_calloc(reader->diagnostics, (size_t)n, sizeof *track->pieces);
  track->wrong = !track->pieces || !track->key;
  track->n = track->wrong ? 0 : n;
  return !track->wrong;
}

static void read_track(Reader *reader, Node *node, Force *force, Track *track) {
  track->listed = node && node->kind == NODE_SEQUENCE && node->n;
  if (!make_pieces(reader, node, track->listed ? (int)node->n : 1, track)) return;
  if (track->listed) {
    double previous = -INFINITY;
    Piece *piece = track->pieces;
    for (Node *item = node->first; item; item = item->next, piece++) {
      if (!read_piece(reader, item, previous, force, piece)) track->wrong = true;
      if (isfinite(piece->until)) previous = piece->until;
    }
  } else {
    track->wrong = !read_value(reader, node, force, track->pieces);
  }
}

/* Reads all tracks from one file, which has a column for each degree of freedom or a single column for all. */
static void read_columns(Reader *reader, Node *node, const Samples *samples, Force *force) {
  for (int k = 0; k < force->n; k++) {
    Track *track = &force->tracks[k];
    if (!make_pieces(reader, node, 1, track)) continue;
    *track->pieces = (Piece){.until = INFINITY, .samples = samples, .column = k, .key = copy_path(reader, node)};
  }
}

static bool make_tracks(Reader *reader, int n, Force *force) {
  force->n = n;
  force->tracks = diagnostics_calloc(reader->diagnostics, (size_t)n, sizeof *force->tracks);
  return force->tracks;
}

Force *force_read(Reader *reader, Node *node) {
  Force *force = diagnostics_calloc(reader->diagnostics, 1, sizeof *force);
  if (!force) return NULL;
  bool list = node && node->kind == NODE_SEQUENCE && node->n;
  force->measured = names_file(reader, node);
  force->listed = list && (node->first->kind != NODE_MAPPING || names_file(reader, node->first));
  const Samples *samples = force->measured ? read_samples(reader, node, force) : NULL;
  if (samples) force->listed = samples_columns(samples) > 1;
  if (!make_tracks(reader, samples ? samples_columns(samples) : force->listed ? (int)node->n : 1, force)) {
    force_destroy(force);
    return NULL;
  }
  Track *track = force->tracks;
  if (samples) {
    read_columns(reader, node, samples, force);
  } else if (force->measured) {
    track->wrong = true;
  } else if (!force->listed) {
    read_track(reader, node, force, track);
  } else {
    for (Node *item = node->first; item; item = item->next) read_track(reader, item, force, track++);
  }
  return force;
}

/* Returns whether the text of an expression uses the variable t. */
static bool names_t(const char *text) {
  for (const char *c = text; *c; c++) {
    bool inside = c > text && (isalnum((unsigned char)c[-1]) || c[-1] == '_' || c[-1] == '.');
    if (*c == 't' && !inside && !isalnum((unsigned char)c[1]) && c[1] != '_') return true;
  }
  return false;
}

/* Returns whether an entry of a list is an expression instead of a number. */
static bool is_expression(const Node *node) {
  char message[EXPRESSION_MESSAGE_SIZE];
  double number;
  return node->kind == NODE_SCALAR && isalpha((unsigned char)*node->text) && !node_is_null(node) &&
         !expression_constant(node->text, &number, message);
}

bool force_in_time(const Node *node) {
  if (node->kind == NODE_SCALAR) return !node_is_null(node) && names_t(node->text);
  for (const Node *item = node->first; item; item = item->next) {
    bool part = node->kind == NODE_MAPPING;
    if (part ? strcmp(item->key, "file") == 0 || strcmp(item->key, "value") == 0
             : force_in_time(item) || is_expression(item))
      return true;
  }
  return false;
}

Force *force_share(Force *force) {
  if (force) force->shares++;
  return force;
}

void force_destroy(Force *force) {
  if (!force || force->shares-- > 0) return;
  for (Track *track = force->tracks; track && track < force->tracks + force->n; track++) {
    for (int k = 0; k < track->n; k++) {
      expression_destroy(track->pieces[k].expression);
      free(track->pieces[k].key);
    }
    free(track->pieces);
    free(track->key);
  }
  for (int k = 0; k < force->n_samples; k++) samples_destroy(force->samples[k]);
  free(force->samples);
  free(force->tracks);
  free(force);
}

bool force_covers(const Force *force, Reader *reader, const SimProblem *problem) {
  bool good = true;
  double tolerance = TRACK_TOLERANCE * problem->step;
  /* End of the tracks to check. If all tracks come from one file, they have the same times, so only the first is
   * checked. */
  const Track *end = force->tracks + (force->measured ? 1 : force->n);
  for (const Track *track = force->tracks; track < end; track++) {
    double from = 0;
    /* if the file had errors, the track has no pieces */
    for (int k = 0; k < track->n; from = fmax(0, track->pieces[k++].until)) {
      const Piece *piece = &track->pieces[k];
      const Samples *s = piece->samples;
      double to = fmin(piece->until, problem->end);
      if (!s || from >= to) continue;
      double first = samples_time(s, 0), last = samples_time(s, samples_count(s) - 1);
      if (first <= from + tolerance && last >= to - tolerance) continue;
      key_error(reader, piece->key, "the file's times are %.12g to %.12g (expected %.12g to %.12g)", first, last, from,
                to);
      good = false;
    }
  }
  return good;
}

double force_seconds(const Force *force) {
  double sum = 0;
  for (const Track *track = force->tracks; track < force->tracks + force->n; track++) {
    double dearest = 0;
    for (int k = 0; k < track->n; k++)
      if (track->pieces[k].expression) dearest = fmax(dearest, expression_seconds(track->pieces[k].expression));
    sum += dearest;
  }
  return sum;
}

int force_size(const Force *force) { return force->listed ? force->n : 0; }

Piece *track_piece(const Track *track, double t, double tolerance) {
  int low = 0, high = track->n;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (t <= track->pieces[middle].until + tolerance)
      high = middle;
    else
      low = middle + 1;
  }
  return low < track->n ? &track->pieces[low] : NULL;
}

/* Reports a piece of time that contains no time of the grid, as its value would have no effect. */
static void report_unused(const Track *track, Reader *reader, double end) {
  double from = 0;
  for (const Piece *piece = track->pieces; piece < track->pieces + track->n && piece->until < end; piece++) {
    if (!piece->used)
      key_error(reader, piece->key,
                "no time of the grid lies in this piece, from %.12g to %.12g (expected a smaller step)", from,
                piece->until);
    from = piece->until;
  }
}

void track_report_uncovered(const Track *track, Reader *reader, double t) {
  key_error(reader, track->key,
            "no piece covers t = %.12g (expected pieces up to the end, or a last one without until)", t);
}

void track_show(const Track *track, Reader *reader, long k, long count) {
  /* number of evaluations between two updates of the progress line */
  enum { OFTEN = 1 << 14 };
  if (k > 0 && k % OFTEN == 0) work_show(reader, track->key, (double)k / (double)count);
}

void track_tabulate(const Track *track, Reader *reader, const SimProblem *problem, TrackSide side, int columns,
                    double *table) {
  long count = sim_force_count(problem);
  double tolerance = TRACK_TOLERANCE * problem->step;
  for (Piece *piece = track->pieces; piece < track->pieces + track->n; piece++) piece->used = piece->reported = false;
  for (long k = 0; k < count; k++) {
    double t = sim_force_time(problem, k);
    track_show(track, reader, k, count);
    Piece *piece = side == FROM_THE_RIGHT ? track_piece(track, t, -tolerance) : NULL;
    if (!piece) piece = track_piece(track, t, tolerance);
    if (!piece) {
      track_report_uncovered(track, reader, t);
      return;
    }
    double value = piece_value(piece, t) + 0.0;
    table[(size_t)k * (size_t)columns] = value;
    piece->used = true;
    if (isfinite(value) || piece->reported) continue;
    piece->reported = true;
    key_error(reader, piece->key, "%g at t = %.12g (expected a finite value at every time of the grid)", value, t);
  }
  report_unused(track, reader, problem->end);
}

void force_at(const Force *force, const SimProblem *problem, double t, int first, int count, double *f) {
  for (int i = 0; i < count; i++) {
    const Track *track = &force->tracks[force->listed ? first + i : 0];
    Piece *piece = force->listed || i == 0 ? track_piece(track, t, TRACK_TOLERANCE * problem->step) : NULL;
    f[i] = piece ? piece_value(piece, t) + 0.0 : i && !force->listed ? f[0] : NAN;
  }
}

bool force_is_constant(const Force *force) {
  for (int i = 0; i < force->n; i++)
    if (force->tracks[i].wrong || force->n_samples > 0 || force->tracks[i].n != 1 ||
        isfinite(force->tracks[i].pieces[0].until) || expression_uses(force->tracks[i].pieces[0].expression, "t"))
      return false;
  return true;
}

void track_repeat(const SimProblem *problem, int columns, int wanted, double *table) {
  size_t d = (size_t)columns, size = (size_t)sim_force_count(problem) * d;
  for (double *row = table; row < table + size; row += d)
    for (int i = 1; i < wanted; i++) row[i] = row[0];
}

void force_tabulate_into(const Force *force, Reader *reader, const SimProblem *problem, int columns, double *table) {
  if (force->listed && force->n != columns) return;
  for (int i = 0; i < force->n; i++)
    if (!force->tracks[i].wrong) track_tabulate(&force->tracks[i], reader, problem, FROM_THE_LEFT, columns, table + i);
  if (!force->listed) track_repeat(problem, columns, columns, table);
}

void force_tabulate(const Force *force, Reader *reader, SimProblem *problem) {
  force_tabulate_into(force, reader, problem, problem->d, problem->force);
}

static json_t *echo_value(const Piece *piece) {
  return piece->samples ? samples_echo(piece->samples) : json_string(expression_text(piece->expression));
}

static json_t *echo_piece(const Piece *piece) {
  json_t *value = echo_value(piece);
  if (!isfinite(piece->until)) return json_pack("{s:o}", "value", value);
  return json_pack("{s:f, s:o}", "until", piece->until, "value", value);
}

static json_t *echo_track(const Track *track) {
  if (!track->listed) return echo_value(track->pieces);
  json_t *list = json_array();
  bool good = list != NULL;
  for (int i = 0; i < track->n && good; i++) good = json_array_append_new(list, echo_piece(&track->pieces[i])) == 0;
  return json_if(good, list);
}

json_t *force_echo(const Force *force) {
  if (force->measured) return samples_echo(force->samples[0]);
  if (!force->listed) return echo_track(&force->tracks[0]);
  json_t *list = json_array();
  bool good = list != NULL;
  for (int i = 0; i < force->n && good; i++) good = json_array_append_new(list, echo_track(&force->tracks[i])) == 0;
  return json_if(good, list);
}

/* Values one after another as bytes, and back. A reader never reads past its end: what is missing reads as zeros and
 * marks it bad. */
#ifndef CONTROL_BYTES_H
#define CONTROL_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* to NULL: only counts. */
typedef struct CtlWriter {
  unsigned char *to;
  size_t size;
} CtlWriter;

static inline void ctl_put(CtlWriter *writer, const void *value, size_t size) {
  if (writer->to && size) memcpy(writer->to + writer->size, value, size);
  writer->size += size;
}

static inline void ctl_put_integer(CtlWriter *writer, int64_t value) { ctl_put(writer, &value, sizeof value); }

static inline void ctl_put_numbers(CtlWriter *writer, const double *values, size_t count) {
  ctl_put(writer, values, count * sizeof *values);
}

/* A word, shorter than CTL_WORD_SIZE. */
enum { CTL_WORD_SIZE = 64 };
static inline void ctl_put_word(CtlWriter *writer, const char *word) {
  size_t length = strlen(word);
  ctl_put_integer(writer, (int64_t)length);
  ctl_put(writer, word, length);
}

typedef struct CtlReader {
  const unsigned char *from;
  size_t left;
  bool bad;
} CtlReader;

static inline void ctl_get(CtlReader *reader, void *value, size_t size) {
  if (size > reader->left) {
    reader->bad = true;
    memset(value, 0, size);
    return;
  }
  if (size) memcpy(value, reader->from, size);
  reader->from += size;
  reader->left -= size;
}

/* One that is not in least..most is bad, and reads as least. */
static inline long ctl_get_integer(CtlReader *reader, long least, long most) {
  int64_t value;
  ctl_get(reader, &value, sizeof value);
  if (value >= least && value <= most) return (long)value;
  reader->bad = true;
  return least;
}

static inline void ctl_get_numbers(CtlReader *reader, double *values, size_t count) {
  ctl_get(reader, values, count * sizeof *values);
}

static inline void ctl_get_word(CtlReader *reader, char word[CTL_WORD_SIZE]) {
  size_t length = (size_t)ctl_get_integer(reader, 0, CTL_WORD_SIZE - 1);
  ctl_get(reader, word, length);
  word[length] = '\0';
}

#endif

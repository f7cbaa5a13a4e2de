#include "src/base/edit_distance.h"

#include <string.h>

static int minimum(int a, int b) { return a < b ? a : b; }

int edit_distance(const char *a, const char *b) {
  int row[WORD_LENGTH_MAX + 1], length = (int)strlen(b);
  for (int j = 0; j <= length; j++) row[j] = j;
  for (int i = 1; a[i - 1]; i++) {
    int diagonal = row[0];
    row[0] = i;
    for (int j = 1; j <= length; j++) {
      int change = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = minimum(change, 1 + minimum(row[j], row[j - 1]));
    }
  }
  return row[length];
}

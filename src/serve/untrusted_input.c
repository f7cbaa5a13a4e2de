#include "src/serve/untrusted_input.h"

#include "src/base/exit_code.h"
#include "src/document/document.h"

#include <string.h>

static void look_for_files(const Node *node, Diagnostics *diagnostics) {
  for (const Node *child = node->first; child; child = child->next) {
    bool opens = child->key && (strcmp(child->key, "file") == 0 || strcmp(child->key, "from") == 0);
    if (opens)
      node_error(child, diagnostics,
                 "another file (expected the numbers themselves: the service reads no other files)");
    look_for_files(child, diagnostics);
  }
}

int lone_file_check(const char *path, FILE *errors) {
  Diagnostics other = {0}, found = {0};
  Document *document = document_open(path, NULL, 0, &other);
  if (document) look_for_files(document_root(document), &found);
  diagnostics_print(&found, errors);
  bool no_memory = other.no_memory || found.no_memory;
  int code = no_memory ? EXIT_INTERNAL : found.count ? EXIT_USAGE : 0;
  if (no_memory) fprintf(errors, "%s: out of memory\n", path);
  document_destroy(document);
  diagnostics_clear(&other);
  diagnostics_clear(&found);
  return code;
}

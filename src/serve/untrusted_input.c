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

int untrusted_input_check(const char *path, char *const *settings, int n_settings, Diagnostics *diagnostics) {
  Diagnostics other = {0}, found = {0};
  Document *document = document_open(path, settings, n_settings, &other);
  if (document) look_for_files(document_root(document), &found);
  bool no_memory = other.no_memory || found.no_memory;
  int code = found.errors ? EXIT_USAGE : 0;
  diagnostics_pass(&found, diagnostics);
  if (no_memory) code = diagnostics_no_memory(diagnostics);
  document_destroy(document);
  diagnostics_clear(&other);
  return code;
}

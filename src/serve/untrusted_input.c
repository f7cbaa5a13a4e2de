#include "src/serve/untrusted_input.h"

#include "src/base/exit_code.h"
#include "src/document/document.h"

#include <string.h>

static void look_for_files(const Node *node, Complaints *complaints) {
  for (const Node *child = node->first; child; child = child->next) {
    bool opens = child->key && (strcmp(child->key, "file") == 0 || strcmp(child->key, "from") == 0);
    if (opens)
      node_complain(child, complaints,
                    "another file (expected the numbers themselves: the service reads no other files)");
    look_for_files(child, complaints);
  }
}

int lone_file_check(const char *path, FILE *errors) {
  Complaints other = {0}, found = {0};
  Document *document = document_open(path, NULL, 0, &other);
  if (document) look_for_files(document_root(document), &found);
  complaints_print(&found, errors);
  bool no_memory = other.no_memory || found.no_memory;
  int code = no_memory ? EXIT_INTERNAL : found.count ? EXIT_USAGE : 0;
  if (no_memory) fprintf(errors, "%s: out of memory\n", path);
  document_destroy(document);
  complaints_clear(&other);
  complaints_clear(&found);
  return code;
}

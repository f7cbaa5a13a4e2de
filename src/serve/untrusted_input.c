/* SPDX-License-Identifier: BSD-2-Clause */
#include "src/serve/untrusted_input.h"

#include "src/file/text/document.h"
#include "src/spool/spool_folders.h"

#include <string.h>
#include <sys/stat.h>

/* Returns whether the file that a node names was submitted together with the problem. */
static bool came_along(const char *problem, const Node *node) {
  char path[FILE_PATH_SIZE];
  struct stat info;
  return node->kind == NODE_SCALAR && spool_is_file_name(node->text) && file_beside(problem, node->text, path) &&
         lstat(path, &info) == 0 && S_ISREG(info.st_mode);
}

static void look_for_files(const char *problem, const Node *node, Diagnostics *diagnostics) {
  for (const Node *child = node->first; child; child = child->next) {
    bool from = child->key && strcmp(child->key, "from") == 0;
    if (from || (node_names_file(child) && !came_along(problem, child)))
      node_error(child, diagnostics,
                 "another file (expected the numbers themselves, or the bare name of a file of the job: the service "
                 "reads no other files)");
    look_for_files(problem, child, diagnostics);
  }
}

int untrusted_input_check(const char *path, char *const *settings, int n_settings, Diagnostics *diagnostics) {
  Diagnostics other = {0}, found = {0};
  Document *document = document_open(path, settings, n_settings, &other);
  if (document) look_for_files(path, document_root(document), &found);
  bool no_memory = other.no_memory || found.no_memory;
  int code = found.errors ? EXIT_USAGE : 0;
  diagnostics_pass(&found, diagnostics);
  if (no_memory) code = diagnostics_no_memory(diagnostics);
  document_destroy(document);
  diagnostics_clear(&other);
  return code;
}

/* SPDX-License-Identifier: BSD-2-Clause */
/* The files of the page. The build embeds them in the program (embed.cmake). */
#ifndef SRC_WEB_PAGE_FILES_H
#define SRC_WEB_PAGE_FILES_H

#include <stddef.h>

typedef struct PageFile {
  const char *name;
  const unsigned char *bytes;
  size_t size;
} PageFile;

extern const PageFile page_files[]; /* the files; the last entry has the name NULL */

#endif

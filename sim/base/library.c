/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE /* declares RTLD_NOLOAD */
#include "sim/base/library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static bool fill_table(const Library *library, void *handle) {
  for (size_t i = 0; i < library->n_symbols; i++) {
    void *address = dlsym(handle, library->symbols[i].name);
    if (!address) return false;
    memcpy((char *)library->table + library->symbols[i].place, &address, sizeof address);
  }
  return true;
}

const char *library_load(Library *library, bool there) {
  static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
  static _Thread_local char fault[400];
  pthread_mutex_lock(&one_at_a_time);
  bool loaded = library->loaded;
  if (!loaded) {
    void *handle = dlopen(library->file, RTLD_NOW | (there ? RTLD_NOLOAD : 0));
    loaded = library->loaded = handle && fill_table(library, handle);
    if (!loaded)
      snprintf(fault, sizeof fault, "cannot be loaded: %s",
               handle || !there ? dlerror() : "this process has not loaded it");
  }
  pthread_mutex_unlock(&one_at_a_time);
  return loaded ? NULL : fault;
}

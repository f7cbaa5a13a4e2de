/* SPDX-License-Identifier: BSD-2-Clause */
/* For builds with sanitizers: keeps Open MPI's plugins in memory. Then LeakSanitizer can name the module of a leak, and
 * the suppressions in lsan.supp apply. */
int dlclose(void *handle);
int dlclose(void *handle) {
  (void)handle;
  return 0;
}

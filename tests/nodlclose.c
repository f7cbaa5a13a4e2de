/* Sanitizer builds only: keeps Open MPI's plugins mapped, so that LeakSanitizer can name the module of a leak and the
 * suppressions of lsan.supp apply. */
int dlclose(void *handle);
int dlclose(void *handle) {
  (void)handle;
  return 0;
}

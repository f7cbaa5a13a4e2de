#include "src/results/hdf5_parts.h"

#include "src/process/hdf5_library.h"

enum { SCALE_NAME_SIZE = 256 };

bool hdf5_put_text(hid_t object, const char *name, const char *text) {
  hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, H5T_VARIABLE); /* of fixed size it could not be longer than 64 kB */
  H5Tset_cset(type, H5T_CSET_UTF8);
  hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  bool done = attribute >= 0 && H5Awrite(attribute, type, &text) >= 0;
  if (attribute >= 0) H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
  return done;
}

bool hdf5_put_format(hid_t file, int format) {
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t attribute = H5Acreate2(file, "format", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT);
  bool done = attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_INT, &format) >= 0;
  if (attribute >= 0) H5Aclose(attribute);
  H5Sclose(space);
  return done;
}

bool hdf5_make_scale(hid_t set, const char *name) {
  return H5DSset_scale(set, name) >= 0 && H5DSset_label(set, 0, name) >= 0;
}

bool hdf5_put_over(hid_t set, unsigned dimension, hid_t scale) {
  char name[SCALE_NAME_SIZE] = "";
  return H5DSattach_scale(set, scale, dimension) >= 0 && H5DSget_scale_name(scale, name, sizeof name) >= 0 &&
         H5DSset_label(set, dimension, name) >= 0;
}

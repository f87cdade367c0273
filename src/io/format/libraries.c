/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Versions of the libraries that read and write files. */
#include "io/format/libraries.h"

#include "io/format/h5.h"

#include <png.h>

#include <fitsio.h>
#include <math.h>
#include <matio.h>
#include <tiffio.h>
#include <zip.h>
/* must follow stdio.h, whose types it requires */
#include <jpeglib.h>
#include <string.h>

char *
lac_libraries_dup_text(void)
{
  unsigned h5[3] = {0};
  int      mat[3] = {0};
  float    fits_number;

  lac_h5_lock();
  H5get_libversion(&h5[0], &h5[1], &h5[2]);
  lac_h5_unlock();
  Mat_GetLibraryVersion(&mat[0], &mat[1], &mat[2]);
  fits_get_version(&fits_number); /* 4.0200 means 4.2.0 */
  const long    fits = lroundf(fits_number * 1e4f);
  g_auto(GStrv) tiff = g_strsplit(TIFFGetVersion(), "\n", 2); /* "LIBTIFF, Version 4.5.0" */
  const char   *tiff_number = strrchr(tiff[0], ' ');
  return g_strdup_printf("GLib %u.%u.%u, HDF5 %u.%u.%u, matio %d.%d.%d, libpng %s, libjpeg %d, "
                         "libtiff %s, CFITSIO %ld.%ld.%ld, libzip %s",
                         glib_major_version, glib_minor_version, glib_micro_version, h5[0], h5[1],
                         h5[2], mat[0], mat[1], mat[2], png_get_libpng_ver(NULL), JPEG_LIB_VERSION,
                         tiff_number != NULL ? tiff_number + 1 : "?", fits / 10000,
                         fits / 100 % 100, fits % 100, zip_libzip_version());
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of file formats with their readers, and the named numeric arrays that they return. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LAC_INPUT_MAX_RANK 8

/* A numeric array of a file. Axes of length 1 are removed, so that a MAT column vector has rank 1. */
typedef struct {
  char   *name;
  char   *unit; /* "1" when the file has none */
  guint   rank;
  gsize   sizes[LAC_INPUT_MAX_RANK]; /* slowest first; data is row-major */
  double *data; /* NULL when the array is not real-valued or stays in the file */
  char **
    axes; /* (nullable): [rank], NULL-terminated: names of the coordinate vectors, "" when unknown */
  char    *odd;     /* (nullable): why there is no data: "complex numbers", "text" */
  gboolean is_left; /* values stay in the file; @sizes are then in file order */
  char     **
    sets; /* (nullable): for an array of a cut-out that stays in its file: name of the data set for each time */
  guint component,
    n_components; /* index of the component among those of a grid point in these data sets, and their number */
} LacInputArray;

typedef struct {
  const char *format; /* "MAT 5", "HDF5", "CSV", "NPZ" ... */
  gboolean
             column_major; /* order in the file: coordinate vectors of equal length are matched in the order x, y, z, t; FALSE: t, z, y, x */
  gboolean   is_picture;   /* a plane of pixels */
  gboolean   leaves;       /* arrays of two or more axes stay in the file */
  GPtrArray *arrays;       /* LacInputArray */
} LacInputFile;

typedef enum {
  LAC_INPUT_WHOLE,
  LAC_INPUT_HEADS /* arrays of two or more axes stay in the file, when its format allows partial reads */
} LacInputExtent;

/**
 * lac_input_file_read:
 *
 * Returns: %NULL with %LAC_ERROR_BAD_FILE set: missing, empty, truncated, of unknown format.
 */
LacInputFile *lac_input_file_read(const char *path, LacInputExtent extent, GError **error);
LacInputFile *lac_input_file_new(void); /* the new file has no arrays */

/* Reads a file of known format into @file, in this process. */
gboolean lac_input_file_read_here(LacInputFile *file, const char *path, GError **error);
void     lac_input_file_free(LacInputFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacInputFile, lac_input_file_free)

/* Adds a new array without data; axes of length 1 are removed. Returns: (transfer none): the array, owned by @file. */
LacInputArray *
lac_input_file_add(LacInputFile *file, const char *name, guint rank, const gsize *sizes);

gsize lac_input_array_get_length(const LacInputArray *array);
/* Returns: (transfer full): "256 x 100" */
char *lac_input_array_dup_shape(const LacInputArray *array);

/* Marks @array as left in the file, with its sizes in file order, if @file leaves arrays of its rank. @column_major:
 * order in the file. Returns: TRUE when the array is left. */
gboolean
lac_input_file_leave(const LacInputFile *file, LacInputArray *array, gboolean column_major);

/* Sets the axis names of an array just added. @names: (transfer full): [n]; @sizes: [n], as given when the array was
 * added. */
void lac_input_array_take_axes(LacInputArray *array, char **names, const gsize *sizes, guint n);

/* Converts the arrays of a JHTDB cut-out (xcoor, ycoor, zcoor, Velocity_0001 [z][y][x][3] and the following) to x, y,
 * z, t and u, v, w over these axes; leaves other arrays unchanged. */
void lac_input_unfold_cutout(LacInputFile *file);

/* Read a file of one format into @file. Return: FALSE with %LAC_ERROR_BAD_FILE. */
gboolean lac_input_read_mat(LacInputFile *file, const char *path, GError **error);
gboolean lac_input_read_h5(LacInputFile *file, const char *path, GError **error);
gboolean lac_input_read_npy(LacInputFile *file, const char *path, GError **error);
gboolean lac_input_read_npz(LacInputFile *file, const char *path, GError **error);
gboolean lac_input_read_table(LacInputFile *file, const char *path, GError **error);

/* Parses one NPY file in memory. Returns: FALSE when it is truncated or not real-valued; the array may then have been
 * added without data. */
gboolean
lac_input_parse_npy(LacInputFile *file, const char *name, const guint8 *data, gsize length);

/* Allocate a read buffer filled with NaN, and refill one, so that values that were not read cannot pass for data. */
double *lac_input_numbers_new(gsize n); /* (transfer full) (nullable): NULL: out of memory */
void    lac_input_numbers_clear(double *numbers, gsize n);

/* Set the error message for a damaged and for a truncated file; the latter message gives the size of the file and
 * the minimum size. Return: FALSE. */
gboolean lac_input_set_damaged(GError **error, const char *path, const char *format);
gboolean lac_input_set_truncated(GError    **error,
                                 const char *path,
                                 const char *format,
                                 guint64     n_bytes,
                                 guint64     n_needed);

G_END_DECLS

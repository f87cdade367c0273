/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of file formats with their readers, and the named arrays of numbers that they return. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LAC_INPUT_MAX_RANK 8

/* Axes of length 1 are taken out, so that a MAT column vector has rank 1. */
typedef struct {
  char   *name;
  char   *unit; /* "1" when the file does not say */
  guint   rank;
  gsize   sizes[LAC_INPUT_MAX_RANK]; /* slowest first; data is row-major */
  double *data;                      /* NULL when it is not real numbers */
  char        **
    axes; /* (nullable): [rank], NULL-terminated: names of the vectors of coordinates, "" where the file does not say */
  char    *odd;  /* (nullable): why there is no data: "complex numbers", "text" */
  gboolean is_left; /* numbers that stay in the file; then @sizes are in the order of the file */
  char   **sets;    /* (nullable): of what is left of a cut-out: one data set a time, */
  guint    component, n_components; /* and which of the numbers at a place */
} LacInputArray;

typedef struct {
  const char *format; /* "MAT 5", "HDF5", "CSV": "NPZ" ... */
  gboolean
    column_major; /* in the file: ties between axes are resolved x, y, z, t; else t, z, y, x */
  gboolean   is_picture; /* a plane of pixels */
  gboolean   leaves;     /* arrays of two and more axes stay in the file */
  GPtrArray *arrays;     /* of LacInputArray */
} LacInputFile;

typedef enum {
  LAC_INPUT_WHOLE,
  LAC_INPUT_HEADS /* arrays of two and more axes stay in the file, where its format lets one read a part of them */
} LacInputExtent;

/**
 * lac_input_file_read:
 *
 * Returns: %NULL with %LAC_ERROR_BAD_FILE set: missing, empty, truncated, of no known format.
 */
LacInputFile *lac_input_file_read(const char *path, LacInputExtent extent, GError **error);
LacInputFile *lac_input_file_new(void); /* without an array */

/* Reads a file whose format is known into @file, in this process. */
gboolean lac_input_file_read_here(LacInputFile *file, const char *path, GError **error);
void     lac_input_file_free(LacInputFile *file);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacInputFile, lac_input_file_free)

/* A new array without data; axes of length 1 taken out. Owned by @file. */
LacInputArray *
lac_input_file_add(LacInputFile *file, const char *name, guint rank, const gsize *sizes);

gsize lac_input_array_get_length(const LacInputArray *array);
/* Returns: (transfer full): "256 x 100" */
char *lac_input_array_dup_shape(const LacInputArray *array);

/* Whether the numbers of this array stay in the file; then it is marked as such. @column_major: in the file. */
gboolean
lac_input_file_leave(const LacInputFile *file, LacInputArray *array, gboolean column_major);

/* Names the axes of an array just added. @names: (transfer full): [n], of the sizes it was added with. */
void lac_input_array_take_axes(LacInputArray *array, char **names, const gsize *sizes, guint n);

/* Where the arrays are those of a JHTDB cut-out, xcoor, ycoor, zcoor and Velocity_0001 [z][y][x][3] and on, turns them into
 * x, y, z, t and u, v, w over them; else leaves them. */
void lac_input_unfold_cutout(LacInputFile *file);

/* Each reads one format into @file. Return: FALSE with %LAC_ERROR_BAD_FILE. */
gboolean lac_input_read_mat(LacInputFile *file, const char *path, GError **error);
gboolean lac_input_read_h5(LacInputFile *file, const char *path, GError **error);
gboolean lac_input_read_npy(LacInputFile *file, const char *path, GError **error);
gboolean lac_input_read_npz(LacInputFile *file, const char *path, GError **error);
gboolean lac_input_read_table(LacInputFile *file, const char *path, GError **error);

/* The array of one NPY file that lies in memory. Returns: FALSE where it is truncated or holds no real numbers; then it may have
 * been added without data. */
gboolean
lac_input_parse_npy(LacInputFile *file, const char *name, const guint8 *data, gsize length);

/* Buffers of readers begin as NaN: a number that was not read cannot pass for data. */
double *lac_input_numbers_new(gsize n); /* (transfer full) (nullable): NULL: no memory */
void    lac_input_numbers_clear(double *numbers, gsize n);

/* Each sets the sentence for a file that is not whole: one gives its size and the least it should have. Return: FALSE. */
gboolean lac_input_set_damaged(GError **error, const char *path, const char *format);
gboolean lac_input_set_truncated(GError    **error,
                                 const char *path,
                                 const char *format,
                                 guint64     n_bytes,
                                 guint64     n_needed);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data files written with the libraries of their formats. */
#include "sound-files.h"

#include "io/format/h5.h"

#include <glib/gstdio.h>

#include <math.h>
#include <string.h>

void
sound_write_bytes(const char *path, gconstpointer bytes, gsize n)
{
  g_unlink(path); /* otherwise the end of a longer file remains */
  g_assert_true(
    g_file_set_contents_full(path, bytes, (gssize) n, G_FILE_SET_CONTENTS_NONE, 0600, NULL));
}

double
sound_value(gsize i)
{
  return 1 + sin((double) i) / 3;
}

static double *
make_numbers(void)
{
  double *numbers = g_new(double, SOUND_N);

  for (gsize i = 0; i < SOUND_N; i++)
    numbers[i] = sound_value(i);
  return numbers;
}

char *
sound_write_mat(const char            *folder,
                const char            *name,
                enum mat_ft            version,
                enum matio_compression packing)
{
  char              *path = g_build_filename(folder, name, NULL);
  g_autofree double *numbers = make_numbers();
  float              singles[SOUND_N];
  gint16             shorts[SOUND_N];
  size_t sizes[2] = {SOUND_NX, SOUND_NT}, x_sizes[2] = {SOUND_NX, 1}, t_sizes[2] = {SOUND_NT, 1};

  for (gsize i = 0; i < SOUND_N; i++) {
    singles[i] = (float) numbers[i];
    shorts[i] = (gint16) (i * 7);
  }
  matvar_t *variables[] = {
    Mat_VarCreate("x", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, x_sizes, numbers, 0),
    Mat_VarCreate("usol", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, sizes, numbers, 0),
    Mat_VarCreate("u", MAT_C_SINGLE, MAT_T_SINGLE, 2, sizes, singles, 0),
    Mat_VarCreate("k", MAT_C_INT16, MAT_T_INT16, 2, sizes, shorts, 0),
    Mat_VarCreate("t", MAT_C_DOUBLE, MAT_T_DOUBLE, 2, t_sizes, numbers, 0),
  };
  lac_h5_lock();
  mat_t *mat = Mat_CreateVer(path, NULL, version);
  for (gsize i = 0; i < G_N_ELEMENTS(variables); i++) {
    g_assert_cmpint(Mat_VarWrite(mat, variables[i], packing), ==, 0);
    Mat_VarFree(variables[i]);
  }
  Mat_Close(mat);
  lac_h5_unlock();
  return path;
}

char *
sound_write_h5(const char *folder, const char *name, gboolean gap, const double *fill)
{
  char              *path = g_build_filename(folder, name, NULL);
  g_autofree double *numbers = make_numbers();
  const hsize_t      sizes[2] = {SOUND_NX, SOUND_NT}, chunk[2] = {16, 16}, place_of[2] = {0, 0};
  const hsize_t      written[2] = {gap ? 16 : SOUND_NX, gap ? 16 : SOUND_NT};

  lac_h5_lock();
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  hid_t making = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(2, sizes, NULL);
  H5Pset_chunk(making, 2, chunk);
  H5Pset_deflate(making, 6);
  if (fill != NULL)
    H5Pset_fill_value(making, H5T_NATIVE_DOUBLE, fill);
  hid_t set = H5Dcreate2(file, "u", H5T_NATIVE_FLOAT, space, H5P_DEFAULT, making, H5P_DEFAULT);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, place_of, NULL, written, NULL);
  hid_t memory = H5Screate_simple(2, written, NULL);
  g_assert_cmpint(H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, numbers), >=, 0);
  H5Sclose(memory);
  H5Dclose(set);
  H5Sclose(space);
  H5Pclose(making);
  g_assert_true(lac_h5_write_vector(file, "x", H5T_NATIVE_DOUBLE, SOUND_NX, numbers));
  g_assert_true(lac_h5_write_vector(file, "t", H5T_NATIVE_DOUBLE, SOUND_NT, numbers));
  H5Fclose(file);
  lac_h5_unlock();
  return path;
}

char *
sound_write_npy(const char *folder, const char *name)
{
  char                 *path = g_build_filename(folder, name, NULL);
  g_autofree double    *numbers = make_numbers();
  const char            head[] = "{'descr': '<f8', 'fortran_order': False, 'shape': (40, 30), }\n";
  const guint16         length = sizeof head - 1;
  g_autoptr(GByteArray) bytes = g_byte_array_new();

  g_byte_array_append(bytes, (const guint8 *) "\x93NUMPY\x01\x00", 8);
  g_byte_array_append(bytes, (const guint8 *) &length, 2);
  g_byte_array_append(bytes, (const guint8 *) head, length);
  g_byte_array_append(bytes, (const guint8 *) numbers, SOUND_N * sizeof *numbers);
  sound_write_bytes(path, bytes->data, bytes->len);
  return path;
}

/* ---- MAT 5 by hand ---- */

static void
put_word(GByteArray *bytes, guint32 word, gboolean big)
{
  const guint32 there = big ? GUINT32_TO_BE(word) : GUINT32_TO_LE(word);

  g_byte_array_append(bytes, (const guint8 *) &there, sizeof there);
}

void
sound_write_mat_by_hand(const char *path, gboolean big, guint n_reported, guint n)
{
  g_autoptr(GByteArray) bytes = g_byte_array_new();
  const guint32         words[] = {14, 48 + 8 * n, 6, 8, 6, 0, 5, 8, n_reported, 1};

  g_byte_array_append(bytes, (const guint8 *) "MATLAB 5.0 MAT-file", 19);
  while (bytes->len < 124)
    g_byte_array_append(bytes, (const guint8 *) " ", 1);
  g_byte_array_append(bytes, (const guint8 *) (big ? "\1\0MI" : "\0\1IM"), 4);
  for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
    put_word(bytes, words[i], big);
  put_word(bytes, 1 << 16 | 1, big); /* a name of one byte is stored in its tag */
  g_byte_array_append(bytes, (const guint8 *) "v\0\0\0", 4);
  put_word(bytes, 9, big);
  put_word(bytes, 8 * n, big);
  for (guint i = 0; i < n; i++) {
    const double number = sound_value(i);
    guint64      word;

    memcpy(&word, &number, sizeof word);
    put_word(bytes, (guint32) (big ? word >> 32 : word), big);
    put_word(bytes, (guint32) (big ? word : word >> 32), big);
  }
  sound_write_bytes(path, bytes->data, bytes->len);
}

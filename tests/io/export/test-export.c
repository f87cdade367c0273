/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Exports read back: the same values in every format and locale. */
#include "base/error.h"
#include "helpers/folder.h"
#include "io/export/export.h"
#include "io/helpers/kept-run.h"
#include "io/input/input.h"

#include <locale.h>
#include <math.h>
#include <string.h>

static char       *out;
static LacRunFile *run;

static char *
export_as(const char *name, const char *channel, gint64 step)
{
  char             *path = g_build_filename(out, name, NULL);
  g_autoptr(GError) error = NULL;

  lac_export(run, channel, step, path, &error);
  g_assert_no_error(error);
  return path;
}

static void
test_csv(void)
{
  g_autofree char *path = export_as("a.csv", NULL, 4);
  g_autofree char *text = NULL;

  g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
  g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
  g_assert_cmpuint(g_strv_length(lines), ==,
                   KEPT_NX * KEPT_NY + 2); /* header, and the text after the last */
  g_assert_cmpstr(lines[0], ==, "x [m],y [m],truth [1/s],found [1/s]");
  for (gsize k = 0; k < KEPT_NX * KEPT_NY; k++) {
    g_auto(GStrv) cells = g_strsplit(lines[k + 1], ",", -1);
    g_assert_cmpuint(g_strv_length(cells), ==, 4);
    g_assert_cmpfloat_with_epsilon(g_ascii_strtod(cells[0], NULL),
                                   -1 + 2.0 * (double) (k % KEPT_NX) / (KEPT_NX - 1), 1e-15);
    g_assert_cmpfloat_with_epsilon(g_ascii_strtod(cells[1], NULL),
                                   0.5 * (double) (k / KEPT_NX) / (KEPT_NY - 1), 1e-15);
    g_assert_cmpfloat(g_ascii_strtod(cells[2], NULL), ==, kept_run_value(4, 0, k));
    g_assert_cmpfloat(g_ascii_strtod(cells[3], NULL), ==, kept_run_value(4, 1, k));
  }
}

static void
test_npy(void)
{
  g_autofree char *path = export_as("a.npy", NULL, -1); /* the first reconstruction, last frame */
  g_autofree char *bytes = NULL;
  gsize            length;

  g_assert_true(g_file_get_contents(path, &bytes, &length, NULL));
  g_assert_cmpmem(bytes, 8, "\x93NUMPY\x01\x00", 8);
  gsize start = 10 + (guint8) bytes[8] + 256u * (guint8) bytes[9];
  g_assert_cmpuint(start % 64, ==, 0);
  g_assert_cmpint(bytes[start - 1], ==, '\n');
  g_assert_nonnull(g_strstr_len(bytes + 10, (gssize) start - 10, "'shape': (5, 12)"));
  g_assert_cmpuint(length, ==, start + KEPT_NX * KEPT_NY * sizeof(float));
  for (gsize k = 0; k < KEPT_NX * KEPT_NY; k++) {
    float value;
    memcpy(&value, bytes + start + k * sizeof value, sizeof value);
    g_assert_cmpfloat(value, ==, kept_run_value(6, 1, k));
  }
}

static void
on_element(GMarkupParseContext *context,
           const char          *element,
           const char         **names,
           const char         **values,
           gpointer             user_data,
           GError             **error)
{
  guint *n_arrays = user_data;

  if (g_str_equal(element, "DataArray"))
    (*n_arrays)++;
  for (gsize i = 0; names[i] != NULL; i++) {
    if (g_str_equal(names[i], "WholeExtent"))
      g_assert_cmpstr(values[i], ==, "0 11 0 4 0 0");
    if (g_str_equal(names[i], "Origin"))
      g_assert_cmpstr(values[i], ==, "-1 0 0");
  }
}

static void
test_vti(void)
{
  g_autofree char *path = export_as("a.vti", NULL, 2);
  g_autofree char *bytes = NULL;
  gsize            length;
  guint64          n_bytes;
  guint            n_arrays = 0;

  g_assert_true(g_file_get_contents(path, &bytes, &length, NULL));
  char *start = strstr(bytes, "<AppendedData encoding=\"raw\">\n_");
  g_assert_nonnull(start);
  start = strchr(start, '_') + 1;
  for (gsize c = 0; c < 2; c++) {
    memcpy(&n_bytes, start, sizeof n_bytes);
    g_assert_cmpuint(n_bytes, ==, KEPT_NX * KEPT_NY * sizeof(float));
    start += sizeof n_bytes;
    for (gsize k = 0; k < KEPT_NX * KEPT_NY; k++, start += sizeof(float)) {
      float value;
      memcpy(&value, start, sizeof value);
      g_assert_cmpfloat(value, ==, kept_run_value(2, c, k));
    }
  }
  g_assert_cmpmem(start, 20, "\n  </AppendedData>\n<", 20);

  /* well-formed XML around the raw bytes */
  g_autoptr(GMarkupParseContext) parser =
    g_markup_parse_context_new(&(GMarkupParser){.start_element = on_element}, 0, &n_arrays, NULL);
  gssize            before = strstr(bytes, "\n_") - bytes;
  g_autoptr(GError) error = NULL;
  g_markup_parse_context_parse(parser, bytes, before, &error);
  g_assert_no_error(error);
  g_markup_parse_context_parse(parser, start, (gssize) (bytes + length - start), &error);
  g_assert_no_error(error);
  g_markup_parse_context_end_parse(parser, &error);
  g_assert_no_error(error);
  g_assert_cmpuint(n_arrays, ==, 2);
}

/* A single channel as HDF5 reads back as a field. */
static void
test_h5(void)
{
  g_autofree char        *path = export_as("a.h5", "truth", 3);
  g_autoptr(GError)       error = NULL;
  g_autoptr(LacGridField) field = lac_input_load(path, "field", &error);

  g_assert_no_error(error);
  g_assert_cmpstr(field->name, ==, "truth");
  g_assert_cmpstr(field->unit, ==, "1/s");
  g_assert_cmpstr(field->axes[0].name, ==, "y");
  g_assert_cmpstr(field->axes[1].unit, ==, "m");
  for (gsize k = 0; k < KEPT_NX * KEPT_NY; k++)
    g_assert_cmpfloat(field->data[k], ==, kept_run_value(3, 0, k));
}

static void
test_refusals(void)
{
  g_autofree char  *odd = g_build_filename(out, "a.xyz", NULL);
  g_autofree char  *nowhere = g_build_filename(out, "no", "such", "place.csv", NULL);
  g_autofree char  *fine = g_build_filename(out, "b.csv", NULL);
  g_autoptr(GError) error = NULL;

  g_assert_false(lac_export(run, NULL, -1, odd, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_USAGE);
  g_clear_error(&error);
  g_assert_false(lac_export(run, "lost", -1, fine, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_UNKNOWN_KEY);
  g_assert_nonnull(strstr(error->message, "truth, found"));
  g_clear_error(&error);
  g_assert_false(lac_export(run, NULL, -1, nowhere, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE);
  g_assert_false(g_file_test(fine, G_FILE_TEST_EXISTS));
}

int
main(int argc, char **argv)
{
  g_autoptr(GError) error = NULL;

  /* decimal comma, if such a locale is installed; formats must not depend on it */
  if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL)
    setlocale(LC_ALL, "C");
  g_test_init(&argc, &argv, NULL);
  out = test_folder_new();
  g_autofree char *folder = kept_run_write(out, 6, TRUE);
  run = lac_run_file_open(folder, &error);
  g_assert_no_error(error);
  g_test_add_func("/io/export/csv", test_csv);
  g_test_add_func("/io/export/npy", test_npy);
  g_test_add_func("/io/export/vti", test_vti);
  g_test_add_func("/io/export/hdf5-is-a-field-again", test_h5);
  g_test_add_func("/io/export/what-cannot-be-written-is-a-sentence", test_refusals);
  int result = g_test_run();
  lac_run_file_unref(run);
  test_folder_remove(out);
  return result;
}

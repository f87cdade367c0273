/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Foreign HDF5 layouts: cut-outs of the Johns Hopkins Turbulence Databases, read and written, and NetCDF-4 with its
 * scales. */
#include "base/error.h"
#include "helpers/folder.h"
#include "io/export/export.h"
#include "io/format/h5.h"
#include "io/input/formats.h"
#include "io/input/input.h"
#include "io/runfile/folder.h"
#include "io/runfile/run-file.h"

#include <math.h>
#include <string.h>

static char *folder;

static const LacInputArray *
find_array(const LacInputFile *file, const char *name)
{
  for (guint i = 0; i < file->arrays->len; i++) {
    const LacInputArray *array = file->arrays->pdata[i];
    if (g_str_equal(array->name, name))
      return array;
  }
  g_error("there is no array %s", name);
}

static void
put_set(hid_t file, const char *name, int rank, const hsize_t *sizes, const float *data)
{
  hid_t set = lac_h5_write(file, name, H5T_NATIVE_FLOAT, rank, sizes, data);

  g_assert_cmpint(set, >=, 0);
  H5Dclose(set);
}

enum { NZ = 2, NY = 3, NX = 4 };

/* Returns a value that identifies time, point and component. */
static float
value_at(gsize t, gsize i, gsize c)
{
  return (float) (1000 * t + 10 * i + c) + 0.5f;
}

/* Names in upper or lower case, times in an order different from that of their names. */
static void
write_cutout(const char *path, const char *const *axes, const char *velocity, const char *pressure)
{
  const float   x[NX] = {0, 1, 2, 3}, y[NY] = {-1, -0.5f, 0.25f}, z[NZ] = {1, 2};
  const hsize_t lengths[3] = {NX, NY, NZ};
  const float  *coordinates[3] = {x, y, z};
  const gsize   times[] = {12, 2, 7};

  lac_h5_lock();
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  for (guint a = 0; a < 3; a++)
    put_set(file, axes[a], 1, &lengths[a], coordinates[a]);
  for (gsize k = 0; k < G_N_ELEMENTS(times); k++)
    for (gsize n = 1; n <= 3; n += 2) {
      const hsize_t    sizes[4] = {NZ, NY, NX, n};
      g_autofree char *name =
        g_strdup_printf("%s_%04" G_GSIZE_FORMAT, n == 3 ? velocity : pressure, times[k]);
      float data[NZ * NY * NX * 3];

      for (gsize i = 0; i < NZ * NY * NX * n; i++)
        data[i] = value_at(times[k], i / n, i % n);
      put_set(file, name, 4, sizes, data);
    }
  H5Fclose(file);
  lac_h5_unlock();
}

static void
test_read(void)
{
  static const char *const written[][3] = {{"xcoor", "ycoor", "zcoor"},
                                           {"XCOOR", "YCoor", "ZCOOR"}};
  static const char *const names[][2] = {{"Velocity", "Pressure"}, {"velocity", "PRESSURE"}};
  static const char *const components[] = {"u", "v", "w"};

  for (gsize k = 0; k < G_N_ELEMENTS(written); k++) {
    g_autofree char  *path = g_build_filename(folder, "cutout.h5", NULL);
    g_autofree char  *named = g_strconcat(path, "#p", NULL);
    g_autoptr(GError) error = NULL;

    write_cutout(path, written[k], names[k][0], names[k][1]);
    g_autoptr(LacInputFile) file = lac_input_file_read(path, LAC_INPUT_WHOLE, &error);
    g_assert_no_error(error);
    g_assert_cmpstr(file->format, ==, "JHTDB cut-out");
    for (gsize c = 0; c < 3; c++) {
      const LacInputArray *array = find_array(file, components[c]);

      g_assert_cmpuint(lac_input_array_get_length(array), ==, 3 * NZ * NY * NX);
      for (gsize i = 0; i < NZ * NY * NX; i++) {
        g_assert_true(array->data[i] == (double) value_at(2, i, c));
        g_assert_true(array->data[2 * NZ * NY * NX + i] == (double) value_at(12, i, c));
      }
    }
    g_autoptr(LacGridField) field = lac_input_load(named, "field", &error);
    g_assert_no_error(error);
    g_assert_cmpuint(field->n_axes, ==, 4);
    g_assert_cmpstr(field->axes[0].name, ==, "t");
    g_assert_cmpfloat(field->axes[0].values[1], ==, 7);
    g_assert_cmpstr(field->axes[1].name, ==, "z");
    g_assert_cmpfloat(field->axes[2].values[2], ==, 0.25);
  }
}

static const LacChannel shown[] = {
  {"u.truth", "Truth", "1", "u", LAC_ROLE_TRUTH, "balance", "x", "y", "1", "1"},
  {"u.own", "Own", "1", "u", LAC_ROLE_RECONSTRUCTION, "balance", "x", "y", "1", "1"},
  {"v.own", "Own", "1", "v", LAC_ROLE_RECONSTRUCTION, "balance", "x", "y", "1", "1"},
};

/* Writes three steps of a plane velocity. Returns: (transfer full): the folder. */
static char *
keep_flow(void)
{
  static const LacParam      rows[] = {{"n", 0, LAC_PARAM_INTEGER, "1", 1, 9, 1, "N", "Scene", ""}};
  static const LacParamTable table = {rows, 1, sizeof(gint64)};
  g_autoptr(LacDraft)        draft = lac_draft_new(&table);
  const LacRunHeader         header = {.experiment = "flow",
                                       .title = "Flow",
                                       .params = &table,
                                       .draft = draft,
                                       .channels = shown,
                                       .n_channels = G_N_ELEMENTS(shown),
                                       .backend = "cpu",
                                       .precision = "f64"};
  g_autoptr(GError)          error = NULL;
  g_autoptr(LacRunFolder)    kept = lac_run_folder_create(folder, &header, &error);
  const gsize                sizes[3][2] = {{NX, NY}, {NX, NY}, {NX, NY}};

  g_assert_no_error(error);
  for (gint64 step = 0; step < 30; step += 10) {
    g_autoptr(LacFrame) frame = lac_frame_new(3, sizes, 0, 0);

    frame->step = step;
    for (gsize c = 0; c < 3; c++) {
      frame->planes[c].x_max = frame->planes[c].y_max = 1;
      for (gsize i = 0; i < NX * NY; i++)
        frame->planes[c].data[i] = value_at((gsize) step, i, c);
    }
    g_assert_true(lac_run_folder_frame(kept, frame, &error));
  }
  g_assert_true(lac_run_folder_finish(kept, &(LacRunEnd){"finished", NULL, 20, 1, 1}, &error));
  return g_strdup(lac_run_folder_get_path(kept));
}

/* The exported fields read back value by value. */
static void
test_written(void)
{
  g_autofree char      *path = g_build_filename(folder, "written.h5", NULL);
  g_autofree char      *beside = g_build_filename(folder, "written.xmf", NULL);
  g_autofree char      *run_path = keep_flow(), *xmf = NULL;
  g_autoptr(GError)     error = NULL;
  g_autoptr(LacRunFile) run = lac_run_file_open(run_path, &error);

  g_assert_no_error(error);
  g_assert_true(lac_export_cutout(run, NULL, path, &error));
  g_assert_no_error(error);
  g_autoptr(LacInputFile) file = lac_input_file_read(path, LAC_INPUT_WHOLE, &error);
  g_assert_no_error(error);
  g_assert_cmpstr(file->format, ==, "JHTDB cut-out");
  const LacInputArray *u = find_array(file, "u"), *v = find_array(file, "v");
  const LacInputArray *t = find_array(file, "t");
  g_assert_cmpuint(t->sizes[0], ==, run->n_frames);
  for (gsize k = 0; k < run->n_frames; k++) {
    g_autoptr(LacFrame) frame = lac_run_file_load_frame(run, k, &error);
    const LacPlane     *planes[] = {&frame->planes[lac_run_file_find_channel(run, "u.own")],
                                    &frame->planes[lac_run_file_find_channel(run, "v.own")]};
    const gsize         n = planes[0]->nx * planes[0]->ny;

    g_assert_cmpfloat(t->data[k], ==, (double) run->frame_step[k]);
    for (gsize i = 0; i < n; i++) {
      g_assert_true(u->data[k * n + i] == (double) planes[0]->data[i]);
      g_assert_true(v->data[k * n + i] == (double) planes[1]->data[i]);
    }
  }
  g_assert_true(g_file_get_contents(beside, &xmf, NULL, NULL));
  g_assert_nonnull(strstr(xmf, "written.h5:/Velocity_0000"));
  g_assert_nonnull(strstr(xmf, "3DRectMesh"));

  /* a source without velocity, and a path that cannot be written */
  g_assert_false(lac_export_cutout(run, "u.truth", path, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_USAGE);
  g_clear_error(&error);
  g_assert_false(lac_export_cutout(run, NULL, "/no/such/folder/c.h5", &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE);
}

/* ---- NetCDF-4 ---- */

static void
put_fixed_text(hid_t object, const char *name, const char *text)
{
  hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  H5Tset_size(type, strlen(text) + 1);
  hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  g_assert_cmpint(H5Awrite(attribute, type, text), >=, 0);
  H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
}

/* Attaches scales to axes like H5DSattach_scale(). */
static void
put_scales(hid_t file, hid_t set, const char *const *names, gsize n)
{
  hobj_ref_t references[2];
  hvl_t      lists[2];
  hsize_t    length = n;
  hid_t      type = H5Tvlen_create(H5T_STD_REF_OBJ), space = H5Screate_simple(1, &length, NULL);

  for (gsize i = 0; i < n; i++) {
    g_assert_cmpint(H5Rcreate(&references[i], file, names[i], H5R_OBJECT, -1), >=, 0);
    lists[i] = (hvl_t){.len = 1, .p = &references[i]};
  }
  hid_t attribute = H5Acreate2(set, "DIMENSION_LIST", type, space, H5P_DEFAULT, H5P_DEFAULT);
  g_assert_cmpint(H5Awrite(attribute, type, lists), >=, 0);
  H5Aclose(attribute);
  H5Sclose(space);
  H5Tclose(type);
}

/* Two axes of equal length with uninformative names: the scales determine them. */
static void
test_netcdf(void)
{
  static const char *const axes[] = {"row", "column"};
  g_autofree char         *path = g_build_filename(folder, "some.nc", NULL);
  const float              column[] = {0, 1, 2}, row[] = {10, 20, 30};
  const float              packed[] = {0, 1, 2, 3, 4, 5, 6, -999, 8};
  const hsize_t            sizes[] = {3, 3};
  g_autoptr(GError)        error = NULL;

  lac_h5_lock();
  hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  put_fixed_text(file, "_NCProperties", "version=2");
  put_set(file, "column", 1, sizes, column);
  put_set(file, "row", 1, sizes, row);
  hid_t bare = lac_h5_write(file, "none", H5T_NATIVE_FLOAT, 1, sizes, column);
  put_fixed_text(bare, "NAME", "This is a netCDF dimension but not a netCDF variable.         3");
  H5Dclose(bare);
  hid_t set = lac_h5_write(file, "heat", H5T_NATIVE_FLOAT, 2, sizes, packed);
  put_fixed_text(set, "units", "K");
  g_assert_true(lac_h5_put_real(set, "_FillValue", -999));
  g_assert_true(lac_h5_put_real(set, "scale_factor", 0.5));
  g_assert_true(lac_h5_put_real(set, "add_offset", 100));
  put_scales(file, set, axes, 2);
  H5Dclose(set);
  H5Fclose(file);
  lac_h5_unlock();

  g_autoptr(LacInputFile) read = lac_input_file_read(path, LAC_INPUT_WHOLE, &error);
  g_assert_no_error(error);
  g_assert_cmpstr(read->format, ==, "NetCDF-4");
  const LacInputArray *heat = find_array(read, "heat");
  g_assert_cmpstr(heat->unit, ==, "K");
  g_assert_cmpstr(heat->axes[0], ==, "row");
  g_assert_cmpfloat(heat->data[5], ==, 102.5);
  g_assert_true(isnan(heat->data[7]));
  g_assert_null(find_array(read, "none")->data);
  g_autofree char *reported = lac_input_describe(path, &error);
  g_assert_nonnull(strstr(reported, "field: heat over row, column"));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  folder = test_folder_new();
  g_test_add_func("/io/cut-out/read-whatever-the-case-of-its-names", test_read);
  g_test_add_func("/io/cut-out/what-a-run-writes-is-read-back", test_written);
  g_test_add_func("/io/netcdf/scales-name-the-axes", test_netcdf);
  int result = g_test_run();
  test_folder_remove(folder);
  return result;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A volume and its molecule: saved, read back and exported. */
#include "base/error.h"
#include "helpers/folder.h"
#include "io/export/export.h"
#include "io/input/input.h"
#include "io/runfile/folder.h"

#include <locale.h>
#include <string.h>

enum { NX = 4, NY = 3, NZ = 8 };

typedef struct {
  gint64 n;
} Params;

static const LacParam rows[] = {
  {LAC_FIELD(Params, n), LAC_PARAM_INTEGER, "1", 1, 99, 12, "Points", "Engine", "", 0},
};
static const LacParamTable table = {rows, G_N_ELEMENTS(rows), sizeof(Params)};
static const LacChannel    channels[] = {
     {"shadow", "Shadow", "1/bohr²", "shadow", LAC_ROLE_RECONSTRUCTION, "ember", "x", "y", "bohr",
      "bohr"},
     {"density", "Density", "1/bohr³", "density", LAC_ROLE_OTHER, "ember", "x", "y", "bohr", "bohr",
      .layers = {NZ, -2, 1.5}},
     {"spread", "Spread", "1/Ha", "spread", LAC_ROLE_OTHER, "ember", "energy", "curve", "Ha", "1",
      .chart = {.n = 1,
                .labels = {"Walkers"},
                .with_errors = TRUE,
                .log_axis = TRUE,
                .has_mark = TRUE,
                .mark = -1.25}},
};
static const LacMetric metrics[] = {{"energy", "Energy", "Ha", FALSE, TRUE}};

static char       *out;
static LacRunFile *run;

static float
value_at(gsize x, gsize y, gsize z)
{
  return (float) x + 10 * (float) y + 100 * (float) z;
}

static void
add_frame(LacRunFolder *folder)
{
  const gsize         sizes[3][2] = {{2, 2}, {NX, NY * NZ}, {3, 2}};
  g_autoptr(LacFrame) frame = lac_frame_new(3, sizes, 2, 1);
  LacPlane           *plane = &frame->planes[1];

  frame->step = 1;
  frame->metrics[0] = -1;
  plane->x_min = -1.5;
  plane->x_max = 1.5;
  lac_layers_set_y(&channels[1].layers, plane, -0.5, 0.5);
  for (gsize i = 0; i < NX * NY * NZ; i++)
    plane->data[i] = value_at(i % NX, i / NX % NY, i / (NX * NY));
  for (gsize i = 0; i < 6; i++)
    frame->planes[2].data[i] = (float) i;
  frame->planes[2].x_min = -2;
  frame->planes[2].x_max = -1;
  frame->markers[0] = (LacMarker){0.5, 0.25, g_intern_static_string("sensor")};
  frame->markers[1] =
    (LacMarker){1, 2, g_intern_static_string("nucleus-Li"), TRUE, {0.125, -0.25, 1.5}};
  lac_run_folder_frame(folder, frame, NULL);
}

static char *
write_run(gboolean finished)
{
  const LacNucleus       nuclei[] = {{3, {0, 0, -1.5}}, {1, {0, 0, 1.515}}};
  g_autoptr(LacDraft)    draft = lac_draft_new(&table);
  g_autoptr(LacMolecule) molecule = lac_molecule_new("LiH", 2, nuclei, 2, 2);
  g_autoptr(GError)      error = NULL;
  LacRunEnd              end = {"finished", "", 1, 0.1, 0};
  LacRunHeader           header = {
              .experiment = "lih",
              .params = &table,
              .draft = draft,
              .channels = channels,
              .n_channels = G_N_ELEMENTS(channels),
              .metrics = metrics,
              .n_metrics = G_N_ELEMENTS(metrics),
              .molecule = molecule,
              .backend = "cpu",
              .precision = "f64",
              .threads = 1,
  };
  g_autoptr(LacRunFolder) folder = lac_run_folder_create(out, &header, &error);
  double                  row[1] = {-1};

  g_assert_no_error(error);
  lac_run_folder_metrics(folder, 1, 0.1, row, &error);
  add_frame(folder);
  if (finished)
    lac_run_folder_finish(folder, &end, &error);
  g_assert_no_error(error);
  return g_strdup(lac_run_folder_get_path(folder));
}

static void
assert_run(const LacRunFile *file)
{
  const LacLayers    *layers = &file->channels[1].layers;
  g_autoptr(LacFrame) frame = lac_run_file_load_frame(file, 0, NULL);

  g_assert_cmpuint(file->channels[0].layers.n, ==, 0);
  g_assert_cmpuint(layers->n, ==, NZ);
  g_assert_cmpfloat(layers->low, ==, -2);
  g_assert_cmpfloat(layers->high, ==, 1.5);
  g_assert_nonnull(file->molecule);
  g_assert_cmpstr(file->molecule->name, ==, "LiH");
  g_assert_cmpuint(file->molecule->n_up, ==, 2);
  g_assert_cmpuint(file->molecule->n_nuclei, ==, 2);
  g_assert_cmpuint(file->molecule->nuclei[0].charge, ==, 3);
  g_assert_cmpfloat(file->molecule->nuclei[1].position[2], ==, 1.515);
  g_assert_cmpuint(lac_layers_rows(layers, &frame->planes[1]), ==, NY);
  g_assert_cmpfloat_with_epsilon(lac_layers_y_max(layers, &frame->planes[1]), 0.5, 1e-12);
}

static void
assert_chart(const LacRunFile *file)
{
  const LacChannel    channel = lac_run_file_get_channel(file, 2);
  g_autoptr(LacFrame) frame = lac_run_file_load_frame(file, 0, NULL);

  g_assert_cmpuint(file->channels[1].chart.n, ==, 0);
  g_assert_cmpuint(channel.chart.n, ==, 1);
  g_assert_cmpstr(channel.chart.labels[0], ==, "Walkers");
  g_assert_true(channel.chart.with_errors && channel.chart.log_axis && channel.chart.has_mark);
  g_assert_cmpfloat(channel.chart.mark, ==, -1.25);
  g_assert_false(frame->markers[0].is_in_space);
  g_assert_true(frame->markers[1].is_in_space);
  g_assert_cmpfloat(frame->markers[1].space[0], ==, 0.125);
  g_assert_cmpfloat(frame->markers[1].space[1], ==, -0.25);
  g_assert_cmpfloat(frame->markers[1].space[2], ==, 1.5);
  g_assert_cmpfloat(frame->markers[1].y, ==, 2);
}

/* Curves, and positions of markers in the volume. */
static void
test_chart(void)
{
  g_autofree char      *folder = write_run(FALSE), *text = NULL;
  g_autofree char      *path = g_build_filename(out, "spread.csv", NULL);
  g_autoptr(LacRunFile) cut = lac_run_file_open(folder, NULL);
  g_autoptr(GError)     error = NULL;

  assert_chart(cut);
  assert_chart(run);
  lac_export(run, "spread", -1, path, &error);
  g_assert_no_error(error);
  g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
  g_assert_cmpstr(text, ==,
                  "energy [Ha],\"Walkers\" [1/Ha],\"standard error: Walkers\" [1/Ha]\n"
                  "-2,0,3\n-1.5,1,4\n-1,2,5\n");
}

/* From the segments of an interrupted run, and from its run.h5. */
static void
test_return(void)
{
  g_autofree char      *folder = write_run(FALSE);
  g_autoptr(LacRunFile) cut = lac_run_file_open(folder, NULL);

  assert_run(cut);
  assert_run(run);
}

static char *
export_text(const char *name)
{
  g_autofree char  *path = g_build_filename(out, name, NULL);
  g_autoptr(GError) error = NULL;
  char             *text = NULL;

  lac_export(run, NULL, -1, path, &error);
  g_assert_no_error(error);
  g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
  return text;
}

static void
test_cube(void)
{
  g_autofree char *text = export_text("a.cube");
  g_auto(GStrv)    lines = g_strsplit(text, "\n", -1);
  guint            line = 8;

  g_assert_cmpstr(lines[0], ==, "lih, step 1");
  g_assert_cmpstr(lines[1], ==, "Density [1/bohr³]");
  g_assert_cmpstr(lines[2], ==, "    2   -1.500000   -0.500000   -2.000000");
  g_assert_cmpstr(lines[3], ==, "    4    1.000000    0.000000    0.000000");
  g_assert_cmpstr(lines[4], ==, "    3    0.000000    0.500000    0.000000");
  g_assert_cmpstr(lines[5], ==, "    8    0.000000    0.000000    0.500000");
  g_assert_cmpstr(lines[6], ==, "    3    3.000000    0.000000    0.000000   -1.500000");
  g_assert_cmpstr(lines[7], ==, "    1    1.000000    0.000000    0.000000    1.515000");
  for (gsize x = 0; x < NX; x++)
    for (gsize y = 0; y < NY; y++, line += 2) {
      g_autofree char *both = g_strconcat(lines[line], lines[line + 1], NULL);

      g_assert_cmpuint(strlen(lines[line]), ==, 6 * 13);
      for (gsize z = 0; z < NZ; z++) {
        g_autofree char *number = g_strndup(both + 13 * z, 13);
        g_assert_cmpfloat(g_ascii_strtod(number, NULL), ==, (double) value_at(x, y, z));
      }
    }
  g_assert_cmpstr(lines[line], ==, "");
  g_assert_null(lines[line + 1]);
}

/* Three axes are read back. */
static void
test_h5(void)
{
  g_autofree char        *path = g_build_filename(out, "a.h5", NULL);
  g_autoptr(GError)       error = NULL;
  g_autoptr(LacGridField) field = NULL;

  lac_export(run, "density", -1, path, &error);
  g_assert_no_error(error);
  field = lac_input_load(path, "field", &error);
  g_assert_no_error(error);
  g_assert_cmpuint(field->n_axes, ==, 3);
  g_assert_cmpuint(field->axes[0].n, ==, NZ);
  g_assert_cmpfloat(field->axes[0].values[NZ - 1], ==, 1.5);
  g_assert_cmpfloat(field->data[(5 * NY + 2) * NX + 1], ==, (double) value_at(1, 2, 5));
}

static void
test_other_formats(void)
{
  g_autofree char  *vti = g_build_filename(out, "a.vti", NULL), *text = NULL, *csv = NULL;
  g_autofree char  *table_path = g_build_filename(out, "a.csv", NULL);
  g_autofree char  *numbers = g_build_filename(out, "a.npy", NULL);
  g_autoptr(GError) error = NULL;

  g_assert_true(lac_export(run, "density", -1, vti, &error));
  g_assert_true(g_file_get_contents(vti, &text, NULL, NULL));
  g_assert_nonnull(
    strstr(text, "WholeExtent=\"0 3 0 2 0 7\" Origin=\"-1.5 -0.5 -2\" Spacing=\"1 0.5 0.5\""));
  g_clear_pointer(&text, g_free);
  g_assert_true(lac_export(run, "density", -1, table_path, &error));
  g_assert_true(g_file_get_contents(table_path, &csv, NULL, NULL));
  g_assert_true(
    g_str_has_prefix(csv, "z [bohr],x [bohr],y [bohr],density [1/bohr³]\n-2,-1.5,-0.5,0\n"));
  g_assert_nonnull(strstr(csv, "\n1.5,1.5,0.5,723\n"));
  g_assert_true(lac_export(run, "density", -1, numbers, &error));
  g_assert_true(g_file_get_contents(numbers, &text, NULL, NULL));
  g_assert_nonnull(g_strstr_len(text + 10, 118, "'shape': (8, 3, 4)"));
  /* planes only, when no channel is named */
  g_assert_true(lac_export(run, NULL, -1, table_path, &error));
  g_assert_no_error(error);
}

static void
test_refusal(void)
{
  g_autofree char  *path = g_build_filename(out, "b.cube", NULL);
  g_autoptr(GError) error = NULL;

  g_assert_false(lac_export(run, "shadow", -1, path, &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_USAGE);
  g_assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
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
  g_autofree char *folder = write_run(TRUE);
  run = lac_run_file_open(folder, &error);
  g_assert_no_error(error);
  g_test_add_func("/io/volume/comes-back-with-its-molecule", test_return);
  g_test_add_func("/io/volume/curves-and-places-in-space-come-back", test_chart);
  g_test_add_func("/io/volume/gaussian-cube", test_cube);
  g_test_add_func("/io/volume/hdf5-is-a-field-of-three-axes", test_h5);
  g_test_add_func("/io/volume/vti-csv-and-npy", test_other_formats);
  g_test_add_func("/io/volume/a-plane-is-no-cube", test_refusal);
  int result = g_test_run();
  lac_run_file_unref(run);
  test_folder_remove(out);
  return result;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The user's snapshots, without an equation: modes of the first ones reconstruct the later ones from a few sensors.
 * Without a file, a quasi-periodic double gyre between walls, oscillating with two incommensurate periods. Source:
 * Shadden, Lekien, Marsden (2005), doi:10.1016/j.physd.2005.10.007, section 5; the second period is our addition */
#include "experiment/flow/scene.h"
#include "experiment/flow/truth/series.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include <math.h>
#include <string.h>

/* double gyre, in a box of 2 x 1 */
#define N_X       96
#define N_Y       48
#define N_T       300
#define INTERVAL  0.1
#define AMPLITUDE 0.1
#define SWAY      0.25

typedef struct {
  char  *series;
  gint64 plane;
  double training;
  gint64 observations;
  double memory;
} Params;

/* clang-format off */
static const LacParam rows[] = {
  {LAC_FIELD(Params, series), LAC_PARAM_FILE, "1", 0, 0, 0, N_("Snapshots from a file"), N_("Scene"), N_("HDF5, JHTDB cut-out, NetCDF-4, MAT or NPY over t, y and x; FILE#NAME selects a quantity; no file: a double gyre"), .file_type = "series"},
  {LAC_FIELD(Params, plane), LAC_PARAM_INTEGER, "1", 1, 1e6, 1, N_("Plane"), N_("Scene"), N_("Index of the plane along z, counted from 1, in a series over t, z, y and x")},
  {LAC_FIELD(Params, training), LAC_PARAM_REAL, "%", 1, 99, 80, N_("Training share"), N_("Scene"), N_("Fraction of the snapshots, from the start, used for training; the rest is only observed")},
  {LAC_FIELD(Params, observations), LAC_PARAM_INTEGER, "1", 1, 5000, 100, N_("Observations"), N_("Scene"), N_("Maximum number of observed snapshots after the training part")},
  {LAC_FIELD(Params, memory), LAC_PARAM_REAL, "MB", 0, 1e7, 0, N_("Memory for snapshots"), N_("Scene"), N_("Larger training parts are read from the file in blocks; 0: a quarter of main memory"), LAC_PARAM_ADVANCED},
};
/* clang-format on */

static const LacDefault defaults[] = {{"sensors", "6"}, {NULL, NULL}};

static double
budget_of(const Params *params)
{
  return lac_series_budget(1e6 * params->memory);
}

/* No equation: only the axes t, x, y and the name of the field are used. */
static void
configure(gconstpointer values, LacCase *subject)
{
  const Params *params = values;

  subject->pde = lac_pde_find("heat-2d");
  subject->without_equation = TRUE;
  subject->upper[0] = N_T * INTERVAL;
  subject->upper[1] = 2;
  subject->upper[2] = 1;
  subject->n_points = N_X * N_Y;
  subject->n_times = (gsize) params->observations;
  subject->view_fields = 1;
}

/* u = -pi A sin(pi f) cos(pi y), f = a x^2 + (1 - 2 a) x: velocity along x. */
static double
gyres_at(double t, double x, double y)
{
  const double a = SWAY * 0.5 * (sin(2 * G_PI * t / 10) + sin(2 * G_PI * t / (10 / G_SQRT2)));

  return -G_PI * AMPLITUDE * sin(G_PI * (a * x * x + (1 - 2 * a) * x)) * cos(G_PI * y);
}

static LacGridField *
make_gyres(void)
{
  static const char *const names[] = {"t", "y", "x"}, *const units[] = {"1", "1", "1"};
  const gsize   sizes[] = {N_T, N_Y, N_X};
  LacGridField *field = lac_field_new("u", "1", 3, names, units, sizes);
  double       *next = field->data;

  for (gsize k = 0; k < N_T; k++)
    field->axes[0].values[k] = (double) k * INTERVAL;
  for (gsize j = 0; j < N_Y; j++)
    field->axes[1].values[j] = (double) j / (N_Y - 1);
  for (gsize i = 0; i < N_X; i++)
    field->axes[2].values[i] = 2 * (double) i / (N_X - 1);
  for (gsize k = 0; k < N_T; k++)
    for (gsize j = 0; j < N_Y; j++)
      for (gsize i = 0; i < N_X; i++)
        *next++ =
          gyres_at(field->axes[0].values[k], field->axes[1].values[j], field->axes[2].values[i]);
  return field;
}

static LacTruth *
make_truth(gconstpointer          values,
           const LacCase *subject G_GNUC_UNUSED,
           const LacContext      *context,
           GError               **error)
{
  const Params *params = values;
  LacGridField *file = context->inputs ? g_hash_table_lookup(context->inputs, "series") : NULL;
  g_autoptr(LacGridField) field = file ? lac_field_ref(file) : make_gyres();
  const LacSeriesSettings settings = {
    .field = field,
    .plane = (gsize) params->plane - 1,
    .share = params->training / 100,
    .most_observed = (gsize) params->observations,
    .budget = budget_of(params),
  };

  return lac_series_truth_new(&settings, context, error);
}

/* Returns the file's size in bytes; 0 if there is no such file. */
static double
size_of_file(const char *name)
{
  const char      *mark = strrchr(name, '#');
  g_autofree char *path = g_strndup(name, mark ? (gsize) (mark - name) : strlen(name));
  GStatBuf         about;

  return g_stat(path, &about) == 0 || g_stat(name, &about) == 0 ? (double) about.st_size : 0;
}

static void
estimate(const LacCase *subject, double *seconds, double *bytes)
{
  static const double seconds_per_byte = 3e-9; /* for reading it three times */
  const Params       *params = subject->params;
  const double        size = params->series ? size_of_file(params->series) : 8.0 * N_T * N_X * N_Y;

  *seconds = seconds_per_byte * size;
  *bytes = MIN(2 * size, budget_of(params)); /* single precision takes twice as much here */
}

const LacScene lac_scene_recorded = {
  .name = "recorded",
  .title = N_("Recorded flow"),
  .summary = N_("Your own snapshots, of any size: reconstruct the plane from a few sensors and "
                "modes of earlier snapshots"),
  .source = "Everson, Sirovich (1995), doi:10.1364/JOSAA.12.001657",
  .caution = N_("Without an equation, features that are absent from the training part cannot be "
                "reconstructed."),
  .params = {rows, G_N_ELEMENTS(rows), sizeof(Params)},
  .fields = "u",
  .measured = "u",
  .methods = "pod",
  .offered = "pod",
  .defaults = defaults,
  .precision = "f64",
  .configure = configure,
  .truth = make_truth,
  .estimate = estimate,
};

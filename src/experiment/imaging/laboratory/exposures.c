/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conversion of exposures to named tensors and back: a run writes the same format that another run imports. */
#include "base/error.h"
#include "experiment/imaging/laboratory/laboratory-private.h"

#include <math.h>
#include <string.h>

static const char *const units[] = {"amplitude", "intensity"};
static const char *const shapes[] = {"circle", "hexagon", "obscured"};

static const LacEntry *
find(const LacStore *store, const char *name)
{
  for (gsize i = 0; i < lac_store_get_n_entries(store); i++)
    if (g_str_equal(lac_store_get_entry(store, i)->name, name))
      return lac_store_get_entry(store, i);
  return NULL;
}

static double
number_of(const LacStore *store, const char *name, double fallback)
{
  const LacEntry *entry = find(store, name);

  return entry ? *(const double *) entry->data : fallback;
}

/* Returns: FALSE with an error when the text is not one of @words. */
static gboolean
choose(const LacStore    *store,
       const char        *name,
       const char *const *words,
       gsize              n,
       gint64             fallback,
       gint64            *chosen,
       GError           **error)
{
  const LacEntry *entry = find(store, name);

  *chosen = fallback;
  if (!entry)
    return TRUE;
  for (gsize i = 0; i < n; i++)
    if (g_str_equal(entry->data, words[i])) {
      *chosen = (gint64) i;
      return TRUE;
    }
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
              "the measurements' %s is \"%s\"; it takes %s or %s", name, (const char *) entry->data,
              words[0], words[n - 1]);
  return FALSE;
}

static gboolean
is_count(double value, double least)
{
  return value >= least && value <= 8192 && value == floor(value);
}

/* Reads the settings; those missing in the file are taken from the parameters. */
static gboolean
read_settings(const LacStore         *store,
              const LacImagingParams *common,
              LacOpticsSettings      *settings,
              GError                **error)
{
  const LacEntry *stack = find(store, "stack");
  const double    grid = number_of(store, "grid", (double) common->grid);
  const double    half = common->size > 0 ? (double) common->size : floor(grid / 2);
  const double    support = number_of(store, "support", half);
  const double    along = number_of(store, "along", (double) common->points_along);
  gint64          unit, shape;

  if (!choose(store, "unit", units, G_N_ELEMENTS(units), common->unit, &unit, error) ||
      !choose(store, "shape", shapes, G_N_ELEMENTS(shapes), common->shape, &shape, error))
    return FALSE;
  if (!is_count(grid, 8) || !is_count(support, 1) || !is_count(along, 0)) {
    g_set_error(
      error, LAC_ERROR, LAC_ERROR_BAD_FILE,
      "the measurements' grid (%g), support (%g) and along (%g) must be integers up to 8192", grid,
      support, along);
    return FALSE;
  }
  *settings = (LacOpticsSettings){
    .grid = (gsize) grid,
    .support = (gsize) support,
    .aperture = {(LacApertureShape) shape,
                 number_of(store, "diameter", lac_imaging_get_diameter(common)) / 2,
                 number_of(store, "inner", common->inner) / 2,
                 number_of(store, "spider", common->spider)},
    .unit = (LacDetectorUnit) unit,
    .patch = (gsize) lround(sqrt((double) stack->n_columns)),
    .n_along = (gsize) along,
    .n_positions = stack->n_rows,
  };
  if (settings->aperture.shape != LAC_APERTURE_OBSCURED)
    settings->aperture.inner = settings->aperture.spider = 0;
  return TRUE;
}

static double
get_mean_square(const double *x, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += x[i] * x[i] / (double) n;
  return sum;
}

static gboolean
is_even(const double *x, gsize n)
{
  for (gsize i = 1; i < n; i++)
    if (x[i] != x[0])
      return FALSE;
  return TRUE;
}

/* Takes the noise from the file, else from the parameters. Converts a constant standard deviation to a noise model: for amplitudes shot noise, sigma = 1/(2 sqrt
 * S); for intensities read noise. A deviation that varies between pixels is stored as well; the model uses its mean. */
static void
read_noise(const LacStore *store, const LacImagingParams *common, LacExposures *exposures)
{
  const LacEntry *sigma = find(store, "sigma");
  const gsize     n = sigma ? sigma->n_rows * sigma->n_columns : 0;
  const double    square = n ? get_mean_square(sigma->data, n) : 0;

  exposures->noise.snr_db =
    number_of(store, "snr", common->snr > 0 ? common->snr : (double) INFINITY);
  exposures->noise.read_sigma = number_of(store, "read_noise", common->read_noise);
  if (square == 0)
    return;
  if (!is_even(sigma->data, n))
    exposures->sigma = g_memdup2(sigma->data, n * sizeof(double));
  if (exposures->unit == LAC_DETECTOR_AMPLITUDE)
    exposures->noise.snr_db = -10 * log10(4 * square);
  else
    exposures->noise.read_sigma = sqrt(square);
}

LacExposures *
lac_imaging_read_exposures(const LacStore *store, const LacImagingParams *common, GError **error)
{
  const LacEntry   *stack = find(store, "stack"), *mask = find(store, "mask");
  const gsize       n = stack->n_rows * stack->n_columns;
  LacOpticsSettings settings;
  gsize             n_positions;

  if (!read_settings(store, common, &settings, error))
    return NULL;
  g_autofree LacScanBox *scan = lac_imaging_scan_of(find(store, "centres"), &n_positions);
  settings.scan = scan;
  g_autoptr(LacOptics) optics = lac_optics_new(&settings, NULL, error);
  if (!optics)
    return NULL;
  g_autoptr(LacExposures) exposures = lac_exposures_new(lac_optics_get_settings(optics));
  memcpy(exposures->images, stack->data, n * sizeof(double));
  if (mask)
    exposures->valid = g_memdup2(mask->data, n);
  for (gsize i = 0; mask && i < n; i++)
    if (!exposures->valid[i])
      exposures->images[i] = 0;
  read_noise(store, common, exposures);
  if (!lac_exposures_check(exposures, error))
    return NULL;
  return g_steal_pointer(&exposures);
}

/* An object of the greatest amplitude everywhere sends most of its light through the aperture at the centre; other
 * exposures of bounded objects are darker. */
gboolean
lac_imaging_check_brightness(const LacExposures     *exposures,
                             LacOptics              *optics,
                             const LacImagingParams *common,
                             LacPool                *pool,
                             GError                **error)
{
  const double   margin = 1.5;
  const LacNoise none = {.snr_db = INFINITY};
  const gsize    n = exposures->support * exposures->support;
  const double   high = common->is_real ? fmax(fabs(common->low), common->high) : common->high;
  g_autofree double complex *object = g_new(double complex, n);

  if (!common->bounds)
    return TRUE;
  for (gsize i = 0; i < n; i++)
    object[i] = high;
  g_autoptr(LacExposures) brightest = lac_exposures_simulate(optics, object, &none, pool);
  const double            times =
    lac_exposures_get_most_light(exposures) / lac_exposures_get_most_light(brightest);
  if (!(times > margin))
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
              "the brightest exposure has %.3g times the light that an object of amplitude %g can "
              "send: divide the exposures (%s) by %.3g, set high to %.3g, or bounds to no",
              times, high, units[exposures->unit],
              exposures->unit == LAC_DETECTOR_AMPLITUDE ? sqrt(times) : times, high * sqrt(times));
  return FALSE;
}

static void
put_number(LacStore *store, const char *name, double value)
{
  *(double *) lac_store_put(store, name, 1, 1, sizeof value) = value;
}

LacStore *
lac_imaging_exposures(gconstpointer data)
{
  const LacExposures *exposures = ((const LacImagingState *) data)->exposures;
  const LacAperture  *aperture = &exposures->aperture;
  const gsize         n = exposures->n_positions, cells = exposures->d * exposures->d;
  LacStore           *store = lac_store_new();

  memcpy(lac_store_put(store, "stack", n, cells, sizeof(double)), exposures->images,
         n * cells * sizeof(double));
  memcpy(lac_store_put(store, "centres", n, 4, sizeof(double)), exposures->scan,
         n * sizeof *exposures->scan);
  if (exposures->sigma)
    memcpy(lac_store_put(store, "sigma", n, cells, sizeof(double)), exposures->sigma,
           n * cells * sizeof(double));
  if (exposures->valid)
    memcpy(lac_store_put(store, "mask", n, cells, 1), exposures->valid, n * cells);
  lac_store_put_bytes(store, "unit", units[exposures->unit], strlen(units[exposures->unit]) + 1);
  lac_store_put_bytes(store, "shape", shapes[aperture->shape], strlen(shapes[aperture->shape]) + 1);
  put_number(store, "grid", (double) exposures->grid);
  put_number(store, "support", (double) exposures->support);
  put_number(store, "along", (double) exposures->n_along);
  put_number(store, "diameter", 2 * aperture->radius);
  put_number(store, "inner", 2 * aperture->inner);
  put_number(store, "spider", aperture->spider);
  if (isfinite(exposures->noise.snr_db))
    put_number(store, "snr", exposures->noise.snr_db);
  put_number(store, "read_noise", exposures->noise.read_sigma);
  return store;
}

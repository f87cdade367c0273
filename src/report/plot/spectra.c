/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spectra of the planes of a frame. */
#include "report/plot/spectra.h"

#include "field/derived.h"
#include "field/spectrum.h"
#include "report/plot/plot.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

#define DECADES 10.0 /* shown below the largest energy; rounding error dominates further down */

/* Returns TRUE for a channel shown as a field. */
static gboolean
is_source(const LacChannel *channel)
{
  return channel->role != LAC_ROLE_OTHER && channel->layers.n == 0 && channel->chart.n == 0;
}

static const char *
quantity_of(const LacChannel *channel)
{
  return channel->quantity != NULL ? channel->quantity : channel->key;
}

/* Returns the first source channel that supports a spectrum, or -1. */
static gssize
find_first(const LacChannel *channels, gsize n_channels)
{
  for (gsize i = 0; i < n_channels; i++)
    if (is_source(&channels[i]) && lac_velocity_partner(channels, n_channels, i) >= 0)
      return (gssize) i;
  for (gsize i = 0; i < n_channels; i++)
    if (is_source(&channels[i]) && g_strcmp0(channels[i].quantity, "vorticity") == 0)
      return (gssize) i;
  return -1;
}

static double
period(double low, double high, gsize n)
{
  return n > 1 ? (high - low) * (double) n / (double) (n - 1) : 0;
}

/* Returns TRUE when the energy spectrum of the flow is used for @quantity instead of its power spectrum. */
static gboolean
is_of_flow(const char *quantity)
{
  static const char *const words[] = {"velocity", "vorticity", "u", "v", NULL};
  return quantity == NULL || g_strv_contains(words, quantity);
}

static gboolean
is_square(const LacPlane *plane)
{
  double width = period(plane->x_min, plane->x_max, plane->nx);
  double height = period(plane->y_min, plane->y_max, plane->ny);
  return plane->nx == plane->ny && fabs(width - height) <= 1e-6 * width && plane->nx >= 4;
}

/* Returns the channel that the energy is computed from, or -1. */
static gssize
find_flow(const LacSpectraOf *of)
{
  gssize first = is_of_flow(of->quantity) ? find_first(of->channels, of->n_channels) : (gssize) -1;
  return first >= 0 && (gsize) first < of->frame->n_planes && of->channels[first].periodic &&
             is_square(&of->frame->planes[first])
           ? first
           : -1;
}

/* Returns the first field of the quantity, or of any; -1 without one. */
static gssize
find_field(const LacSpectraOf *of)
{
  for (gsize i = 0; i < MIN(of->n_channels, of->frame->n_planes); i++)
    if (is_source(&of->channels[i]) && of->frame->planes[i].data != NULL &&
        (of->quantity == NULL || g_str_equal(quantity_of(&of->channels[i]), of->quantity)))
      return (gssize) i;
  return -1;
}

static LacPowerKind
power_kind(const LacChannel *channel, const LacPlane *plane)
{
  if (g_strcmp0(channel->axis_x, "t") == 0)
    return LAC_POWER_ALONG_Y;
  return plane->ny == 1 || g_strcmp0(channel->axis_y, "t") == 0 ? LAC_POWER_ALONG_X
                                                                : LAC_POWER_RADIAL;
}

const char *
lac_spectra_why_not(const LacSpectraOf *of)
{
  g_return_val_if_fail(of != NULL && of->frame != NULL, NULL);
  gssize field = find_field(of);
  if (find_flow(of) >= 0)
    return NULL;
  if (field < 0)
    return N_("A spectrum needs a field on a plane or a line.");
  const LacPlane *plane = &of->frame->planes[field];
  if (lac_power_shells(plane, power_kind(&of->channels[field], plane)).n < 3)
    return N_("This field has too few cells for a spectrum.");
  return NULL;
}

/* Computes the spectrum of a source, or of its difference from @truth. Returns: FALSE when a value is not finite. */
static gboolean
measure(const LacPlane       *first,
        const LacPlane       *second,
        const LacPlane *const truth[2],
        double               *energy)
{
  const LacPlane   *planes[2] = {first, second};
  gsize             n = first->nx, cells = n * n;
  g_autofree float *values = g_new(float, 2 * cells);
  for (gsize p = 0; p < 2 && planes[p] != NULL; p++)
    for (gsize i = 0; i < cells; i++)
      values[p * cells + i] = planes[p]->data[i] - (truth != NULL ? truth[p]->data[i] : 0);
  if (second != NULL)
    return lac_spectrum_velocity(values, values + cells, n, energy);
  return lac_spectrum_vorticity(values, n, period(first->x_min, first->x_max, n), energy);
}

typedef struct {
  const LacChannel *channels;
  gsize             n_channels;
  const LacFrame   *frame;
  gsize             n;
  gboolean          velocity;
} Reading;

static const LacPlane *
second_plane(const Reading *reading, gsize i)
{
  return reading->velocity
           ? &reading->frame
                ->planes[lac_velocity_partner(reading->channels, reading->n_channels, i)]
           : NULL;
}

static gboolean
belongs(const Reading *reading, gsize i)
{
  const LacChannel *channel = &reading->channels[i];
  if (!is_source(channel) || i >= reading->frame->n_planes ||
      reading->frame->planes[i].nx != reading->n || reading->frame->planes[i].ny != reading->n)
    return FALSE;
  if (reading->velocity)
    return lac_velocity_partner(reading->channels, reading->n_channels, i) >= 0;
  return g_strcmp0(channel->quantity, "vorticity") == 0;
}

static void
add_source(const Reading        *reading,
           gsize                 i,
           gsize                 source,
           const LacPlane *const truth[2],
           GArray               *spectra)
{
  const LacPlane *first = &reading->frame->planes[i], *second = second_plane(reading, i);
  for (gboolean is_error = FALSE; is_error <= (truth != NULL); is_error++) {
    LacSpectrum spectrum = {reading->channels[i].label, source, is_error,
                            g_new0(double, lac_spectrum_get_n_shells(reading->n))};
    if (measure(first, second, is_error ? truth : NULL, spectrum.power))
      g_array_append_val(spectra, spectrum);
    else
      g_free(spectrum.power);
  }
}

/* ---- energy of a flow ---- */

static void
collect_energy(const LacSpectraOf *of, gsize first, GArray *found)
{
  gsize           source = 1;
  Reading         reading = {of->channels, of->n_channels, of->frame, of->frame->planes[first].nx,
                             lac_velocity_partner(of->channels, of->n_channels, first) >= 0};
  const LacPlane *truth[2] = {NULL, NULL};
  for (gsize i = 0; i < of->n_channels && truth[0] == NULL; i++)
    if (belongs(&reading, i) && of->channels[i].role == LAC_ROLE_TRUTH) {
      add_source(&reading, i, 0, NULL, found);
      truth[0] = &of->frame->planes[i];
      truth[1] = second_plane(&reading, i);
    }
  for (gsize i = 0; i < of->n_channels; i++)
    if (belongs(&reading, i) && of->channels[i].role != LAC_ROLE_TRUTH)
      add_source(&reading, i, source++, truth[0] != NULL ? truth : NULL, found);
}

/* ---- power of a quantity ---- */

static void
add_power(const LacSpectraOf *of, gsize i, gsize source, const LacPlane *truth, GArray *found)
{
  const LacPlane *plane = &of->frame->planes[i];
  LacPowerKind    kind = power_kind(&of->channels[i], plane);
  gsize           n = lac_power_shells(plane, kind).n;
  for (gboolean is_error = FALSE; is_error <= (truth != NULL); is_error++) {
    LacSpectrum spectrum = {of->channels[i].label, source, is_error, g_new0(double, n + 1)};
    if (lac_spectrum_power(plane, is_error ? truth : NULL, kind, !of->channels[i].periodic,
                           spectrum.power))
      g_array_append_val(found, spectrum);
    else
      g_free(spectrum.power);
  }
}

static gboolean
is_like(const LacSpectraOf *of, gsize i, gsize first)
{
  const LacPlane *planes = of->frame->planes;
  return i < of->frame->n_planes && is_source(&of->channels[i]) && planes[i].data != NULL &&
         g_str_equal(quantity_of(&of->channels[i]), quantity_of(&of->channels[first])) &&
         planes[i].nx == planes[first].nx && planes[i].ny == planes[first].ny;
}

static void
collect_power(const LacSpectraOf *of, gsize first, GArray *found)
{
  const LacPlane *truth = NULL;
  gsize           source = 1;
  for (gsize i = 0; i < of->n_channels && truth == NULL; i++)
    if (is_like(of, i, first) && of->channels[i].role == LAC_ROLE_TRUTH) {
      truth = &of->frame->planes[i];
      add_power(of, i, 0, NULL, found);
    }
  for (gsize i = 0; i < of->n_channels; i++)
    if (is_like(of, i, first) && of->channels[i].role != LAC_ROLE_TRUTH)
      add_power(of, i, source++, truth, found);
}

/* ---- labels ---- */

static gboolean
has_unit(const char *unit)
{
  return unit != NULL && *unit != '\0' && !g_str_equal(unit, "1");
}

/* A logarithm is dimensionless, so its unit is not squared. */
static gboolean
has_square(const char *unit)
{
  return has_unit(unit) && !g_str_has_prefix(unit, "log");
}

/* "m/s" as "m²/s²"; "1/bohr³" as "(1/bohr³)²" */
static char *
dup_square(const char *unit)
{
  g_auto(GStrv)      parts = g_strsplit(unit, "/", -1);
  g_autoptr(GString) square = g_string_new(NULL);
  for (gsize i = 0; parts[i] != NULL; i++) {
    for (const char *c = parts[i]; *c != '\0'; c++)
      if (!g_ascii_isalnum(*c))
        return g_strdup_printf("(%s)²", unit);
    g_string_append_printf(square, "%s%s%s", i > 0 ? "/" : "", parts[i],
                           g_str_equal(parts[i], "1") ? "" : "²");
  }
  return g_strdup(square->str);
}

/* "power of amplitude (m²/s²)": shells sum to the mean square. */
static char *
dup_power_label(const LacChannel *channel, gboolean is_energy)
{
  g_autofree char *name = g_strdelimit(g_strdup(quantity_of(channel)), "_", ' ');
  g_autofree char *power =
    is_energy ? g_strdup(_("energy")) : g_strdup_printf(_("power of %s"), _(name));
  if (!has_square(channel->unit) || (is_energy && g_strcmp0(channel->quantity, "vorticity") == 0))
    return g_steal_pointer(&power);
  g_autofree char *square = dup_square(channel->unit);
  return lac_label_with_unit(power, square);
}

static char *
dup_wavenumber_label(const LacChannel *channel, LacPowerKind kind)
{
  const char      *unit = kind == LAC_POWER_ALONG_Y ? channel->axis_unit_y : channel->axis_unit_x;
  g_autofree char *radians = has_unit(unit) ? g_strdup_printf("rad/%s", unit) : NULL;
  return lac_label_with_unit(_("wavenumber"), radians);
}

LacSpectra *
lac_spectra_new(const LacSpectraOf *of)
{
  if (lac_spectra_why_not(of) != NULL)
    return NULL;
  gssize            flow = find_flow(of), first = flow >= 0 ? flow : find_field(of);
  const LacChannel *channel = &of->channels[first];
  const LacPlane   *plane = &of->frame->planes[first];
  LacPowerKind      kind = flow >= 0 ? LAC_POWER_RADIAL : power_kind(channel, plane);
  LacPowerShells    shells = lac_power_shells(plane, kind);
  GArray           *found = g_array_new(FALSE, FALSE, sizeof(LacSpectrum));
  LacSpectra       *spectra = g_new0(LacSpectra, 1);
  if (flow >= 0)
    collect_energy(of, (gsize) first, found);
  else
    collect_power(of, (gsize) first, found);
  spectra->is_energy = flow >= 0;
  spectra->is_windowed = flow < 0 && !channel->periodic;
  spectra->x_label = dup_wavenumber_label(channel, kind);
  spectra->y_label = dup_power_label(channel, flow >= 0);
  spectra->n_shells = flow >= 0 ? lac_spectrum_get_n_shells(plane->nx) : shells.n;
  spectra->wavenumber = g_new(double, spectra->n_shells);
  for (gsize k = 0; k < spectra->n_shells; k++)
    spectra->wavenumber[k] = shells.unit * (double) k;
  spectra->n_spectra = found->len;
  spectra->spectra = (LacSpectrum *) (gpointer) g_array_free(found, FALSE);
  return spectra;
}

void
lac_spectra_free(LacSpectra *spectra)
{
  if (spectra == NULL)
    return;
  for (gsize i = 0; i < spectra->n_spectra; i++)
    g_free(spectra->spectra[i].power);
  g_free(spectra->spectra);
  g_free(spectra->wavenumber);
  g_free(spectra->x_label);
  g_free(spectra->y_label);
  g_free(spectra);
}

static double
largest_energy(const LacSpectra *spectra)
{
  double largest = 0;
  for (gsize i = 0; i < spectra->n_spectra; i++)
    for (gsize k = 1; k < spectra->n_shells; k++)
      largest = MAX(largest, spectra->spectra[i].power[k]);
  return largest;
}

void
lac_spectra_draw(LacDrawing            *drawing,
                 const LacSpectra      *spectra,
                 const LacSpectraPlace *place,
                 const LacPalette      *palette)
{
  g_return_if_fail(drawing != NULL && spectra != NULL && place != NULL && palette != NULL);
  gsize                 n = 0, length = spectra->n_shells - 1;
  g_autofree LacSeries *series = g_new0(LacSeries, spectra->n_spectra + 1);
  g_autofree double    *values = g_new(double, spectra->n_spectra *length + 1);
  double                least = largest_energy(spectra) * pow(10, -DECADES);
  gboolean              has_truth = FALSE;
  for (gsize i = 0; i < spectra->n_spectra; i++)
    has_truth |= spectra->spectra[i].is_error;
  for (gsize i = 0; i < spectra->n_spectra; i++) {
    const LacSpectrum *spectrum = &spectra->spectra[i];
    double            *y = values + i * length;
    if (place->hidden != NULL && place->hidden[spectrum->source])
      continue;
    for (gsize k = 0; k < length; k++)
      y[k] = spectrum->power[k + 1] > least ? spectrum->power[k + 1] : (double) NAN;
    series[n++] = (LacSeries){
      .label = place->legend && !spectrum->is_error ? spectrum->label : NULL,
      .x = spectra->wavenumber + 1,
      .y = y,
      .n = length,
      .look = has_truth && spectrum->source == 0 ? LAC_LOOK_TRUTH
              : place->looks != NULL             ? place->looks[spectrum->source]
                                                 : (guint) spectrum->source + !has_truth,
      .dashed = spectrum->is_error,
    };
  }
  LacPlotStyle style = {
    .x_label = spectra->x_label,
    .y_label = spectra->y_label,
    .log_x = TRUE,
    .log_y = TRUE,
    .font_size = place->font_size,
  };
  lac_plot_curves(drawing, place->x, place->y, place->width, place->height, series, n, &style,
                  palette);
}

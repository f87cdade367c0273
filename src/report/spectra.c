/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Spectra from the planes of a frame. */
#include "report/spectra.h"

#include "field/derived.h"
#include "field/spectrum.h"

#include <math.h>
#include <string.h>

#define DECADES 10.0 /* that are drawn below the largest energy: rounding lies beneath */

static gboolean
is_source(const LacChannel *channel)
{
  return channel->role != LAC_ROLE_OTHER;
}

/* The first source's channel that spectra can start from, or -1. */
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

const char *
lac_spectra_why_not(const LacChannel *channels, gsize n_channels, const LacFrame *frame)
{
  g_return_val_if_fail(frame != NULL, NULL);
  gssize first = find_first(channels, n_channels);
  if (first < 0 || (gsize) first >= frame->n_planes)
    return "An energy spectrum needs a plane velocity or its vorticity.";
  const LacPlane *plane = &frame->planes[first];
  double          width = period(plane->x_min, plane->x_max, plane->nx);
  double          height = period(plane->y_min, plane->y_max, plane->ny);
  if (!channels[first].periodic)
    return "This field is bounded: the jump at its rim would be read as small scales.";
  if (plane->nx != plane->ny || !(fabs(width - height) <= 1e-6 * width) || plane->nx < 4)
    return "An energy spectrum is offered for square fields, whose shells are round.";
  return NULL;
}

/* Of a source, or of its difference from @truth. Returns: FALSE when a value is not finite. */
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
    if (measure(first, second, is_error ? truth : NULL, spectrum.energy))
      g_array_append_val(spectra, spectrum);
    else
      g_free(spectrum.energy);
  }
}

LacSpectra *
lac_spectra_new(const LacChannel *channels, gsize n_channels, const LacFrame *frame)
{
  if (lac_spectra_why_not(channels, n_channels, frame) != NULL)
    return NULL;
  gsize           first = (gsize) find_first(channels, n_channels), source = 1;
  const LacPlane *plane = &frame->planes[first];
  Reading         reading = {channels, n_channels, frame, plane->nx,
                             lac_velocity_partner(channels, n_channels, first) >= 0};
  GArray         *found = g_array_new(FALSE, FALSE, sizeof(LacSpectrum));
  const LacPlane *truth[2] = {NULL, NULL};
  for (gsize i = 0; i < n_channels && truth[0] == NULL; i++)
    if (belongs(&reading, i) && channels[i].role == LAC_ROLE_TRUTH) {
      add_source(&reading, i, 0, NULL, found);
      truth[0] = &frame->planes[i];
      truth[1] = second_plane(&reading, i);
    }
  for (gsize i = 0; i < n_channels; i++)
    if (belongs(&reading, i) && channels[i].role != LAC_ROLE_TRUTH)
      add_source(&reading, i, source++, truth[0] != NULL ? truth : NULL, found);

  LacSpectra *spectra = g_new0(LacSpectra, 1);
  spectra->n_shells = lac_spectrum_get_n_shells(plane->nx);
  spectra->wavenumber = g_new(double, spectra->n_shells);
  for (gsize k = 0; k < spectra->n_shells; k++)
    spectra->wavenumber[k] = 2 * G_PI * (double) k / period(plane->x_min, plane->x_max, plane->nx);
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
    g_free(spectra->spectra[i].energy);
  g_free(spectra->spectra);
  g_free(spectra->wavenumber);
  g_free(spectra);
}

static double
largest_energy(const LacSpectra *spectra)
{
  double largest = 0;
  for (gsize i = 0; i < spectra->n_spectra; i++)
    for (gsize k = 1; k < spectra->n_shells; k++)
      largest = MAX(largest, spectra->spectra[i].energy[k]);
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
  for (gsize i = 0; i < spectra->n_spectra; i++) {
    const LacSpectrum *spectrum = &spectra->spectra[i];
    double            *y = values + i * length;
    if (place->hidden != NULL && place->hidden[spectrum->source])
      continue;
    for (gsize k = 0; k < length; k++)
      y[k] = spectrum->energy[k + 1] > least ? spectrum->energy[k + 1] : (double) NAN;
    series[n++] = (LacSeries){
      .label = place->legend && !spectrum->is_error ? spectrum->label : NULL,
      .x = spectra->wavenumber + 1,
      .y = y,
      .n = length,
      .look = (guint) spectrum->source + 1,
      .dashed = spectrum->is_error,
    };
  }
  LacPlotStyle style = {
    .x_label = place->x_label,
    .y_label = place->y_label,
    .log_x = TRUE,
    .log_y = TRUE,
    .font_size = place->font_size,
  };
  lac_plot_curves(drawing, place->x, place->y, place->width, place->height, series, n, &style,
                  palette);
}

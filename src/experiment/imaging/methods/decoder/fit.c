/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The networks of a fit, their picture as an object of the host, the rehearsed output, and the initial picture. */
#include "experiment/imaging/methods/decoder/fit.h"

#include "base/error.h"
#include "experiment/imaging/methods/decoder/fit-waves.h"
#include "experiment/imaging/optics/exposures.h"

#include <math.h>
#include <string.h>

void
lac_decoder_fit_free(LacDecoderFit *fit)
{
  if (!fit)
    return;
  g_free(fit->terms);
  g_free(fit->target);
  g_free(fit->start_bar);
  g_free(fit->picture);
  g_free(fit->phase);
  g_free(fit->seen);
  g_free(fit->remembered);
  g_free(fit->memory_field);
  lac_decoder_waves_free(fit->waves);
  lac_decoder_free(fit->network);
  lac_decoder_free(fit->phase_network);
  g_free(fit);
}

static LacDecoder *
make_network(const LacDecoderFit *fit, LacBound bound, guint64 seed, GError **error)
{
  const LacContext        *context = fit->h->problem.context;
  const LacDecoderMeans    means = {context->pool, context->perf, context->lane, context->device};
  const LacDecoderSettings settings = {
    .grid = fit->h->problem.exposures->grid,
    .output = fit->h->s,
    .latent = fit->settings.latent,
    .bound = bound,
    .type = g_strcmp0(context->precision, "f64") == 0 ? LAC_F64 : LAC_F32,
  };
  LacDecoder *network = lac_decoder_new(&settings, &means, error);

  if (network)
    lac_decoder_init(network, seed);
  return network;
}

/* Creates the networks: an object with a phase has a second one, whose output is unbounded, in radians. */
static gboolean
make_networks(LacDecoderFit *fit, GError **error)
{
  const guint64 seed = fit->h->problem.context->seed;
  const gsize   n = fit->h->s * fit->h->s;

  fit->network = make_network(fit, fit->settings.bound, seed, error);
  if (!fit->network || fit->h->problem.is_real)
    return fit->network != NULL;
  fit->phase = g_new0(double, n);
  fit->phase_network = make_network(fit, LAC_BOUND_NONE, ~seed, error);
  return fit->phase_network != NULL;
}

static gboolean
make_memory(LacDecoderFit *fit, GError **error)
{
  const gsize n = fit->h->problem.exposures->grid;

  if (!lac_optics_prepare_union(fit->h->optics, error))
    return FALSE;
  fit->seen = g_new0(guint8, fit->h->n_band);
  fit->remembered = g_new0(double, n *n);
  fit->memory_field = g_new0(double complex, n *n);
  return TRUE;
}

/* Sets the output scale. Without bounds, the unit is the estimate's initial brightness. */
static void
set_scale(LacDecoderFit *fit)
{
  const LacImagingProblem *problem = &fit->h->problem;

  fit->offset = problem->bounded ? problem->low : 0;
  fit->gain = problem->bounded ? problem->high - problem->low : 0;
  for (gsize i = 0; !problem->bounded && i < fit->h->s * fit->h->s; i++)
    fit->gain = fmax(fit->gain, creal(fit->h->object[i]));
}

LacDecoderFit *
lac_decoder_fit_new(LacImagingEstimate *h, const LacDecoderFitSettings *settings, GError **error)
{
  g_autoptr(LacDecoderFit) fit = g_new0(LacDecoderFit, 1);
  LacPerf                 *perf = h->problem.context->perf;

  fit->h = h;
  fit->settings = *settings;
  if (!make_networks(fit, error) || (settings->remembers && !make_memory(fit, error)))
    return NULL;
  set_scale(fit);
  fit->picture = g_new0(double, h->s * h->s);
  fit->start_bar = g_new0(double, h->s * h->s);
  fit->terms = g_new0(LacDecoderTerm, h->n_positions);
  if (perf)
    fit->span_object = lac_perf_name(perf, "object and its spectrum");
  if (!lac_decoder_waves_new(fit, error))
    return NULL;
  return g_steal_pointer(&fit);
}

static double complex
get_turn(const LacDecoderFit *fit, gsize i)
{
  return fit->phase ? CMPLX(cos(fit->phase[i]), sin(fit->phase[i])) : 1;
}

void
lac_decoder_fit_look(LacDecoderFit *fit)
{
  LacImagingEstimate *h = fit->h;
  const double       *mask = h->problem.mask;
  LacSpan             span;

  lac_decoder_waves_forget(fit->waves); /* the caller may move apertures next */
  lac_decoder_forward(fit->network, fit->picture);
  if (fit->phase_network)
    lac_decoder_forward(fit->phase_network, fit->phase);
  span = lac_span_begin(h->problem.context->lane, fit->span_object);
  for (gsize i = 0; i < h->s * h->s; i++)
    h->object[i] =
      mask && mask[i] == 0 ? 0 : (fit->offset + fit->gain * fit->picture[i]) * get_turn(fit, i);
  lac_optics_spectrum(h->optics, h->object, h->spectrum);
  lac_span_end(h->problem.context->lane, span, h->step);
}

gboolean
lac_decoder_fit_is_sound(const LacDecoderFit *fit, GError **error)
{
  LacStatus status = lac_decoder_get_status(fit->network);

  if (status == LAC_STATUS_OK && fit->phase_network)
    status = lac_decoder_get_status(fit->phase_network);
  if (status == LAC_STATUS_OK)
    status = lac_decoder_waves_get_status(fit->waves);
  if (status == LAC_STATUS_OK)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_DEVICE, "the decoder's network: %s",
              lac_status_text(status));
  return FALSE;
}

void
lac_decoder_fit_set_loss(LacDecoderFit *fit, LacAmplitudeLossKind loss)
{
  fit->settings.loss = loss;
}

void
lac_decoder_fit_remember(LacDecoderFit *fit, gsize n_positions)
{
  LacImagingEstimate *h = fit->h;
  const gsize         n = h->problem.exposures->grid * h->problem.exposures->grid;

  fit->has_memory = n_positions > 0;
  if (!fit->has_memory) {
    lac_decoder_waves_remember(fit);
    return;
  }
  memset(fit->seen, 0, h->n_band);
  for (gsize v = 0; v < n_positions; v++)
    lac_optics_mark(h->optics, v, fit->seen);
  lac_decoder_fit_look(fit);
  lac_optics_union_field(h->optics, fit->seen, h->spectrum, fit->memory_field);
  for (gsize i = 0; i < n; i++)
    fit->remembered[i] = cabs(fit->memory_field[i]);
  lac_decoder_waves_remember(fit);
}

static gsize
n_remembered(const LacDecoderFit *fit)
{
  const gsize n = fit->h->problem.exposures->grid;

  return fit->settings.remembers ? n * n : 0;
}

void
lac_decoder_fit_visit(LacDecoderFit *fit, LacVisit *visit)
{
  const gsize n = n_remembered(fit);

  lac_decoder_visit(fit->network, visit, "network_");
  if (fit->phase_network)
    lac_decoder_visit(fit->phase_network, visit, "phase_");
  if (n == 0)
    return;
  lac_visit_bytes(visit, "memory", fit->remembered, n * sizeof *fit->remembered);
  lac_visit_bytes(visit, "memory_seen", fit->seen, fit->h->n_band);
  lac_visit_bytes(visit, "memory_is", &fit->has_memory, sizeof fit->has_memory);
  if (lac_visit_restores(visit))
    lac_decoder_waves_remember(fit);
}

/* ---- the start: a picture that the network learns before it sees any exposure ---- */

/* Draws the disc; it is compared directly with the output, not through the optics. */

static void
draw_circle(gsize side, double *image)
{
  const double middle = ((double) side - 1) / 2, radius = (double) side / 2;

  for (gsize y = 0; y < side; y++)
    for (gsize x = 0; x < side; x++)
      image[y * side + x] = hypot((double) y - middle, (double) x - middle) <= radius;
}

/* Adds up exposures; the scale of the mean does not matter, since the picture is normalised afterwards. */
static void
add_views(const LacExposures *exposures, gsize n_positions, double *image)
{
  const gsize        n = exposures->support * exposures->support;
  g_autofree double *view = g_new(double, n);

  for (gsize position = 0; position < n_positions; position++) {
    lac_exposures_view(exposures, position, view);
    for (gsize i = 0; i < n; i++)
      image[i] += view[i];
  }
}

static void
stretch(gsize n, double *image)
{
  double low = INFINITY, high = -INFINITY;

  for (gsize i = 0; i < n; i++) {
    low = fmin(low, image[i]);
    high = fmax(high, image[i]);
  }
  for (gsize i = 0; i < n; i++)
    image[i] = high > low ? (image[i] - low) / (high - low) : 1;
}

void
lac_decoder_fit_aim(LacDecoderFit *fit, LacDecoderStart start)
{
  const LacExposures *exposures = fit->h->problem.exposures;
  const gsize         n = fit->h->s * fit->h->s;

  g_clear_pointer(&fit->target, g_free);
  if (start == LAC_START_NONE)
    return;
  fit->target = g_new0(double, n);
  if (start == LAC_START_CIRCLE)
    draw_circle(fit->h->s, fit->target);
  else
    add_views(exposures, start == LAC_START_FIRST ? 1 : exposures->n_positions, fit->target);
  stretch(n, fit->target);
}

double
lac_decoder_compare_l1(const double *predicted, const double *measured, gsize n, double *bar)
{
  double size = (double) n * 1e-8, loss = 0;

  for (gsize i = 0; i < n; i++)
    size += measured[i];
  for (gsize i = 0; i < n; i++) {
    const double off = predicted[i] - measured[i];

    loss += fabs(off) / size;
    bar[i] = ((off > 0) - (off < 0)) / size;
  }
  return loss;
}

double
lac_decoder_fit_compare_start(LacDecoderFit *fit)
{
  fit->n_terms = 0;
  return lac_decoder_compare_l1(fit->picture, fit->target, fit->h->s * fit->h->s, fit->start_bar);
}

void
lac_decoder_fit_learn_start(LacDecoderFit *fit, double rate)
{
  lac_decoder_reverse(fit->network, fit->start_bar);
  lac_decoder_step(fit->network, rate);
}

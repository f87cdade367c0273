/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The chain network, object, spectrum, exposures, and back by the adjoint of each. */
#include "experiment/imaging/decoder-fit.h"

#include "experiment/imaging/exposures.h"

#include <math.h>
#include <string.h>

void
lac_decoder_fit_free(LacDecoderFit *fit)
{
  if (!fit)
    return;
  for (guint i = 0; fit->bars && i < fit->h->n_benches; i++) {
    g_free(fit->bars[i]);
    g_free(fit->maps[i]);
  }
  g_free(fit->bars);
  g_free(fit->maps);
  g_free(fit->terms);
  g_free(fit->picture);
  g_free(fit->picture_bar);
  g_free(fit->object_bar);
  g_free(fit->spectrum_bar);
  g_free(fit->seen);
  g_free(fit->remembered);
  g_free(fit->memory_bar);
  g_free(fit->memory_field);
  g_free(fit->memory_maps);
  lac_decoder_free(fit->network);
  g_free(fit);
}

static gboolean
make_network(LacDecoderFit *fit, GError **error)
{
  const LacContext        *context = fit->h->problem.context;
  const LacDecoderSettings settings = {
    .grid = fit->h->problem.exposures->grid,
    .output = fit->h->s,
    .latent = fit->settings.latent,
    .bound = fit->settings.bound,
    .type = g_strcmp0(context->precision, "f64") == 0 ? LAC_F64 : LAC_F32,
  };

  fit->network = lac_decoder_new(
    &settings, &(LacDecoderMeans){context->pool, context->perf, context->lane}, error);
  if (!fit->network)
    return FALSE;
  lac_decoder_init(fit->network, context->seed);
  return TRUE;
}

static gboolean
make_memory(LacDecoderFit *fit, GError **error)
{
  const gsize n = fit->h->problem.exposures->grid;

  if (!lac_optics_prepare_union(fit->h->optics, error))
    return FALSE;
  fit->seen = g_new0(guint8, fit->h->n_band);
  fit->remembered = g_new0(double, n *n);
  fit->memory_bar = g_new0(double, n *n);
  fit->memory_field = g_new0(double complex, n *n);
  fit->memory_maps = g_new0(double, LAC_AMPLITUDE_LOSS_MAPS *n *n);
  return TRUE;
}

/* Without bounds the picture's unit is the brightness that the hypothesis begins with. */
static void
set_scale(LacDecoderFit *fit)
{
  const LacRetrievalProblem *problem = &fit->h->problem;

  fit->offset = problem->bounded ? problem->low : 0;
  fit->gain = problem->bounded ? problem->high - problem->low : 0;
  for (gsize i = 0; !problem->bounded && i < fit->h->s * fit->h->s; i++)
    fit->gain = fmax(fit->gain, creal(fit->h->object[i]));
}

LacDecoderFit *
lac_decoder_fit_new(LacHypothesis *h, const LacDecoderFitSettings *settings, GError **error)
{
  g_autoptr(LacDecoderFit) fit = g_new0(LacDecoderFit, 1);
  LacPerf                 *perf = h->problem.context->perf;

  fit->h = h;
  fit->settings = *settings;
  if (!make_network(fit, error) || (settings->remembers && !make_memory(fit, error)))
    return NULL;
  set_scale(fit);
  lac_hypothesis_keep_patches(h);
  fit->picture = g_new0(double, h->s * h->s);
  fit->picture_bar = g_new0(double, h->s * h->s);
  fit->object_bar = g_new0(double complex, h->s * h->s);
  fit->spectrum_bar = g_new0(double complex, h->n_band);
  fit->terms = g_new0(LacDecoderTerm, h->n_visits);
  fit->bars = g_new0(double *, h->n_benches);
  fit->maps = g_new0(double *, h->n_benches);
  for (guint i = 0; i < h->n_benches; i++) {
    fit->bars[i] = g_new0(double, h->d * h->d);
    fit->maps[i] = g_new0(double, LAC_AMPLITUDE_LOSS_MAPS * h->d * h->d);
  }
  if (perf) {
    fit->span_terms = lac_perf_name(perf, "exposures of the step");
    fit->span_object = lac_perf_name(perf, "object and its spectrum");
    fit->span_memory = lac_perf_name(perf, "own output through the union");
  }
  return g_steal_pointer(&fit);
}

void
lac_decoder_fit_look(LacDecoderFit *fit)
{
  LacHypothesis *h = fit->h;
  const double  *mask = h->problem.mask;
  LacSpan        span;

  lac_decoder_forward(fit->network, fit->picture);
  span = lac_span_begin(h->problem.context->lane, fit->span_object);
  for (gsize i = 0; i < h->s * h->s; i++)
    h->object[i] = mask && mask[i] == 0 ? 0 : fit->offset + fit->gain * fit->picture[i];
  lac_optics_spectrum(h->optics, h->object, h->spectrum);
  lac_span_end(h->problem.context->lane, span, h->step);
}

/* What a visit says of the spectrum is left in its patches. a^2 = mean |u_i|^2, so u_i_bar = a_bar u_i / (n a). */
static void
compare_term(gsize item, guint worker, gpointer user_data)
{
  LacDecoderFit  *fit = user_data;
  LacHypothesis  *h = fit->h;
  LacDecoderTerm *term = &fit->terms[item];
  LacBench       *bench = &h->benches[worker];
  double         *bar = fit->bars[worker];
  const gsize     n = h->d * h->d;

  lac_hypothesis_see(h, term->visit, h->spectrum, bench);
  term->misfit = lac_hypothesis_measure(h, term->visit, bench);
  term->loss = lac_amplitude_loss(
    &(LacAmplitudeLoss){
      .kind = fit->settings.loss,
      .normalised = fit->settings.normalised,
      .n = n,
      .predicted = bench->amplitude,
      .measured = h->amplitudes + term->visit * n,
      .floor = sqrt(term->misfit.expected / (double) n),
      .scale = (double) h->d / (double) h->problem.exposures->grid,
      .scratch = fit->maps[worker],
    },
    1, bar);
  for (gsize i = 0; i < n; i++)
    bar[i] = bench->amplitude[i] > 0 ? bar[i] / ((double) h->n_along * bench->amplitude[i]) : 0;
  for (gsize along = 0; along < h->n_along; along++)
    for (gsize i = 0; i < n; i++) {
      const double complex u = bench->fields[along * n + i];
      bench->fields[along * n + i] = CMPLX(bar[i] * creal(u), bar[i] * cimag(u));
    }
  lac_hypothesis_take_patches(h, term->visit, bench);
}

static void
compare_memory(LacDecoderFit *fit)
{
  LacHypothesis *h = fit->h;
  const gsize    n = h->problem.exposures->grid * h->problem.exposures->grid;
  LacSpan        span = lac_span_begin(h->problem.context->lane, fit->span_memory);

  lac_optics_union_field(h->optics, fit->seen, h->spectrum, fit->memory_field);
  for (gsize i = 0; i < n; i++)
    fit->memory_bar[i] = cabs(fit->memory_field[i]);
  /* the derivatives take the amplitudes' place, so the amplitudes are formed twice */
  fit->memory_loss = lac_amplitude_loss(
    &(LacAmplitudeLoss){
      .kind = fit->settings.loss,
      .normalised = fit->settings.normalised,
      .n = n,
      .predicted = fit->memory_bar,
      .scale = 1,
      .scratch = fit->memory_maps,
      .measured = fit->remembered,
    },
    1, fit->memory_bar);
  for (gsize i = 0; i < n; i++) {
    const double a = cabs(fit->memory_field[i]);
    fit->memory_field[i] *= a > 0 ? fit->memory_bar[i] / a : 0;
  }
  lac_span_end(h->problem.context->lane, span, h->step);
}

void
lac_decoder_fit_compare(LacDecoderFit *fit, gsize n_terms)
{
  LacHypothesis *h = fit->h;
  LacSpan        span = lac_span_begin(h->problem.context->lane, fit->span_terms);

  fit->n_terms = n_terms;
  lac_pool_run(h->problem.context->pool, n_terms, compare_term, fit);
  span.flops = (double) n_terms * lac_hypothesis_get_flops(h, 2);
  lac_span_end(h->problem.context->lane, span, h->step);
  if (fit->has_memory)
    compare_memory(fit);
}

void
lac_decoder_fit_learn(LacDecoderFit *fit, double rate)
{
  LacHypothesis *h = fit->h;
  const gsize    n_box = h->box * h->box;
  const double   weight = 2 / (double) (fit->n_terms + (fit->has_memory ? 1 : 0)),
               *mask = h->problem.mask;
  LacSpan span = lac_span_begin(h->problem.context->lane, fit->span_object);

  memset(fit->spectrum_bar, 0, h->n_band * sizeof *fit->spectrum_bar);
  for (gsize t = 0; t < fit->n_terms; t++)
    for (gsize along = 0; along < h->n_along; along++)
      lac_optics_add_patch(h->optics, fit->terms[t].visit, along,
                           h->patches + (fit->terms[t].visit * h->n_along + along) * n_box,
                           fit->spectrum_bar);
  if (fit->has_memory)
    lac_optics_union_adjoint(h->optics, fit->seen, fit->memory_field, fit->spectrum_bar);
  lac_optics_object(h->optics, fit->spectrum_bar, fit->object_bar);
  for (gsize i = 0; i < h->s * h->s; i++)
    fit->picture_bar[i] = mask && mask[i] == 0 ? 0 : weight * fit->gain * creal(fit->object_bar[i]);
  lac_span_end(h->problem.context->lane, span, h->step);
  lac_decoder_reverse(fit->network, fit->picture_bar);
  lac_decoder_step(fit->network, rate);
}

void
lac_decoder_fit_set_loss(LacDecoderFit *fit, LacAmplitudeLossKind loss)
{
  fit->settings.loss = loss;
}

void
lac_decoder_fit_remember(LacDecoderFit *fit, gsize n_visits)
{
  LacHypothesis *h = fit->h;
  const gsize    n = h->problem.exposures->grid * h->problem.exposures->grid;

  fit->has_memory = n_visits > 0;
  if (!fit->has_memory)
    return;
  memset(fit->seen, 0, h->n_band);
  for (gsize v = 0; v < n_visits; v++)
    lac_optics_mark(h->optics, v, fit->seen);
  lac_decoder_fit_look(fit);
  lac_optics_union_field(h->optics, fit->seen, h->spectrum, fit->memory_field);
  for (gsize i = 0; i < n; i++)
    fit->remembered[i] = cabs(fit->memory_field[i]);
}

static gsize
n_remembered(const LacDecoderFit *fit)
{
  const gsize n = fit->h->problem.exposures->grid;

  return fit->settings.remembers ? n * n : 0;
}

void
lac_decoder_fit_save(const LacDecoderFit *fit, LacStore *store)
{
  const gsize n = n_remembered(fit);

  lac_decoder_save(fit->network, store, "network_");
  if (n == 0)
    return;
  lac_store_put_bytes(store, "memory", fit->remembered, n * sizeof *fit->remembered);
  lac_store_put_bytes(store, "memory_seen", fit->seen, fit->h->n_band);
  lac_store_put_bytes(store, "memory_is", &fit->has_memory, sizeof fit->has_memory);
}

gboolean
lac_decoder_fit_load(LacDecoderFit *fit, const LacStore *store, GError **error)
{
  const gsize     n = n_remembered(fit);
  const double   *memory = NULL;
  const guint8   *seen = NULL;
  const gboolean *is = NULL;

  if (n > 0) {
    memory = lac_store_get_bytes(store, "memory", n * sizeof *memory, error);
    seen = memory ? lac_store_get_bytes(store, "memory_seen", fit->h->n_band, error) : NULL;
    is = seen ? lac_store_get_bytes(store, "memory_is", sizeof *is, error) : NULL;
    if (!is)
      return FALSE;
  }
  if (!lac_decoder_load(fit->network, store, "network_", error))
    return FALSE;
  if (n > 0) {
    memcpy(fit->remembered, memory, n * sizeof *memory);
    memcpy(fit->seen, seen, fit->h->n_band);
    fit->has_memory = *is;
  }
  return TRUE;
}

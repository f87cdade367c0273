/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A decoder's fit by the optics. */
#include "experiment/imaging/helpers/decoder-oracle.h"

#include "backend/fourier.h"
#include "experiment/imaging/helpers/amplitude-loss.h"

#include <math.h>
#include <string.h>

DecoderOracle *
decoder_oracle_new(LacDecoderFit *fit)
{
  DecoderOracle *oracle = g_new0(DecoderOracle, 1);
  const gsize    n = fit->h->s * fit->h->s;

  *oracle = (DecoderOracle){.fit = fit,
                            .picture_bar = g_new0(double, n),
                            .phase_bar = g_new0(double, n),
                            .spectrum_bar = g_new0(double complex, fit->h->n_band)};
  return oracle;
}

void
decoder_oracle_free(DecoderOracle *oracle)
{
  g_free(oracle->picture_bar);
  g_free(oracle->phase_bar);
  g_free(oracle->spectrum_bar);
  g_free(oracle);
}

/* Returns (a - m)^2 expected from noise alone at pixel @i of all exposures. */
static double
expect(const LacImagingEstimate *h, gsize i, double amplitude)
{
  const LacExposures *exposures = h->problem.exposures;

  if (!exposures->sigma)
    return lac_noise_level_expect(h->noise, amplitude);
  if (exposures->unit == LAC_DETECTOR_AMPLITUDE)
    return exposures->sigma[i] * exposures->sigma[i];
  return lac_noise_level_expect_of(h->noise, amplitude, exposures->sigma[i]);
}

static LacMisfit
misfit_of(const LacImagingEstimate *h, gsize position, const double *amplitude)
{
  const gsize   n = h->d * h->d;
  const double *measured = h->amplitudes + position * n;
  LacMisfit     misfit = {0};

  for (gsize i = 0; i < n; i++) {
    const double off = amplitude[i] - measured[i],
                 expected = expect(h, position * n + i, amplitude[i]);

    if (measured[i] < 0)
      continue;
    misfit.distance += off * off;
    misfit.energy += measured[i] * measured[i];
    misfit.expected += expected;
    misfit.variance += 2 * expected * expected;
  }
  return misfit;
}

/* Returns the loss of an image; overwrites the amplitudes with the derivatives. @side: of the image */
static double
loss_of(const LacDecoderFit *fit,
        gsize                side,
        double               scale,
        double               floor,
        const double        *measured,
        double              *amplitude)
{
  const gsize        n = side * side;
  g_autofree double *scratch = g_new0(double, LAC_AMPLITUDE_LOSS_MAPS *n);
  LacAmplitudeLoss   loss = {.kind = fit->settings.loss,
                             .normalised = fit->settings.normalised,
                             .n = n,
                             .predicted = amplitude,
                             .measured = measured,
                             .floor = floor,
                             .scale = scale,
                             .scratch = scratch};

  memcpy(loss.weights, fit->settings.weights, sizeof loss.weights);
  return lac_amplitude_loss(&loss, 1, amplitude);
}

/* Adds the adjoint of a scan position: a^2 = mean |u_i|^2, so u_i_bar = a_bar u_i / (n a). */
static void
add_term(DecoderOracle *oracle, LacDecoderTerm *term)
{
  const LacImagingEstimate  *h = oracle->fit->h;
  const gsize                n = h->d * h->d;
  g_autofree double complex *fields = g_new0(double complex, h->n_along *n);
  g_autofree double         *amplitude = g_new0(double, n), *bar = NULL;

  lac_optics_measure(h->optics, term->position, h->spectrum, fields, amplitude);
  term->misfit = misfit_of(h, term->position, amplitude);
  bar = g_memdup2(amplitude, n * sizeof *bar);
  term->loss =
    loss_of(oracle->fit, h->d, (double) h->d / (double) h->problem.exposures->grid,
            sqrt(term->misfit.expected / (double) n), h->amplitudes + term->position * n, bar);
  for (gsize along = 0; along < h->n_along && !h->rests[term->position]; along++) {
    double complex *u = fields + along * n;

    for (gsize i = 0; i < n; i++)
      u[i] *= amplitude[i] > 0 ? bar[i] / ((double) h->n_along * amplitude[i]) : 0;
    lac_optics_field_adjoint(h->optics, term->position, along, u, oracle->spectrum_bar);
  }
}

/* Adds mask F u, the adjoint of lac_optics_union_field(). */
static void
add_union(const LacDecoderFit *fit, double complex *u, double complex *spectrum_bar)
{
  const LacBand     band = lac_optics_get_band(fit->h->optics);
  const gsize       n = fit->h->problem.exposures->grid;
  const LacFourier *fourier = lac_fourier_prepare(n, n);

  lac_fourier_forward(fourier, u);
  for (gsize row = 0; row < band.height; row++)
    for (gsize column = 0; column < band.width; column++) {
      const gint64 y = band.y + (gint64) row, x = band.x + (gint64) column;
      const gsize  at =
        (gsize) (y < 0 ? y + (gint64) n : y) * n + (gsize) (x < 0 ? x + (gint64) n : x);

      if (fit->seen[row * band.width + column])
        spectrum_bar[row * band.width + column] += u[at] * ((y ^ x) & 1 ? -1 : 1) / (double) n;
    }
}

static void
add_memory(DecoderOracle *oracle)
{
  LacDecoderFit             *fit = oracle->fit;
  const gsize                side = fit->h->problem.exposures->grid, n = side * side;
  g_autofree double complex *u = g_new0(double complex, n);
  g_autofree double         *bar = g_new0(double, n);

  lac_optics_union_field(fit->h->optics, fit->seen, fit->h->spectrum, u);
  for (gsize i = 0; i < n; i++)
    bar[i] = cabs(u[i]);
  fit->memory_loss = loss_of(fit, side, 1, 0, fit->remembered, bar);
  for (gsize i = 0; i < n; i++)
    u[i] *= cabs(u[i]) > 0 ? bar[i] / cabs(u[i]) : 0;
  add_union(fit, u, oracle->spectrum_bar);
}

/* Back-propagates to the networks' pictures, from dL = Re sum conj(bar) d(object). */
static void
find_bars(DecoderOracle *oracle)
{
  const LacDecoderFit       *fit = oracle->fit;
  const LacImagingEstimate  *h = fit->h;
  const double              *mask = h->problem.mask;
  const double               weight = 2 / (double) (oracle->n_terms + (fit->has_memory ? 1 : 0));
  g_autofree double complex *object_bar = g_new0(double complex, h->s * h->s);

  lac_optics_object(h->optics, oracle->spectrum_bar, object_bar);
  for (gsize i = 0; i < h->s * h->s; i++) {
    const double complex bar = mask && mask[i] == 0 ? 0 : weight * conj(object_bar[i]);
    const double complex turn = fit->phase ? CMPLX(cos(fit->phase[i]), sin(fit->phase[i])) : 1;

    oracle->picture_bar[i] = fit->gain * creal(bar * turn);
    oracle->phase_bar[i] = -cimag(bar * h->object[i]);
  }
}

void
decoder_oracle_see(DecoderOracle *oracle, gsize n_terms)
{
  LacDecoderFit *fit = oracle->fit;

  lac_decoder_fit_look(fit);
  memset(oracle->spectrum_bar, 0, fit->h->n_band * sizeof *oracle->spectrum_bar);
  oracle->n_terms = n_terms;
  for (gsize t = 0; t < n_terms; t++)
    add_term(oracle, &fit->terms[t]);
  if (fit->has_memory)
    add_memory(oracle);
  find_bars(oracle);
}

void
decoder_oracle_learn(DecoderOracle *oracle, double rate)
{
  LacDecoderFit *fit = oracle->fit;

  lac_decoder_reverse(fit->network, oracle->picture_bar);
  lac_decoder_step(fit->network, rate);
  if (!fit->phase_network)
    return;
  lac_decoder_reverse(fit->phase_network, oracle->phase_bar);
  lac_decoder_step(fit->phase_network, rate);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Factors of the terms, from gradients of one term at a time: its points get their weights, all others 0. */
#include "experiment/flow/engines/pinn/weights.h"

#include <math.h>
#include <string.h>

#define KEPT     0.9 /* of the factors before */
#define SMALLEST 1e-3
#define LARGEST  1e3

static double
get_square(LacProgram *program, guint8 *numbers)
{
  const gsize     n = lac_program_get_n_parameters(program);
  const LacDevice device = lac_program_get_device(program);
  const LacType   type = lac_program_get_type(program);
  double          sum = 0;

  /* what cannot be read shows again, with its sentence, in the next replay */
  if (device.table->download(device.self, numbers, lac_program_get_gradient(program),
                             n * lac_type_size(type)) != LAC_STATUS_OK)
    return 0;
  for (gsize i = 0; i < n; i++) {
    const double g = type == LAC_F32 ? (double) ((const float *) (gpointer) numbers)[i]
                                     : ((const double *) (gpointer) numbers)[i];

    sum += g * g;
  }
  return sum;
}

/* Weights that make the gradient of the term its own, or, with signs v, that of sum v r / sqrt(n). */
static void
feed_term(LacPinnLoss *loss, LacTermRule rule, guint index, LacRng *rng)
{
  for (guint p = 0; p < loss->n_parts; p++) {
    const LacPinnPart *part = &loss->parts[p];

    for (gsize i = 0; i < part->n; i++) {
      const double r = part->misfits[i], base = part->base[i];

      if (part->term != index)
        loss->scratch[i] = 0;
      else if (rule == LAC_TERMS_GRADIENT)
        loss->scratch[i] = base * part->points[i];
      else {
        /* d mean(w r^2) = 2 / n sum w r dr: w = v sqrt(n base) / (2 r) */
        const double v = lac_rng_word(rng) & 1 ? 1 : -1;

        loss->scratch[i] = fabs(r) > 1e-30 ? v * sqrt((double) part->n * base) / (2 * r) : 0;
      }
    }
    lac_pinn_loss_feed_part(loss, p, loss->scratch);
  }
}

gboolean
lac_pinn_weights_balance(LacPinnWeights *weights,
                         LacPinnLoss    *loss,
                         gconstpointer   theta,
                         LacRng         *rng,
                         gint64          step,
                         GError        **error)
{
  double sizes[LAC_PINN_MAX_TERMS], sum = 0;

  if (weights->terms == LAC_TERMS_FIXED || loss->n_terms < 2)
    return TRUE;
  if (!lac_program_run(loss->program, theta, step, NULL, error))
    return FALSE;
  lac_pinn_loss_read(loss); /* the signs need the misfits at this theta */
  for (guint t = 0; t < loss->n_terms; t++) {
    feed_term(loss, weights->terms, t, rng);
    if (!lac_program_run(loss->program, theta, step, NULL, error))
      return FALSE;
    sizes[t] = get_square(loss->program, weights->gradient);
    if (weights->terms == LAC_TERMS_GRADIENT)
      sizes[t] = sqrt(sizes[t]);
    sum += sizes[t];
  }
  for (guint t = 0; t < loss->n_terms; t++) {
    const double whole = weights->terms == LAC_TERMS_GRADIENT ? sum / loss->n_terms : sum;
    const double wanted = sizes[t] > 0 ? CLAMP(whole / sizes[t], SMALLEST, LARGEST) : LARGEST;

    if (isfinite(wanted))
      weights->adapted[t] =
        weights->n_term_updates == 0 ? wanted : KEPT * weights->adapted[t] + (1 - KEPT) * wanted;
  }
  weights->n_term_updates++;
  lac_pinn_weights_apply(weights, loss);
  return TRUE;
}

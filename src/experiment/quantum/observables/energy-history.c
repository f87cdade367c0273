/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts in energy bins, column by column. */
#include "experiment/quantum/observables/energy-history.h"

#include <math.h>
#include <string.h>

struct _LacEnergyHistory {
  LacEnergyHistorySettings settings;
  double                  *counts; /* [n_columns][n_bins] */
};

LacEnergyHistory *
lac_energy_history_new(const LacEnergyHistorySettings *settings)
{
  LacEnergyHistory *history = g_new0(LacEnergyHistory, 1);

  g_assert(settings->high > settings->low && settings->n_columns > 1 && settings->n_bins > 1);
  history->settings = *settings;
  history->counts = g_new0(double, settings->n_columns * settings->n_bins);
  return history;
}

void
lac_energy_history_free(LacEnergyHistory *history)
{
  if (!history)
    return;
  g_free(history->counts);
  g_free(history);
}

void
lac_energy_history_add(LacEnergyHistory *history, gint64 step, const double *energies, gsize n)
{
  const LacEnergyHistorySettings *settings = &history->settings;
  const gsize                     column =
    MIN(settings->n_columns - 1, (gsize) step * settings->n_columns / (gsize) settings->n_steps);
  const double width = (settings->high - settings->low) / (double) settings->n_bins;
  double      *counts = history->counts + column * settings->n_bins;

  for (gsize b = 0; b < n; b++)
    if (isfinite(energies[b]))
      counts[(gsize) CLAMP((energies[b] - settings->low) / width, 0,
                           (double) settings->n_bins - 0.5)]++;
}

void
lac_energy_history_fill(const LacEnergyHistory *history, LacPlane *plane)
{
  const LacEnergyHistorySettings *settings = &history->settings;
  const double half_bin = (settings->high - settings->low) / (2 * (double) settings->n_bins);
  const double half_column = (double) settings->n_steps / (2 * (double) settings->n_columns);

  for (gsize c = 0; c < settings->n_columns; c++) {
    const double *counts = history->counts + c * settings->n_bins;
    double        sum = 0;

    for (gsize i = 0; i < settings->n_bins; i++)
      sum += counts[i];
    for (gsize i = 0; i < settings->n_bins; i++)
      plane->data[i * settings->n_columns + c] = (float) (sum > 0 ? counts[i] / sum : 0);
  }
  plane->x_min = half_column;
  plane->x_max = (double) settings->n_steps - half_column;
  plane->y_min = settings->low + half_bin;
  plane->y_max = settings->high - half_bin;
}

void
lac_energy_history_pack(gpointer data, LacPacking *packing)
{
  LacEnergyHistory *history = data;

  lac_packing_values(packing, history->counts,
                     history->settings.n_columns * history->settings.n_bins);
}

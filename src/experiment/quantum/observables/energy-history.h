/* SPDX-License-Identifier: GPL-3.0-or-later */
/* History of the local-energy distribution over all steps: one column per interval of steps, one row per energy bin.
 * Values beyond the range count in the outermost bins. Hartree. One thread. */
#pragma once

#include "base/packing.h"
#include "field/frame.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  gsize  n_columns, n_bins;
  double low, high; /* hartree: edges of the outermost bins */
  gint64 n_steps;
} LacEnergyHistorySettings;

typedef struct _LacEnergyHistory LacEnergyHistory;

LacEnergyHistory *lac_energy_history_new(const LacEnergyHistorySettings *settings);
void              lac_energy_history_free(LacEnergyHistory *history);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacEnergyHistory, lac_energy_history_free)

/* Counts the energies of a step. @energies: [n]; non-finite values do not count. */
void
lac_energy_history_add(LacEnergyHistory *history, gint64 step, const double *energies, gsize n);

/* Fills the fraction of walkers in each bin: [n_bins][n_columns]; 0 for empty columns. */
void lac_energy_history_fill(const LacEnergyHistory *history, LacPlane *plane);

/* Packs the complete state. */
void lac_energy_history_pack(gpointer history, LacPacking *packing);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chart channels of a quantum run: their titles, axes and plane indices. */
#include "experiment/quantum/laboratory/laboratory-private.h"

#include <glib/gi18n-lib.h>

/* Titles by element, in the order of the charges. */
static const char *const around[LAC_N_ELEMENTS + 1] = {
  NULL,
  N_("Around hydrogen"),
  N_("Around helium"),
  N_("Around lithium"),
  N_("Around beryllium"),
  N_("Around boron"),
  N_("Around carbon"),
  N_("Around nitrogen"),
  N_("Around oxygen"),
  N_("Around fluorine"),
  N_("Around neon"),
};

enum { N_ENERGY_ROWS = 2 };

LacQuantumPlanes
lac_quantum_find_planes(const LacMolecule *molecule, const LacQuantumParams *params)
{
  LacQuantumPlanes planes = {.n = LAC_PLANE_ENERGIES + 1};

  if (lac_distribution_pair_rows(molecule) > 0)
    planes.pairs = planes.n++;
  if (params->volume > 0)
    planes.volume = planes.n++;
  return planes;
}

static LacChannel
chart_channel(const char *key, const char *label, const char *unit)
{
  return (LacChannel){
    .key = key,
    .label = label,
    .unit = unit,
    .quantity = key,
    .role = LAC_ROLE_RECONSTRUCTION,
    .colour_map = "ember",
    .axis_x = N_("distance"),
    .axis_y = N_("curve"),
    .axis_unit_x = "bohr",
    .axis_unit_y = "1",
    .without_markers = TRUE,
  };
}

static LacChannel
radial_channel(const LacMolecule *molecule)
{
  LacChannel channel = chart_channel("radial_density", N_("Radial distribution"), "1/bohr");
  guint      elements[LAC_N_ELEMENTS];

  channel.chart.n = lac_distribution_elements(molecule, elements);
  channel.chart.with_errors = TRUE;
  for (gsize i = 0; i < channel.chart.n; i++)
    channel.chart.labels[i] = around[elements[i]];
  return channel;
}

static LacChannel
energies_channel(const LacKnownEnergy *energy)
{
  LacChannel channel = chart_channel("local_energies", N_("Local energies"), "1/Ha");

  channel.axis_x = N_("local energy");
  channel.axis_unit_x = "Ha";
  channel.chart = (LacChart){
    .n = N_ENERGY_ROWS,
    .labels = {N_("Walkers"), N_("Outliers")},
    .log_axis = TRUE,
    .has_mark = energy != NULL,
    .mark = energy ? energy->energy : 0,
  };
  return channel;
}

static LacChannel
pairs_channel(const LacMolecule *molecule)
{
  static const char *const labels[] = {
    N_("Like spin"),
    N_("Unlike spin"),
    N_("Unlike spin with the exact cusp"),
  };
  LacChannel     channel = chart_channel("pair_density", N_("Pair distances"), "1/bohr³");
  const gsize    n = lac_distribution_pair_rows(molecule);
  const gboolean has_like = n % 2 == 1;

  channel.chart.n = n;
  channel.chart.with_errors = channel.chart.log_axis = TRUE;
  for (gsize i = 0; i < n; i++)
    channel.chart.labels[i] = labels[has_like ? i : i + 1];
  return channel;
}

void
lac_quantum_outline_charts(const LacMolecule    *molecule,
                           const LacKnownEnergy *energy,
                           LacChannel           *channels)
{
  channels[LAC_PLANE_RADIAL] = radial_channel(molecule);
  channels[LAC_PLANE_ENERGIES] = energies_channel(energy);
  if (lac_distribution_pair_rows(molecule) > 0)
    channels[LAC_PLANE_ENERGIES + 1] = pairs_channel(molecule);
}

void
lac_quantum_shape_charts(const LacQuantumState *state, gsize (*sizes)[2])
{
  guint elements[LAC_N_ELEMENTS];

  sizes[LAC_PLANE_RADIAL][0] = LAC_DISTRIBUTION_RADII;
  sizes[LAC_PLANE_RADIAL][1] = 2 * lac_distribution_elements(state->molecule, elements);
  sizes[LAC_PLANE_ENERGIES][0] = LAC_DISTRIBUTION_ENERGIES;
  sizes[LAC_PLANE_ENERGIES][1] = N_ENERGY_ROWS;
  if (state->planes.pairs) {
    sizes[state->planes.pairs][0] = LAC_DISTRIBUTION_DISTANCES;
    sizes[state->planes.pairs][1] = 2 * lac_distribution_pair_rows(state->molecule);
  }
}

void
lac_quantum_fill_charts(const LacQuantumState *state, LacFrame *frame)
{
  lac_distributions_fill_radial(state->views.distributions, &frame->planes[LAC_PLANE_RADIAL]);
  lac_distributions_fill_energies(state->views.distributions, &frame->planes[LAC_PLANE_ENERGIES]);
  if (state->planes.pairs)
    lac_distribution_fill_pairs(state->views.pairs, state->molecule,
                                &frame->planes[state->planes.pairs]);
}

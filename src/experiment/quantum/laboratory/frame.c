/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames of a quantum run: densities, with the nuclei and the electrons of some walkers as markers. */
#include "experiment/quantum/laboratory/laboratory-private.h"

/* Maximum number of walkers shown. */
enum { SHOWN = 24 };

static gsize
n_shown(const LacQuantumState *state)
{
  return MIN(SHOWN, state->n_walkers);
}

void
lac_quantum_shapes(gconstpointer data, gsize (*sizes)[2], gsize *n_markers)
{
  const LacQuantumState *state = data;

  for (gsize i = LAC_PLANE_DENSITY; i <= LAC_PLANE_SPIN; i++)
    sizes[i][0] = sizes[i][1] = (gsize) state->params.picture;
  sizes[LAC_PLANE_ENERGY][0] = LAC_HISTORY_COLUMNS;
  sizes[LAC_PLANE_ENERGY][1] = LAC_HISTORY_BINS;
  lac_quantum_shape_charts(state, sizes);
  if (state->views.density) {
    const LacDensityGrid *grid = lac_density_get_grid(state->views.density);

    sizes[state->planes.volume][0] = grid->n[0];
    sizes[state->planes.volume][1] = grid->n[1] * grid->n[2];
  }
  *n_markers = state->molecule->n_nuclei + n_shown(state) * state->n_electrons;
}

/* Clamps electrons outside the picture to its edge. */
static LacMarker
marker_at(const LacPictureAxes *axes, const double position[3], const char *kind)
{
  return (LacMarker){
    .x = CLAMP(position[axes->across], axes->lower[0], axes->upper[0]),
    .y = CLAMP(position[axes->up], axes->lower[1], axes->upper[1]),
    .kind = kind,
    .is_in_space = TRUE,
    .space = {position[0], position[1], position[2]},
  };
}

/* "nucleus-He" */
static const char *
nucleus_kind(guint charge)
{
  char kind[16];

  g_snprintf(kind, sizeof kind, "nucleus-%s", lac_element(charge)->symbol);
  return g_intern_string(kind);
}

static void
fill_volume(const LacDensity *density, LacPlane *plane)
{
  const LacDensityGrid *grid = lac_density_get_grid(density);
  const LacLayers       layers = {.n = grid->n[2]};

  lac_density_fill(density, LAC_DENSITY_ALL, plane->data);
  plane->x_min = grid->first[0];
  plane->x_max = grid->first[0] + grid->spacing * (double) (grid->n[0] - 1);
  lac_layers_set_y(&layers, plane, grid->first[1],
                   grid->first[1] + grid->spacing * (double) (grid->n[1] - 1));
}

void
lac_quantum_fill_frame(LacQuantumState *state, LacFrame *frame)
{
  const LacPictureAxes axes = lac_picture_axes(state->molecule);
  const gboolean       pretrains =
    lac_quantum_phase_at(state->phase_steps, state->step) == LAC_PHASE_PRETRAINING;
  const double *positions = pretrains && state->pretraining
                              ? lac_pretraining_get_positions(state->pretraining)
                              : lac_sampler_get_positions(state->sampler);
  LacMarker    *marker = frame->markers;

  lac_picture_fill_density(state->views.picture, &frame->planes[LAC_PLANE_DENSITY]);
  lac_picture_fill_spin(state->views.picture, &frame->planes[LAC_PLANE_SPIN]);
  lac_energy_history_fill(state->views.history, &frame->planes[LAC_PLANE_ENERGY]);
  lac_quantum_fill_charts(state, frame);
  if (state->views.density)
    fill_volume(state->views.density, &frame->planes[state->planes.volume]);
  for (gsize k = 0; k < n_shown(state) * state->n_electrons; k++)
    *marker++ = marker_at(&axes, positions + 3 * k,
                          k % state->n_electrons < state->molecule->n_up
                            ? g_intern_static_string("electron-up")
                            : g_intern_static_string("electron-down"));
  /* nuclei last, on top of the electrons */
  for (guint a = 0; a < state->molecule->n_nuclei; a++) {
    const LacNucleus *nucleus = &state->molecule->nuclei[a];

    *marker++ = marker_at(&axes, nucleus->position, nucleus_kind(nucleus->charge));
  }
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of the plain table, of planes and of waves. */
#include "backend/contract/private.h"

static gboolean
knows_waves(const LacBackend *table)
{
  return table->waves != NULL;
}

static gboolean
knows_planes(const LacBackend *table)
{
  return table->planes != NULL;
}

static const LacContractRow rows[] = {
  {"fill", lac_contract_fill_row},
  {"strided", lac_contract_strided_row},
  {"dot", lac_contract_dot_row},
  {"matvec", lac_contract_matvec_row},
  {"rank-update", lac_contract_rank_update_row},
  {"adam", lac_contract_adam_row},
  {"map-jet", lac_contract_map_jet_row},
  {"map-jet-reverse", lac_contract_map_jet_reverse_row},
  {"map-jet-is-the-same-in-any-tile", lac_contract_map_jet_position_row},
  {"slope-of-saturated-tanh", lac_contract_saturated_row},
  {"mul-jet", lac_contract_mul_jet_row},
  {"mul-jet-reverse", lac_contract_mul_jet_reverse_row},
  {"linear", lac_contract_linear_row},
  {"linear-reverse", lac_contract_linear_reverse_row},
  {"layer-is-linear-then-map", lac_contract_layer_row},
  {"layer-reverse-is-its-twin's", lac_contract_layer_reverse_row},
  {"layer-in-one-kernel-is-the-processor's", lac_contract_layer_fused_row},
  {"threads-leave-what-one-leaves", lac_contract_threads_row},
  {"fft-parseval-shift-and-back", lac_contract_fft_row},
  {"fft-batch-is-its-members", lac_contract_fft_batch_row},
  {"vorticity-of-known-flows", lac_contract_vorticity_row},
  {"rk4-stage", lac_contract_rk4_stage_row},
  {"planes-convolve-as-defined", lac_contract_planes_convolve_row, knows_planes},
  {"planes-directions-are-adjoints", lac_contract_planes_adjoints_row, knows_planes},
  {"planes-normalise", lac_contract_planes_normalise_row, knows_planes},
  {"planes-latent", lac_contract_planes_latent_row, knows_planes},
  {"planes-step", lac_contract_planes_step_row, knows_planes},
  {"planes-picture", lac_contract_planes_picture_row, knows_planes},
  {"waves-object", lac_contract_waves_object_row, knows_waves},
  {"waves-stops", lac_contract_waves_stops_row, knows_waves},
  {"waves-compare", lac_contract_waves_compare_row, knows_waves},
  {"waves-compare-is-its-loss's-derivative", lac_contract_waves_compare_differences_row,
   knows_waves},
  {"waves-gather", lac_contract_waves_gather_row, knows_waves},
  {"waves-bars", lac_contract_waves_bars_row, knows_waves},
  {"waves-transform", lac_contract_waves_transform_row, knows_waves},
};

const LacContractRow *
lac_contract_rows(gsize *n)
{
  *n = G_N_ELEMENTS(rows);
  return rows;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of the plain table, of planes, of waves and of iterations over walkers. */
#include "backend/contract/private.h"

const LacContractRow *const lac_contract_rows[] = {
  lac_contract_vector_rows,
  lac_contract_jet_rows,
  lac_contract_layer_rows,
  lac_contract_fused_layer_rows,
  lac_contract_spectral_rows,
  lac_contract_spectra_rows,
  lac_contract_convolution_rows,
  lac_contract_normalisation_rows,
  lac_contract_plane_end_rows,
  lac_contract_wave_rows,
  lac_contract_wave_sweep_rows,
  lac_contract_wave_exit_rows,
  lac_contract_wave_descent_rows,
  lac_contract_wave_object_rows,
  lac_contract_wave_structure_rows,
  lac_contract_iteration_rows,
  NULL,
};

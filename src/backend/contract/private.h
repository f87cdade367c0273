/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the contract, each terminated by a row without a name. */
#pragma once

#include "backend/contract/contract.h"

extern const LacContractRow lac_contract_vector_rows[];
extern const LacContractRow lac_contract_jet_rows[];
extern const LacContractRow lac_contract_layer_rows[];
extern const LacContractRow lac_contract_fused_layer_rows[];
extern const LacContractRow lac_contract_spectral_rows[];
extern const LacContractRow lac_contract_spectra_rows[];
extern const LacContractRow lac_contract_convolution_rows[];
extern const LacContractRow lac_contract_normalisation_rows[];
extern const LacContractRow lac_contract_plane_end_rows[];
extern const LacContractRow lac_contract_wave_rows[];
extern const LacContractRow lac_contract_wave_sweep_rows[];
extern const LacContractRow lac_contract_wave_exit_rows[];
extern const LacContractRow lac_contract_wave_descent_rows[];
extern const LacContractRow lac_contract_wave_object_rows[];
extern const LacContractRow lac_contract_wave_structure_rows[];
extern const LacContractRow lac_contract_iteration_rows[];

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of the contract, each a kernel or a family of them. */
#pragma once

#include "backend/contract/contract.h"

#define LAC_CONTRACT_ROW(name) void lac_contract_##name##_row(LacContract *contract)

LAC_CONTRACT_ROW(fill);
LAC_CONTRACT_ROW(strided);
LAC_CONTRACT_ROW(dot);
LAC_CONTRACT_ROW(matvec);
LAC_CONTRACT_ROW(rank_update);
LAC_CONTRACT_ROW(adam);
LAC_CONTRACT_ROW(map_jet);
LAC_CONTRACT_ROW(map_jet_reverse);
LAC_CONTRACT_ROW(saturated);
LAC_CONTRACT_ROW(map_jet_position);
LAC_CONTRACT_ROW(mul_jet);
LAC_CONTRACT_ROW(mul_jet_reverse);
LAC_CONTRACT_ROW(linear);
LAC_CONTRACT_ROW(linear_reverse);
LAC_CONTRACT_ROW(layer);
LAC_CONTRACT_ROW(layer_reverse);
LAC_CONTRACT_ROW(layer_fused);
LAC_CONTRACT_ROW(threads);
LAC_CONTRACT_ROW(fft);
LAC_CONTRACT_ROW(fft_batch);
LAC_CONTRACT_ROW(vorticity);
LAC_CONTRACT_ROW(rk4_stage);
LAC_CONTRACT_ROW(planes_convolve);
LAC_CONTRACT_ROW(planes_adjoints);
LAC_CONTRACT_ROW(planes_normalise);
LAC_CONTRACT_ROW(planes_latent);
LAC_CONTRACT_ROW(planes_step);
LAC_CONTRACT_ROW(planes_picture);
LAC_CONTRACT_ROW(waves_object);
LAC_CONTRACT_ROW(waves_stops);
LAC_CONTRACT_ROW(waves_compare);
LAC_CONTRACT_ROW(waves_compare_differences);
LAC_CONTRACT_ROW(waves_gather);
LAC_CONTRACT_ROW(waves_bars);
LAC_CONTRACT_ROW(waves_transform);

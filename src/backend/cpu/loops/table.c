/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of loops for one level and type. */
#include "backend/cpu/loops/real.h"

const LacCpuLoops LAC_LOOP(loops) = {
  .fill = LAC_LOOP(fill),
  .strided = LAC_LOOP(strided),
  .map_jet = LAC_LOOP(map_jet),
  .map_jet_reverse = LAC_LOOP(map_jet_reverse),
  .mul_jet = LAC_LOOP(mul_jet),
  .mul_jet_reverse = LAC_LOOP(mul_jet_reverse),
  .linear = LAC_LOOP(linear),
  .linear_reverse = LAC_LOOP(linear_reverse),
  .dot = LAC_LOOP(dot),
  .matvec = LAC_LOOP(matvec),
  .rank_update = LAC_LOOP(rank_update),
  .adam = LAC_LOOP(adam),
  .scale = LAC_LOOP(scale),
  .vorticity_derive = LAC_LOOP(vorticity_derive),
  .vorticity_advect = LAC_LOOP(vorticity_advect),
  .rk4_stage = LAC_LOOP(rk4_stage),
  .combine = LAC_LOOP(combine),
  .correlate = LAC_LOOP(correlate),
  .polynomial = LAC_LOOP(polynomial),
  .polynomial_reverse = LAC_LOOP(polynomial_reverse),
};

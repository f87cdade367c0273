/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops over waves of one level and type; the build compiles this file once for each. */
#include "backend/cpu/waves/real.h"

const LacWaveLoops LAC_WAVE(loops) = {
  .spread = LAC_WAVE(spread),
  .gather = LAC_WAVE(gather),
  .follow = LAC_WAVE(follow),
  .put = LAC_WAVE(put),
  .take = LAC_WAVE(take),
  .count = LAC_WAVE(count),
  .average = LAC_WAVE(average),
  .divide = LAC_WAVE(divide),
  .score = LAC_WAVE(score),
  .slopes = LAC_WAVE(slopes),
  .tangent = LAC_WAVE(tangent),
  .normals = LAC_WAVE(normals),
  .combine = LAC_WAVE(combine),
  .look = LAC_WAVE(look),
  .compare = LAC_WAVE(compare),
  .object = LAC_WAVE(object),
  .bars = LAC_WAVE(bars),
};

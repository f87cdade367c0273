/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matrix products for the threads of the pool, which cannot use Debian's serial OpenBLAS: it shares one buffer
 * between its callers. */
#pragma once

#include "backend/cpu/loops/real.h"

/* c = a b, or c += a b with `add`; a: [m, depth] at a[i * a_row + k * a_depth], b likewise, c: rows c_row apart. Each
 * element is summed over k in order, independent of m: rows may be split in any way. */
typedef struct {
  size_t      m, n, depth;
  const Real *a, *b;
  Real       *c;
  size_t      a_row, a_depth, b_depth, b_column, c_row;
  int         add;
} Gemm;

void LAC_LOOP(gemm)(const Gemm *gemm);

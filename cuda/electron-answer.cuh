/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Results of a walker from its orbitals. */
#pragma once

#include "cuda/electron-plan.cuh"
#include "cuda/electron-sum.cuh"

/* Writes the results of walker b to the requested outputs. */
template <bool JET, typename Real>
__device__ static inline void
answer_walker(const Walker<Real> &w, const WalkerArgs &a, size_t b, const LacElectronAnswer &out)
{
  const Index   n = 3 * a.shape.n_electrons;
  const double *position = a.positions + b * n;
  const Total   sum = find_sum<JET>(w, position);

  if (threadIdx.x == 0 && out.log_abs)
    out.log_abs[b] = log_of(w, sum);
  if (threadIdx.x == 0 && out.sign)
    out.sign[b] = (int8_t) ((sum.total > 0) - (sum.total < 0));
  if (JET && threadIdx.x == 0 && out.kinetic) {
    double laplacian = 0;

    for (Index t = 0; t <= n; t++)
      laplacian += w.doubles[a.plan.partial + t];
    out.kinetic[b] = -0.5 * laplacian;
  }
  for (Index t = threadIdx.x; JET && out.gradient && t < n; t += blockDim.x)
    out.gradient[b * n + t] = w.doubles[a.plan.gradient + t];
}

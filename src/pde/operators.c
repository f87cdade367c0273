/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sums of derivatives over axes, and waves. */
#include "pde/operators-private.h"

#define N_PACKET_MODES 12

LacNode
lac_laplace(LacNode f, guint first_axis, guint n_axes)
{
  LacNode sum = lac_derivative(f, first_axis, 2);

  for (guint i = 1; i < n_axes; i++)
    sum = lac_add(sum, lac_derivative(f, first_axis + i, 2));
  return sum;
}

LacNode
lac_transport(const LacNode *velocity, LacNode f, guint first_axis, guint n_axes)
{
  LacNode sum = lac_multiply(lac_value(velocity[0]), lac_derivative(f, first_axis, 1));

  for (guint i = 1; i < n_axes; i++)
    sum = lac_add(sum, lac_multiply(lac_value(velocity[i]), lac_derivative(f, first_axis + i, 1)));
  return sum;
}

LacNode
lac_combine_axes(LacNode x, const double *factors, guint n_axes, double constant)
{
  LacNode sum = LAC_NO_NODE;

  for (guint i = 0; i < n_axes; i++) {
    LacNode term;

    if (factors[i] == 0)
      continue;
    term = lac_scale(lac_columns(x, i, 1), factors[i]);
    sum = sum.graph ? lac_add(sum, term) : term;
  }
  g_assert(sum.graph);
  return constant == 0 ? sum : lac_offset(sum, constant);
}

LacNode
lac_periodic_packet(LacNode x, guint axis, const LacPacket *packet)
{
  LacNode t = lac_columns(x, 0, 1);
  LacNode moved = lac_subtract(lac_columns(x, axis, 1), lac_scale(t, packet->speed));
  LacNode sum = LAC_NO_NODE;

  for (int m = 1; m <= N_PACKET_MODES; m++) {
    const double m2 = (double) m * m;
    LacNode      fading =
      lac_offset(lac_scale(t, -m2 * packet->diffusivity), -m2 * packet->sigma * packet->sigma / 2);
    LacNode mode = lac_multiply(lac_map(fading, LAC_SCALAR_EXP),
                                lac_map(lac_scale(moved, (double) m), LAC_SCALAR_COS));

    sum = sum.graph ? lac_add(sum, mode) : mode;
  }
  return sum;
}

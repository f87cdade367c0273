/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sensor/helpers/reconstruct.h"

#include "sensor/expansion.h"

#include <string.h>

void
reconstruct(LacGappy *gappy, const LacPod *pod, const double *values, double *found)
{
  g_autoptr(GError)       error = NULL;
  g_autoptr(LacExpansion) expansion = NULL;
  g_autofree double      *coefficients = g_new0(double, pod->n_modes + 1);
  LacDevice               device;

  lac_device_open(&device, "cpu", &error);
  g_assert_no_error(error);
  expansion = lac_expansion_new(pod, &device, &error);
  g_assert_no_error(error);
  lac_gappy_get_coefficients(gappy, values, coefficients);
  memcpy(found, pod->mean, pod->n * sizeof *found);
  lac_expansion_add(expansion, coefficients, found, &error);
  g_assert_no_error(error);
  g_clear_pointer(&expansion, lac_expansion_free);
  lac_device_close(&device);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiment/curve.h"

#include <math.h>

LacCurve
lac_curve_standard_error(const char *name)
{
  g_autofree char *key = g_strdup_printf("%s_standard_error", name);
  g_autofree char *label = g_strdup_printf("%s ±", name);

  return (LacCurve){
    .key = g_intern_string(key),
    .label = g_intern_string(label),
    .unit = "1",
    .is_result = TRUE,
    .reference = NAN,
  };
}

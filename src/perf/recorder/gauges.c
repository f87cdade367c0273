/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gauge names and units from gauges.def. */
#include "perf/recorder/gauges.h"

static const struct {
  const char *name, *unit;
} rows[LAC_N_GAUGES] = {
#define LAC_GAUGE(ID, name, unit) {name, unit},
#include "perf/recorder/gauges.def"
#undef LAC_GAUGE
};

const char *
lac_gauge_name(LacGauge gauge)
{
  g_return_val_if_fail(gauge < LAC_N_GAUGES, NULL);
  return rows[gauge].name;
}

const char *
lac_gauge_find_unit(const char *name)
{
  for (gsize i = 0; i < LAC_N_GAUGES; i++) {
    if (g_str_equal(rows[i].name, name))
      return rows[i].unit;
  }
  return NULL;
}

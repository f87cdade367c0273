/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of the growth benchmark. */
#pragma once

#include "bench/tiers/growth.h"

G_BEGIN_DECLS

#define LAC_GROWTH_MOST_SIZES 6

typedef struct {
  const char *name, *over; /* operation, and what is varied: "enkf_analysis", "grid" */
  const char *theory;      /* operations, as a formula */
  const char *rate_unit;   /* unit of work() per second */
  gsize       sizes[LAC_GROWTH_MOST_SIZES]; /* ends with 0 unless full */
  /* Operations (or bytes) of a call, and bytes of memory; only their growth counts unless the rate is shown. */
  double (*work)(gsize size, gconstpointer subject);
  double (*room)(gsize size, gconstpointer subject); /* (nullable): NULL: memory is not measured */
  /* (nullable): returns NULL with an error */
  gpointer (*begin)(gsize size, GError **error);
  gboolean (*act)(gpointer subject, GError **error);
  void (*end)(gpointer subject);
  gsize       warm;  /* size of the first call; 0: the smallest */
  double      extra; /* allowed on top of LAC_GROWTH_MAY, for the reason @why */
  const char *why;   /* (nullable) */
} LacGrowthRow;

/* Tables; each ends with a row without a name. */
extern const LacGrowthRow lac_growth_flow_rows[], lac_growth_imaging_rows[],
  lac_growth_quantum_rows[], lac_growth_record_rows[];

/* Measures the rows of a table in this process: what lac_bench_grow() does in a process of its own. */
gboolean lac_growth_measure(const LacGrowthRow *row, LacBenchFile *file, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a sweep leaves beside its runs: one table and one chart. */
#pragma once

#include "cli/run-request.h"
#include "run/plan/random-band.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

typedef struct {
  const LacRunRequest *request;
  GPtrArray           *results; /* JsonNode *, a combination; of those that ran */
  GArray              *bands;   /* LacRandomBand, likewise; NULL: there are none */
  const LacOutline    *outline; /* of a run: its first metric is what the chart shows */
} LacSweepOutput;

/* Writes SWEEP.csv, .svg, .png and .pdf into the folder of the runs; the chart where a key that is swept has numbers alone.
 * Returns: (transfer full): their common beginning; %NULL with an error. */
char *lac_sweep_output_write(const LacSweepOutput *output, GError **error);

/* Returns: (transfer full): which combination is the best one, in sentences; none where that cannot be told. */
GStrv lac_sweep_output_optima(const LacSweepOutput *output);

G_END_DECLS

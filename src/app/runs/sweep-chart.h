/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One result of every method against a swept parameter. */
#pragma once

#include "app/runs/sweep-runs.h"
#include "app/session/sweep-bands.h"
#include "app/toolkit/drawing-view.h"

G_BEGIN_DECLS

#define LAC_TYPE_SWEEP_CHART (lac_sweep_chart_get_type())
G_DECLARE_FINAL_TYPE(LacSweepChart, lac_sweep_chart, LAC, SWEEP_CHART, LacDrawingView)

/* Bands behind the curves. */
typedef enum {
  LAC_SWEEP_BANDS_NONE,
  LAC_SWEEP_BANDS_REPEATS, /* runs with the same values: lowest to highest, the curve at the median */
  LAC_SWEEP_BANDS_RANDOM, /* a further curve: random placement of the sensors */
  LAC_N_SWEEP_BANDS
} LacSweepBandKind;

/* Choices of the chart; the texts are copied. */
typedef struct {
  const char      *metric; /* own key of a result */
  gssize           axis;   /* index of a swept parameter; -1: the number of the run */
  LacSweepBandKind bands;
  gboolean         linear; /* linear y axis */
} LacSweepLook;

void lac_sweep_chart_set_results(LacSweepChart *chart, LacSweepRuns *results); /* (nullable) */
void lac_sweep_chart_set_look(LacSweepChart *chart, const LacSweepLook *look);
/* @bands: retained. */
void lac_sweep_chart_set_bands(LacSweepChart *chart, LacSweepBands *bands);
/* Shades the place of a point; -1: none. */
void lac_sweep_chart_choose(LacSweepChart *chart, gssize point);

/* Returns TRUE if several runs have the same place on the same curve. */
gboolean lac_sweep_chart_has_repeats(LacSweepChart *chart);
/* Writes the chart; the extension of @path selects the format. Returns: FALSE with an error. */
gboolean lac_sweep_chart_write(LacSweepChart *chart, const char *path, GError **error);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Phases of a benchmark: each runs in its own process and fills rows. */
#pragma once

#include "bench/harness/child.h"
#include "bench/tiers/bench.h"

G_BEGIN_DECLS

/* Measures training steps: set-up, first step, forward, backward, step, memory, quality. */
gboolean lac_bench_step(const LacBenchTask *task, LacBenchFile *rows, GError **error);

/* Imaging: Fourier transforms of 1024 x 1024; construction, forward, step and memory of the decoder at 1024 to 512. */
gboolean lac_bench_transforms(const LacBenchTask *task, LacBenchFile *rows, GError **error);
gboolean lac_bench_decoder(const LacBenchTask *task, LacBenchFile *rows, GError **error);

/* Measure the path from snapshots in memory to sensor positions, for one and two components: seconds and memory. */
gboolean lac_bench_sensors(const LacBenchTask *task, LacBenchFile *rows, GError **error);
gboolean lac_bench_sensors_uv(const LacBenchTask *task, LacBenchFile *rows, GError **error);

/* Run small experiments to their end: errors with absolute limits; gain of pivoted QR over random layouts with the tier's
 * number of sensors. */
gboolean lac_bench_physics(const LacBenchTask *task, LacBenchFile *rows, GError **error);
gboolean lac_bench_placement(const LacBenchTask *task, LacBenchFile *rows, GError **error);

/* Writes a turbulence cut-out and finds its modes: read and decoded into memory, or streamed; seconds beside those of
 * the bytes alone. */
gboolean lac_bench_pipeline(const LacBenchTask *task, LacBenchFile *rows, GError **error);

/* Passes of PRISM's stated workload with everything optimised and with nothing: its four checks, and both sides. */
gboolean lac_bench_prism(const LacBenchTask *task, LacBenchFile *rows, GError **error);

/* PRISM's progressive training on one grid of @size: an object half as wide, apertures of its 17 pixels of 1024, a step
 * on a new exposure and an earlier one. */
typedef struct _LacBenchProgressive LacBenchProgressive;
LacBenchProgressive      *
lac_bench_progressive_new(gsize size, gsize n_samples, guint n_threads, GError **error);
void lac_bench_progressive_free(LacBenchProgressive *progressive);
/* @sample: from 0, in the order of the pattern */
void   lac_bench_progressive_step(LacBenchProgressive *progressive, gsize sample);
double lac_bench_progressive_psnr(LacBenchProgressive *progressive); /* dB */

/* Adds a sample to the row of this task; @row->name is filled in. @relative: NaN: none. */
void lac_bench_print(const LacBenchTask *task,
                     LacBenchFile       *rows,
                     LacBenchRow         row,
                     double              sample,
                     double              relative);

/* First member of the struct of a phase or switch. */
typedef struct {
  char *name; /* "flow/small/step" */
} LacBenchItem;

/* Returns: (transfer full): an array of structs of @size that begin with LacBenchItem and own its name. */
GArray *lac_bench_items_new(gsize size);
/* Adds @item, or frees its name where the settings filter it out. */
void lac_bench_items_add(GArray *items, const LacBenchSettings *settings, LacBenchItem *item);
/* Runs each item in its own process, alternating, for the number of rounds in the settings. */
gboolean lac_bench_items_run(const GArray           *items,
                             const LacBenchSettings *settings,
                             LacBenchWork            work,
                             LacBenchFile           *file,
                             GError                **error);

G_END_DECLS

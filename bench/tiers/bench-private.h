/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The phases of a benchmark: each runs in a process of its own and fills rows. */
#pragma once

#include "bench/harness/child.h"
#include "bench/tiers/bench.h"

G_BEGIN_DECLS

/* Training steps: set-up, first step, forward, backward, step, memory, quality. */
gboolean lac_bench_step(const LacBenchTask *task, LacBenchFile *rows, GError **error);

/* Of the imaging laboratory: Fourier transforms of 1024 x 1024; construction, forward, step and memory of the decoder at 1024 to 512. */
gboolean lac_bench_transforms(const LacBenchTask *task, LacBenchFile *rows, GError **error);
gboolean lac_bench_decoder(const LacBenchTask *task, LacBenchFile *rows, GError **error);

/* From snapshots in memory to places, of one component and of two: seconds and memory. */
gboolean lac_bench_sensors(const LacBenchTask *task, LacBenchFile *rows, GError **error);
gboolean lac_bench_sensors_uv(const LacBenchTask *task, LacBenchFile *rows, GError **error);

/* Adds a sample to the row of this task; @row->name is filled in. @relative: NaN: none. */
void lac_bench_print(const LacBenchTask *task,
                     LacBenchFile       *rows,
                     LacBenchRow         row,
                     double              sample,
                     double              relative);

/* What the struct of a phase, or of a switch, begins with. */
typedef struct {
  char *name; /* "flow/small/step" */
} LacBenchItem;

/* Returns: (transfer full): an array of structs of @size that begin with LacBenchItem and own its name. */
GArray *lac_bench_items_new(gsize size);
/* Adds @item, or frees its name where the settings ask for others only. */
void lac_bench_items_add(GArray *items, const LacBenchSettings *settings, LacBenchItem *item);
/* Each item in a process of its own, all in turn, as many times as the settings say. */
gboolean lac_bench_items_run(const GArray           *items,
                             const LacBenchSettings *settings,
                             LacBenchWork            work,
                             LacBenchFile           *file,
                             GError                **error);

G_END_DECLS

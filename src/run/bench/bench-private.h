/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The phases of a benchmark: each runs in a process of its own and fills rows. */
#pragma once

#include "run/bench/bench.h"

G_BEGIN_DECLS

/* Training steps: set-up, first step, forward, backward, step, memory, quality. */
gboolean lac_bench_step(const LacBenchTask *task, LacBenchFile *rows, GError **error);

/* Of the imaging laboratory: Fourier transforms of 1024 x 1024; construction, forward, step and memory of the decoder at 1024 to 512. */
gboolean lac_bench_transforms(const LacBenchTask *task, LacBenchFile *rows, GError **error);
gboolean lac_bench_decoder(const LacBenchTask *task, LacBenchFile *rows, GError **error);

/* Adds a sample to the row of this task; @row->name is filled in. @relative: NaN: none. */
void lac_bench_tell(const LacBenchTask *task,
                    LacBenchFile       *rows,
                    LacBenchRow         row,
                    double              sample,
                    double              relative);

G_END_DECLS

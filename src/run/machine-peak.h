/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What this machine can do at most, measured once and kept. */
#pragma once

#include "experiment/experiment.h"
#include "perf/roofline.h"
#include "tensor/type.h"

G_BEGIN_DECLS

/* Of one thread while @n_threads work. @memory: where it is kept, by processor, program and number of threads; the first call
 * of a machine takes 0.3 s and 128 MiB. */
LacPeak lac_machine_peak(const LacMemory *memory, LacType type, guint n_threads);

G_END_DECLS
